"""A turn that a model answers: what was to be saved is saved first, then memory is asked, then the model."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from django.conf import settings

from chat.domain.frames import Delta, Frame, Refused, Saved, Step
from chat.domain.route import Save, asks
from chat.expanding import rewriting
from chat.progress import Said, together
from chat.prompting.composing import Done
from chat.prompting.given import SAVED, given_frame, keep_in, saved_note, without
from chat.saving import kind_of, save
from chat.threads import long, whole
from chat.tool_use.loop import Asking, begun
from memory.recall import Query, recall

if TYPE_CHECKING:
    from chat.answering import Answering
    from chat.progress import Progress
    from traces.recorder import StepRecord


async def by_model(progress: Progress, model: Answering) -> AsyncGenerator[Frame, None]:
    """A continued answer begins with its text so far. Raises ModelFailedError, after what the model had said."""
    progress.said = Said("", indexable=True)
    if progress.begun.so_far:
        yield Delta(progress.begun.so_far)
    elif isinstance(progress.way, Save):
        yield Step("remember", "running")
        yield await _remembered(progress, progress.way)
        for frame in progress.said.frames:
            yield frame
    if _recalls():
        yield Step("recall", "running")
    asking = await _composed(progress, model)
    ready = asking.prompt.ready
    if ready.recalled:
        yield Step("recall", "empty" if ready.recalled.nothing else "done", " ".join(ready.recalled.notices))
        yield given_frame(ready.recalled, ready.hot)
    async with aclosing(asking.answer()) as frames:
        async for frame in frames:
            yield frame


async def _remembered(progress: Progress, way: Save) -> Step:
    with progress.recorder.step("remember", progress.text) as step:
        await whole(long(_save, progress, way, step))
    return Step("remember", "done" if step.ok else "failed", step.preview)


def _save(progress: Progress, way: Save, step: StepRecord) -> None:
    """Kept in `progress` and not returned: a stop in between loses no record of a write."""
    said = [save(progress, words, step, kind=kind_of(words, way), question=asks(words)) for words in way.words]
    told = together([_refused(one, words) for one, words in zip(said, way.words, strict=True)])
    progress.said = replace(told, indexable=True)


def _refused(said: Said, words: str) -> Said:
    """What our own code would say as the answer, as a frame: here the model answers."""
    if said.frames:
        return said
    return replace(said, frames=(Refused(said.not_answered, words, message=said.text),))


async def _composed(progress: Progress, model: Answering) -> Asking:
    done, step = _done(progress), None
    if _recalls():
        with progress.recorder.step("recall", progress.text) as step:
            query = Query(_asked(progress), for_prompt=True)
            found = await long(recall, progress.owner, query, rewrite=rewriting(progress))
            done = replace(done, recalled=without(found, _saved_ids(progress), SAVED))
        progress.said = replace(progress.said or Said(""), degraded=found.degraded)
    asking = await begun(progress, model, done)
    ready = asking.prompt.ready
    if step and ready.recalled:
        keep_in(progress, step, ready.recalled, ready.hot)
    progress.gathered.hot = ready.hot
    progress.given |= ready.hot.texts
    return asking


def _recalls() -> bool:
    return settings.FORGE.RECALL_AUTO and settings.FORGE.MEMORY_ENABLED


def _asked(progress: Progress) -> str:
    beside = progress.way.beside if isinstance(progress.way, Save) else ""
    return beside or progress.text


def _done(progress: Progress) -> Done:
    frames = progress.said.frames if progress.said else ()
    saved = [saved_note(frame.entry, progress.text) for frame in frames if isinstance(frame, Saved)]
    return Done(None, saved, [frame.message for frame in frames if isinstance(frame, Refused)])


def _saved_ids(progress: Progress) -> set[int]:
    """Their words are in the person's message: an entry is in a prompt at most once."""
    frames = progress.said.frames if progress.said else ()
    return {frame.entry["id"] for frame in frames if isinstance(frame, Saved)}
