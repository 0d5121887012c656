"""What a conversation's window weighs: its rows as the decision of a compaction takes them, and the limits in force."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import Count, Sum
from django.db.models.functions import Length

from chat.branches import held
from chat.domain.budget import char_budget
from chat.domain.compaction import Limits, Row
from chat.domain.past import Earlier, told
from chat.models import Message, State
from chat.prompting.sizes import AROUND
from forgesite.lib.tokens import estimate

if TYPE_CHECKING:
    from chat.models import Conversation

#: Most tokens that the estimate gives for one character: no text is above a threshold that its length cannot reach.
DENSEST = 2.5
MOST_KNOWN = 20_000
#: Tokens of the smallest window that a model which anybody talks to has.
SMALLEST = 1000


@dataclass
class _Known:
    """Tokens by message and its length: of a window that grew by two messages, two are estimated."""

    tokens: dict[tuple[int, int], int] = field(default_factory=dict)


_known = _Known()


def limits(messages: Sequence[Message], window: int | None = None) -> Limits:
    """Those in force. The model is whoever answered last; before any has, there is no character budget.

    `window`: tokens that the model's server says it has.
    """
    forge = settings.FORGE
    name = next((one.model for one in reversed(messages) if one.model), "")
    return Limits(
        messages=forge.COMPACTION_THRESHOLD,
        keep_recent=forge.COMPACTION_KEEP_RECENT,
        tokens=forge.COMPACTION_TOKEN_THRESHOLD,
        target=forge.COMPACTION_TOKEN_TARGET,
        characters=forge.TRIGGER_RATIO * _budget(name, window),
    )


def _budget(model_name: str, window: int | None) -> float:
    forge = settings.FORGE
    if forge.CHAR_BUDGET or not model_name:
        return forge.CHAR_BUDGET or float("inf")
    return char_budget(model_name, forge.LLM_CONTEXT or window)


def weighed(messages: Sequence[Message]) -> list[Row]:
    """One row a message. What no prompt shows (commands, what Forge itself answered) counts, and weighs nothing."""
    return [_row(message) for message in messages]


def _row(one: Message) -> Row:
    shown = told(Earlier(one.role, one.content, one.state, one.answered, one.model, one.run_id))
    return Row(
        one.pk,
        one.role,
        tokens=_tokens(one) if shown else 0,
        characters=len(one.role) + len(one.content) if shown else 0,
        pinned=one.pinned,
        running=one.state == State.RUNNING,
    )


def _tokens(one: Message) -> int:
    key = (one.pk, len(one.content))
    if (tokens := _known.tokens.get(key)) is None:
        if len(_known.tokens) >= MOST_KNOWN:
            _known.tokens = {}
        tokens = _known.tokens[key] = estimate(one.content) + AROUND
    return tokens


@dataclass(frozen=True)
class Lengths:
    """Of every message that has not left the window, of whichever branch."""

    messages: int
    characters: int

    def may_exceed(self, messages: int, tokens: float) -> bool:
        """False only where neither count nor tokens nor characters can be above what is set, whatever the texts are."""
        forge = settings.FORGE
        characters = forge.TRIGGER_RATIO * (forge.CHAR_BUDGET or char_budget("", SMALLEST))
        most = min((tokens - self.messages * AROUND) / DENSEST, characters - self.messages * len("assistant"))
        return self.messages > messages or self.characters > most


def lengths(talk: Conversation) -> Lengths:
    """One query, which reads no text."""
    found = held(talk).filter(compacted=False).aggregate(rows=Count("id"), all=Sum(Length("content")))
    return Lengths(found["rows"], found["all"] or 0)
