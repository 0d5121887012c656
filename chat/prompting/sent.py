"""What a model was sent, as a receipt says it: a hash of what came before the turn, and what each part took."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chat.prompting.given import datum, given
from chat.prompting.sizes import known
from forgesite.lib.language_models import Said
from memory.domain.fence import shown
from memory.domain.receipt import Prompt, prefix_digest

if TYPE_CHECKING:
    from chat.answering import Answering
    from chat.prompting.composing import Composed


@dataclass(frozen=True)
class Sent:
    """`turn`: which of the messages is the person's turn. What comes before it a server may have read already."""

    messages: Sequence[Said]
    turn: int
    tokens: dict[str, int]
    estimated: bool

    def told(self) -> Prompt:
        prefix = ((message.role, message.content) for message in self.messages[: self.turn])
        return Prompt(prefix_digest(prefix), self.turn, self.tokens, self.estimated)


async def split(model: Answering, ready: Composed, text: str) -> dict[str, int]:
    """Tokens of each part. `system`: the instructions with all that stands beside the others, as a template puts it."""
    rows = given(ready.recalled) if ready.recalled else ()
    turn, *each = (await known(model.door, [text, *(shown(datum(row)) for row in rows)])).tokens
    context = ready.context
    parts = {"hot_block": context.hot_block_tokens, "history": context.history_tokens}
    parts |= {"recalled": sum(each), "turn": turn}
    return {"system": max(0, context.prompt_tokens - sum(parts.values())), **parts}
