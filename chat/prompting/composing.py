"""A turn's prompt: what memory gave, as data, the history that still fits, and what had to be left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from django.utils import timezone

from chat.answering import Answering
from chat.domain.budget import Fit, fit
from chat.domain.frames import Context
from chat.domain.prompts import Notes, assembled, turn_text
from chat.prompting import given
from chat.prompting.at_hand import at_hand
from chat.prompting.packing import due_datum, packed
from chat.prompting.pieces import Counted, Pieces, messages_in, near_of
from chat.prompting.sizes import AROUND, count, estimated, sizes
from chat.prompting.system import System, left_by, own_text, with_memory
from chat.prompting.too_large import todos_too_large, too_large
from chat.threads import long
from forgesite.errors import ForgeError
from forgesite.language import zone_of
from forgesite.lib.language_models import Prompt, Said, Tool
from memory.domain.fence import fenced
from memory.finding.opening import with_opened
from memory.finding.plain_rows import TASKS
from memory.hot_block import HotBlock
from memory.recall import Recalled, Row

if TYPE_CHECKING:
    from chat.progress import Progress
    from forgesite.models import Account

#: A plan that takes less than this of the room needs no second look, and none is looked at more often than this.
SPARE, REFITS = 0.9, 3


@dataclass(frozen=True)
class Done:
    """What our code did before the model answers. `recalled` None: memory was not asked."""

    recalled: Recalled | None = None
    saved: Sequence[str] = ()
    refused: Sequence[str] = ()


@dataclass(frozen=True)
class Composed:
    """`recalled` without the rows that the hot block holds, or that the prompt has no room for."""

    prompt: Prompt
    context: Context
    recalled: Recalled | None
    hot: HotBlock


def today(owner: Account) -> date:
    return timezone.now().astimezone(zone_of(owner.time_zone)).date()


async def composed(
    progress: Progress, model: Answering, done: Done, *, tools: Sequence[Tool] = (), envelope: bool = False
) -> Composed:
    """With `envelope` the tools are told in the system message, and else go beside the messages.

    Raises ContextOverflowError where the open todos do not fit, and TooLargeError where the window cannot hold the turn
    itself: it was changed since the message came.
    """
    begun = progress.begun
    own = own_text(tools, envelope=envelope)
    left = await left_by(own, model.room)
    hand = await long(at_hand, progress.owner, begun.conversation, upto=begun.message, room=left)
    system = await with_memory(own, hand, left)
    recalled = await long(with_opened, progress.owner, done.recalled, hand.hot, progress.text)
    notes, found = _notes(progress, replace(done, recalled=recalled), hand.hot)
    near, so_far = near_of(hand.past, model.room), await _end_of(begun.so_far, model.room // 2)
    pieces = Pieces(system, turn_text(progress.text, _cut(notes, 0)), near, notes.rows or (), so_far)
    counted = pieces.split(await sizes(model.door, pieces.texts))
    room, earlier = model.room, len(hand.past) - len(near)
    for _again in range(REFITS):
        if (kept := fit(room, counted.fixed, counted.rows, counted.turns, earlier=earlier)) is None:
            raise await _refused(progress, notes, found, counted.fixed, model)
        turn = turn_text(progress.text, _cut(notes, kept.rows))
        said = assembled(hand.past[kept.turns :], turn, system=system.text, so_far=so_far)
        tokens = await _tokens(model, system, said, counted, replace(kept, turns=kept.turns - earlier))
        if tokens <= model.room:
            break
        room -= tokens - model.room
    assert kept is not None
    context = Context(
        prompt_tokens=tokens,
        hot_block_tokens=counted.hot,
        history_tokens=sum(counted.turns[kept.turns - earlier :]),
        history_messages=messages_in(hand.past[kept.turns :]),
        context_limit=model.window.tokens,
        estimated=counted.estimated or model.window.estimated,
        left_out=messages_in(hand.past[: kept.turns]),
    )
    prompt = Prompt(said, model.most_tokens, tools=() if envelope else tuple(tools))
    return Composed(prompt, context, _fitted(found, kept.rows), hand.hot)


async def _tokens(model: Answering, system: System, said: Sequence[Said], counted: Counted, kept: Fit) -> int:
    """What was planned, where there is room to spare; else as the server counts the whole prompt.

    The plan shares out what the server said of many texts at once, and a share may be some tokens off.
    """
    planned = counted.fixed + sum(counted.rows[: kept.rows]) + sum(counted.turns[kept.turns :])
    if counted.estimated or planned <= model.room * SPARE:
        return planned
    tokens = await count(model.door, "\n".join([system.beside, *(one.content for one in said)]))
    return planned if tokens is None else tokens + AROUND * len(said)


def _notes(progress: Progress, done: Done, hot: HotBlock) -> tuple[Notes, Recalled | None]:
    """What the turn is told, with every row that the recall gave; and the recall without those of the block."""
    listed = bool(hot.text) and not hot.left_out
    notes = Notes(
        today(progress.owner), None, done.saved, done.refused, listed=listed, later=hot.newer if hot.text else 0
    )
    if done.recalled is None:
        return notes, None
    above = [row.entry.pk for row in given.given(done.recalled) if row.entry.pk in hot.texts and _answers(row)]
    found = packed(given.without(done.recalled, hot.texts, given.HOT))
    zone = zone_of(progress.owner.time_zone)
    todos = [due_datum(row, zone) for row in given.given(found) if row.channel == TASKS]
    return replace(notes, rows=[given.datum(row) for row in _optional(found)], above=above, todos=todos), found


def _answers(row: Row) -> bool:
    """A todo stands first whatever was asked."""
    return row.tells or row.channel != TASKS


def _optional(found: Recalled) -> list[Row]:
    """What a prompt has without room for it."""
    return [row for row in given.given(found) if row.channel != TASKS]


async def _refused(
    progress: Progress, notes: Notes, found: Recalled | None, fixed: int, model: Answering
) -> ForgeError:
    """Names what does not fit: the turn, or the todos that come with it."""
    [todos] = await estimated([fenced(notes.todos) if notes.todos else ""])
    if found is None or not notes.todos or fixed - todos > model.room:
        return too_large(progress.text, 0, model)
    return todos_too_large([row for row in found.rows if row.channel == TASKS], model)


def _cut(notes: Notes, rows: int) -> Notes:
    """With so many of its rows, the first ones."""
    return replace(notes, rows=None if notes.rows is None else notes.rows[:rows])


async def _end_of(so_far: str, most: int) -> str:
    """An answer that has grown long goes on from its end: what comes before it may be cut, visibly."""
    [tokens] = await estimated([so_far])
    return so_far if tokens <= most else "… " + so_far[-(len(so_far) * most // tokens) :]


def _fitted(found: Recalled | None, rows: int) -> Recalled | None:
    if found is None:
        return None
    gone = {row.entry.pk for row in _optional(found)[rows:]}
    return given.without(found, gone, given.PROMPT) if gone else found
