"""A turn's prompt: what memory gave, as data, the history that still fits, and what had to be left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import accumulate
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _

from chat import given, history
from chat.answering import Answering
from chat.domain.budget import fit
from chat.domain.frames import Context
from chat.domain.past import Earlier, Turn, turns
from chat.domain.prompts import GO_ON, PREAMBLE, Notes, assembled, turn_text
from chat.domain.quoting import clip
from chat.sizes import AROUND, Sizes, count, estimated, sizes
from chat.threads import long
from forgesite.errors import TooLargeError
from forgesite.lib.language_models import Prompt, Said
from memory.domain.fence import Datum, shown
from memory.recall import Recalled, Row

if TYPE_CHECKING:
    from chat.progress import Progress
    from forgesite.models import Account

#: Characters of an entry that a prompt shows, around what matched.
SHOWN = 2000
#: The two lines of a fence.
FENCE = 40
#: A text that has more characters than this for each token that fits is too large, whatever the tokenizer.
DENSEST = 24
#: The same for a whole history: no text that people write to each other comes near it.
DENSE = 8
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
    """`recalled` without the rows that the prompt has no room for."""

    prompt: Prompt
    context: Context
    recalled: Recalled | None


def today(owner: Account) -> date:
    return timezone.now().astimezone(ZoneInfo(owner.time_zone)).date()


async def refuse_too_large(model: Answering, owner: Account, text: str) -> None:
    """Raises TooLargeError for a text that a prompt of this model cannot hold, whatever else is left out."""
    bare = turn_text("", Notes(today(owner), []))
    fixed = sum(await estimated([PREAMBLE, bare])) + 2 * AROUND
    room = model.room - fixed
    if len(text) > room * DENSEST:
        raise _too_large(text, max(0, room) * 3, model)
    # The estimate is on the safe side: where it fits, nobody needs to be asked.
    [tokens] = await estimated([text])
    if tokens > room:
        [tokens] = (await sizes(model.door, [text])).tokens
        if tokens > room:
            raise _too_large(text, _bytes(text) * max(0, room) // tokens, model)


def _too_large(text: str, limit: int, model: Answering) -> TooLargeError:
    size, window = _bytes(text), model.window.tokens
    message = _(
        "The message has %(size)s bytes. About %(limit)s fit into the model's window of %(window)s tokens beside the "
        "answer. Shorten it, or send it in parts."
    ) % {"size": f"{size:,}", "limit": f"{limit:,}", "window": f"{window:,}"}
    return TooLargeError(message, detail={"size": size, "limit": limit})


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


async def composed(progress: Progress, model: Answering, done: Done) -> Composed:
    """Raises TooLargeError where the window cannot hold the turn itself: it was changed since the message came."""
    past = await long(_past, progress.owner, progress.begun.conversation, progress.begun.message)
    near = _newest(past, model.room)
    rows = _data(done.recalled)
    so_far = await _end_of(progress.begun.so_far, model.room // 2)
    counted = await sizes(model.door, _texts(progress, done, so_far, rows, near))
    fixed, for_rows, for_turns = _split(counted, len(rows), near, bool(so_far))
    room = model.room
    for _again in range(REFITS):
        if (kept := fit(room, fixed, for_rows, for_turns, earlier=len(past) - len(near))) is None:
            raise _too_large(progress.text, 0, model)
        notes = Notes(today(progress.owner), rows[: kept.rows] if done.recalled else None, done.saved, done.refused)
        said = assembled(past[kept.turns :], turn_text(progress.text, notes), so_far=so_far)
        history_tokens = sum(for_turns[len(for_turns) - (len(past) - kept.turns) :])
        planned = fixed + sum(for_rows[: kept.rows]) + history_tokens
        tokens = planned if counted.estimated else await _exactly(model, said, planned)
        if tokens <= model.room:
            break
        room -= tokens - model.room
    assert kept is not None
    context = Context(
        prompt_tokens=tokens,
        hot_block_tokens=0,
        history_tokens=history_tokens,
        history_messages=_messages(past[kept.turns :]),
        context_limit=model.window.tokens,
        estimated=counted.estimated or model.window.estimated,
        left_out=_messages(past[: kept.turns]),
    )
    return Composed(Prompt(said, model.most_tokens), context, _fitted(done.recalled, kept.rows))


async def _exactly(model: Answering, said: Sequence[Said], planned: int) -> int:
    """What was planned, where there is room to spare; else as the server counts the whole prompt.

    The plan shares out what the server said of many texts at once, and a share may be some tokens off.
    """
    if planned <= model.room * SPARE:
        return planned
    tokens = await count(model.door, "\n".join(one.content for one in said))
    return planned if tokens is None else tokens + AROUND * len(said)


def _past(owner: Account, conversation: str, upto: int) -> list[Turn]:
    return turns(
        Earlier(row.role, row.content, row.state, row.answered, row.model, row.run_id)
        for row in history.branch(owner, conversation, upto=upto)
    )


def _newest(past: Sequence[Turn], room: int) -> Sequence[Turn]:
    """As many as could fit: what is older needs no counting."""
    totals = accumulate(sum(len(said.content) for said in turn.messages) for turn in reversed(past))
    return past[len(past) - sum(total <= room * DENSE for total in totals) :]


def _data(found: Recalled | None) -> list[Datum]:
    return [_datum(row) for row in given.given(found)] if found else []


def _datum(row: Row) -> Datum:
    entry = row.entry
    text = clip(entry.text, row.matched_terms, SHOWN)
    project = f" in {entry.project}" if entry.project else ""
    part = "" if text == entry.text else ", a part of it"
    return Datum(f"#{entry.pk} {entry.kind}{project}, {entry.said_at:%Y-%m-%d}{part}", text)


async def _end_of(so_far: str, most: int) -> str:
    """An answer that has grown long goes on from its end: what comes before it may be cut, visibly."""
    [tokens] = await estimated([so_far])
    return so_far if tokens <= most else "… " + so_far[-(len(so_far) * most // tokens) :]


def _texts(progress: Progress, done: Done, so_far: str, rows: Sequence[Datum], near: Sequence[Turn]) -> list[str]:
    notes = Notes(today(progress.owner), [] if done.recalled else None, done.saved, done.refused)
    beside = [so_far, GO_ON] if so_far else ["", ""]
    return [PREAMBLE, turn_text(progress.text, notes), *beside, *map(shown, rows), *map(_text, near)]


def _split(counted: Sizes, rows: int, near: Sequence[Turn], going_on: bool) -> tuple[int, list[int], list[int]]:
    """What has to fit, what each row takes, and what each turn does."""
    tokens = counted.tokens
    fixed = sum(tokens[:4]) + (4 if going_on else 2) * AROUND + (FENCE if rows else 0)
    history_tokens = zip(tokens[4 + rows :], near, strict=True)
    return (
        fixed,
        [size + 1 for size in tokens[4 : 4 + rows]],
        [size + len(turn.messages) * AROUND for size, turn in history_tokens],
    )


def _text(turn: Turn) -> str:
    return "\n".join(said.content for said in turn.messages)


def _messages(past: Sequence[Turn]) -> int:
    return sum(len(turn.messages) for turn in past)


def _fitted(found: Recalled | None, rows: int) -> Recalled | None:
    if found is None:
        return None
    gone = {row.entry.pk for row in given.given(found)[rows:]}
    return given.without(found, gone, given.PROMPT) if gone else found
