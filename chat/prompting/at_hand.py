"""What a prompt can be made of: the conversation's window, what stands for the rest of it, and the hot block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings

from chat import history
from chat.domain.past import Earlier, Turn, turns
from chat.models import Conversation, Message
from forgesite.language import zone_of
from memory.domain.fence import Datum
from memory.hot_block import FRAME, NONE, HotBlock, hot_block, is_on, newest

if TYPE_CHECKING:
    from forgesite.models import Account

#: The hot block gets this share of what the preamble and the tools leave of a prompt, however much is set: two thirds
#: of it are left for the person's own words, what they are answered with, and the conversation so far.
HOT_SHARE = 3


@dataclass(frozen=True)
class AtHand:
    """`past` oldest first, without what was compacted; `pointers` oldest first."""

    past: Sequence[Turn] = ()
    pointers: Sequence[Datum] = ()
    hot: HotBlock = NONE


def hot_room(room: int | None) -> int:
    """Most tokens of the block's entries where the system's own text leaves `room`; None: nobody says how much."""
    most = settings.FORGE.RECALL_HOT_MAX_TOKENS
    return most if room is None else max(0, min(most, room // HOT_SHARE - FRAME))


def at_hand(owner: Account, conversation: str, *, upto: int, room: int) -> AtHand:
    """For the prompt that answers message `upto`. A conversation without one fixes what its hot block goes up to."""
    hot = hot_block(owner, upto=_fixed(owner, conversation, upto), most_tokens=hot_room(room))
    return _read(owner, conversation, upto, hot)


def to_come(owner: Account, conversation: str, *, room: int | None) -> AtHand:
    """For the prompt of a message that is not there yet. Writes nothing; empty `conversation`: a new one."""
    if not conversation:
        return AtHand(hot=hot_block(owner, upto=None, most_tokens=hot_room(room)))
    talk = history.conversation_of(owner, conversation)
    return _read(owner, conversation, None, hot_block(owner, upto=talk.hot_upto, most_tokens=hot_room(room)))


def _fixed(owner: Account, conversation: str, asked: int) -> int | None:
    """Set once: a prompt that is made at the same time keeps to the first.

    What the message itself had saved is told in its own turn.
    """
    talk = Conversation.objects.of(owner).filter(pk=conversation)
    upto = talk.values_list("hot_upto", flat=True).first()
    if upto is None and is_on():
        talk.filter(hot_upto=None).update(hot_upto=newest(owner, but_from=asked))
        upto = talk.values_list("hot_upto", flat=True).first()
    return upto


def _read(owner: Account, conversation: str, upto: int | None, hot: HotBlock) -> AtHand:
    seen = history.window(owner, conversation, upto=upto)
    past = turns(
        Earlier(row.role, row.content, row.state, row.answered, row.model, row.run_id) for row in seen.messages
    )
    zone = zone_of(owner.time_zone)
    return AtHand(past, [_pointer(row, f"{row.created_at.astimezone(zone):%Y-%m-%d}") for row in seen.pointers], hot)


def _pointer(row: Message, day: str) -> Datum:
    return Datum(f"written by Forge, {day}", row.content)
