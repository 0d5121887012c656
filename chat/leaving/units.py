"""The exchanges of messages that leave, as memory is to hold them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from chat.domain import transcript
from memory.domain.wording import LARGEST, clean, is_degenerate, size
from memory.drafts import Draft
from memory.kinds import Kind, Origin

if TYPE_CHECKING:
    from chat.models import Conversation, Message

#: Why a unit is in no entry, beside what transcript.py says: it is larger than an entry may be, or says one word.
TOO_LARGE, DEGENERATE = "too_large", "degenerate"


@dataclass(frozen=True)
class Units:
    """`drafts`: one a unit. `said`: the messages of each, oldest first, as memory reads them.

    `dropped` counts the messages that are in none, and `why` the same by reason.
    """

    drafts: tuple[Draft, ...]
    said: tuple[tuple[transcript.Message, ...], ...]
    why: Mapping[str, int]

    @property
    def dropped(self) -> int:
        return sum(self.why.values())


def units_of(talk: Conversation, messages: Sequence[Message], removed: frozenset[int]) -> Units:
    """Of the messages, oldest first, those units that hold one of `removed`.

    Whole ones: of an exchange whose question is pinned the question is in the unit, and stays in the window all the
    same. A draft names the person's message; forgotten, it is never written from that message again.
    """
    found = transcript.cut([spoken(one) for one in messages])
    at = {one.pk: one.created_at for one in messages}
    drafts: list[Draft] = []
    said: list[tuple[transcript.Message, ...]] = []
    why: Counter[str] = Counter()
    for out in found.dropped:
        why[out.reason] += _among(out.messages, removed)
    for unit in found.units:
        if not (count := _among(unit.messages, removed)):
            continue
        draft = draft_of(talk, unit, at)
        if reason := _unfit(draft.text):
            why[reason] += count
        else:
            drafts.append(draft)
            said.append(unit.messages)
    return Units(tuple(drafts), tuple(said), {reason: count for reason, count in why.items() if count})


def spoken(one: Message) -> transcript.Message:
    """What Forge itself said is no answer to remember: it quotes memory, or says how to use it.

    A reply's mark keeps the reply out and says nothing of its question, which has its own.
    """
    reply = one.role != "user"
    by_forge = reply and bool(one.run_id) and not one.model
    return transcript.Message(
        one.role,
        one.content,
        indexable=one.indexable or reply,
        answered=one.answered and not by_forge,
        kept_out=reply and one.answered and not one.indexable and not by_forge,
        ref=one.pk,
    )


def draft_of(talk: Conversation, unit: transcript.Unit, at: Mapping[int, datetime]) -> Draft:
    """Cleaned as it will be stored: what was embedded beforehand is found by its text."""
    first = unit.messages[0].ref
    return Draft(
        clean(unit.text).text,
        kind=Kind.EXCHANGE,
        origin=Origin.COMPACTION,
        conversation=talk.pk,
        message=first,
        said_at=at[first] if first is not None else None,
    )


def _among(messages: Sequence[transcript.Message], removed: frozenset[int]) -> int:
    return sum(one.ref in removed for one in messages)


def fits(text: str) -> bool:
    """May it be an entry?"""
    return not _unfit(text)


def _unfit(text: str) -> str:
    if size(text) > LARGEST:
        return TOO_LARGE
    return DEGENERATE if is_degenerate(text) else ""
