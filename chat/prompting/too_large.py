"""A text that no prompt of a model can hold, whatever else is left out: refused with its size before it is stored."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.answering import Answering
from chat.domain.prompts import Notes, turn_text
from chat.prompting.at_hand import hot_room, to_come
from chat.prompting.sizes import AROUND, estimated, sizes
from chat.prompting.system import EARLIER_SHARE, System, left_by, own_text, with_memory
from chat.threads import long
from forgesite.errors import TooLargeError
from forgesite.language import number
from memory.errors import ContextOverflowError
from memory.finding import packing
from memory.recall import Row

if TYPE_CHECKING:
    from forgesite.models import Account

#: A text that has more characters than this for each token that fits is too large, whatever the tokenizer.
DENSEST = 24
#: Tokens of what frames the hot block and what stands for earlier messages: more than it is.
FRAMES = 300
#: Percent that is told of what would fit: a text is not equally dense all through.
SAID = 98
#: The date, whichever it is.
SOME_DAY = date(2026, 9, 30)


async def refuse_too_large(model: Answering, owner: Account, text: str, *, conversation: str = "") -> None:
    """Raises TooLargeError for a text that a prompt of this model cannot hold beside its system message.

    That holds the hot block and what stands for earlier messages. The tools are not counted: a turn that leaves them
    no room goes without them. Raises UnknownError for a conversation that is not theirs.
    """
    own = own_text(())
    left = await left_by(own, model.room)
    room = await _left(own, model)
    most_beside = hot_room(left) + left // EARLIER_SHARE + FRAMES
    if len(text) <= (room - most_beside) * DENSEST and await _tokens(text) <= room - most_beside:
        return
    hand = await long(to_come, owner, conversation, room=left)
    room = await _left(await with_memory(own, hand, left), model)
    if len(text) > room * DENSEST:
        raise too_large(text, max(0, room) * 3, model)
    # The estimate is on the safe side: where it fits, nobody needs to be asked.
    if await _tokens(text) > room:
        [tokens] = (await sizes(model.door, [text])).tokens
        if tokens > room:
            raise too_large(text, _bytes(text) * max(0, room) // tokens * SAID // 100, model)


async def _left(system: System, model: Answering) -> int:
    """Tokens beside the system message and the notes of a turn."""
    return await left_by(system, model.room) - await _tokens(turn_text("", Notes(SOME_DAY, []))) - AROUND


async def _tokens(text: str) -> int:
    [tokens] = await estimated([text])
    return tokens


def too_large(text: str, limit: int, model: Answering) -> TooLargeError:
    """`limit`: about how many bytes would fit."""
    size, window = _bytes(text), model.window.tokens
    message = _(
        "The message has %(size)s bytes. About %(limit)s fit into the model's window of %(window)s tokens beside the "
        "answer. Shorten it, or send it in parts."
    ) % {"size": number(size), "limit": number(limit), "window": number(window)}
    return TooLargeError(message, detail={"size": size, "limit": limit})


def todos_too_large(todos: Sequence[Row], model: Answering) -> ContextOverflowError:
    ids, tokens = ", ".join(f"#{row.entry.pk}" for row in todos), model.window.tokens
    message = ngettext(
        "%(count)s open todo has to be given, and does not fit into the model's window of %(tokens)s tokens beside the "
        "message: %(ids)s. Close it, or use a model with a larger window.",
        "%(count)s open todos have to be given, and do not fit into the model's window of %(tokens)s tokens beside the "
        "message: %(ids)s. Close some, or use a model with a larger window.",
        len(todos),
    )
    return ContextOverflowError(
        message % {"count": len(todos), "tokens": number(tokens), "ids": ids}, detail=packing.listed(todos)
    )


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
