"""What a turn does between its first frame and its exit: one way for each route."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import Any

from django.utils.translation import gettext as _

from chat import answer
from chat.commands.table import WRITING, carry_out
from chat.commands.todos import todo
from chat.domain.frames import Frame, Step
from chat.domain.route import Ask, Command, Erase, Route, Save, SaveLast, Tell, asks
from chat.domain.todos_asked import asks_for_todos
from chat.model_reply import by_model
from chat.progress import Progress, Said, together
from chat.prompting.given import given_frame, keep_in
from chat.prompting.packing import packed
from chat.saving import kind_of, last_said, save
from chat.threads import long, whole
from chat.unmarked import unmarked
from forgesite.errors import ConflictError
from memory.domain.questions import explicit_asks, statements
from memory.listing import entry_of
from memory.policies import POLICIES
from memory.recall import Query, Recalled, recall
from traces.recorder import StepRecord


def for_model(way: Route) -> bool:
    """Would a model answer this, if there is one? Commands, plain saves and asks to forget are answered by our own
    code: a model can forget nothing, and might say that it did.
    """
    return not isinstance(way, (Command, Erase, SaveLast)) and not (isinstance(way, Save) and way.only)


def reply(progress: Progress) -> AsyncGenerator[Frame, None]:
    """Frames of what is done, and the answer's text as deltas."""
    return unmarked(by_model(progress, progress.model)) if progress.model else by_code(progress)


async def by_code(progress: Progress) -> AsyncGenerator[Frame, None]:
    """The built-in responder, word by word."""
    way = progress.way
    if progress.begun.so_far:
        raise ConflictError(_("No model is connected that could go on with this answer. Ask for a new one instead."))
    tool, writes = _named(way)
    yield Step(tool, "running")
    with progress.recorder.step(tool, progress.text) as step:
        work = long(_do, progress, way, step)
        await (whole(work) if writes else work)
    said = progress.said or Said("")
    yield Step(tool, "done" if step.ok else "failed", step.preview)
    for frame in said.frames:
        yield frame
    for delta in answer.spoken(said.text):
        yield delta


def _named(way: Route) -> tuple[str, bool]:
    """What the step is called, and whether it may write."""
    if isinstance(way, Command):
        return f"!{way.name}"[:40], way.name in WRITING
    return ("remember", True) if isinstance(way, (Save, SaveLast)) else ("recall", False)


def _do(progress: Progress, way: Route, step: StepRecord) -> None:
    """Kept in `progress` and not returned: a stop in between loses no record of a write."""
    progress.said = WAYS[type(way)](progress, way, step)


def _ask(progress: Progress, way: Ask, step: StepRecord) -> Said:
    if asks_for_todos(progress.text):
        return todo(progress, "", step)
    found = _recalled(progress, step)
    text = answer.nothing_found(found, question=way.question) if found.nothing else answer.from_memory(found)
    return Said(text, (given_frame(found),), "no memory" if found.nothing else "", found.degraded)


def _tell(progress: Progress, _way: Tell, step: StepRecord) -> Said:
    found = _recalled(progress, step)
    text = answer.not_saved(progress.text, found)
    return Said(text, (given_frame(found),), "no model" if found.nothing else "", found.degraded, indexable=True)


def _erase(progress: Progress, way: Erase, step: StepRecord) -> Said:
    """Shows what it would be, and how it goes. Nothing is forgotten by a sentence: it could not be taken back."""
    if way.entry:
        return Said(answer.to_forget_one(entry_of(progress.owner, way.entry)))
    found = _recalled(progress, step, way.about)
    text = answer.nothing_found(found) if found.nothing else answer.to_forget(found)
    return Said(text, (given_frame(found),), "no memory" if found.nothing else "", found.degraded)


def _recalled(progress: Progress, step: StepRecord, text: str = "") -> Recalled:
    found = recall(progress.owner, Query(text or progress.text, for_prompt=True, beside_todos=True))
    found = packed(found) if POLICIES[found.policy].packed else found
    keep_in(progress, step, found)
    return found


def _save(progress: Progress, way: Save, step: StepRecord) -> Said:
    """Each ask is saved or refused, and the questions beside them are answered."""
    said = [save(progress, words, step, kind=kind_of(words, way), question=asks(words)) for words in way.words]
    if way.beside:
        found = _recalled(progress, step, way.beside)
        text = answer.nothing_found(found) if found.nothing else answer.from_memory(found)
        said.append(Said(text, (given_frame(found),), degraded=found.degraded))
    return said[0] if len(said) == 1 else together(said)


def _save_last(progress: Progress, _way: SaveLast, step: StepRecord) -> Said:
    before = last_said(progress)
    words = before and ("\n".join(explicit_asks(before.content)) or statements(before.content))
    if before and words:
        return save(progress, words, step, message=before.pk)
    return Said(answer.nothing_to_save())


WAYS: dict[type, Callable[[Progress, Any, StepRecord], Said]] = {
    Ask: _ask,
    Tell: _tell,
    Save: _save,
    SaveLast: _save_last,
    Erase: _erase,
    Command: carry_out,
}
