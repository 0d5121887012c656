"""What a turn does between its first frame and its exit: one way for each route."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import Any

from chat import answer
from chat.commands import carry_out
from chat.domain.frames import Frame, Step
from chat.domain.route import Ask, Command, Save, Tell, route
from chat.given import given_frame, keep_in
from chat.progress import Progress, Said
from chat.saving import save
from chat.threads import long
from memory.recall import Query, Recalled, recall
from traces.recorder import StepRecord


async def reply(progress: Progress) -> AsyncGenerator[Frame, None]:
    """Frames of what is done, then the answer's text as deltas, word by word."""
    way = route(progress.text)
    tool, do = WAYS[type(way)]
    tool = f"!{way.name}"[:40] if isinstance(way, Command) else tool
    yield Step(tool, "running")
    with progress.recorder.step(tool, progress.text) as step:
        await long(_do, do, progress, way, step)
    said = progress.said or Said("")
    yield Step(tool, "done" if step.ok else "failed", step.preview)
    for frame in said.frames:
        yield frame
    for delta in answer.spoken(said.text):
        yield delta


def _do(do: Callable[..., Said], progress: Progress, way: object, step: StepRecord) -> None:
    """Kept in `progress` and not returned: a stop in between loses no record of a write."""
    progress.said = do(progress, way, step)


def _ask(progress: Progress, _way: Ask, step: StepRecord) -> Said:
    found = _recalled(progress, step)
    text = answer.nothing_found(found) if found.nothing else answer.from_memory(found)
    return Said(text, (given_frame(found),), "no memory" if found.nothing else "", found.degraded)


def _tell(progress: Progress, _way: Tell, step: StepRecord) -> Said:
    found = _recalled(progress, step)
    text = answer.not_saved(progress.text, found)
    return Said(text, (given_frame(found),), "no model" if found.nothing else "", found.degraded, indexable=True)


def _recalled(progress: Progress, step: StepRecord) -> Recalled:
    found = recall(progress.owner, Query(progress.text))
    keep_in(step, found)
    return found


def _save(progress: Progress, way: Save, step: StepRecord) -> Said:
    return save(progress, way.words, step, question=way.question)


def _command(progress: Progress, way: Command, step: StepRecord) -> Said:
    return carry_out(progress, way, step)


WAYS: dict[type, tuple[str, Callable[[Progress, Any, StepRecord], Said]]] = {
    Ask: ("recall", _ask),
    Tell: ("recall", _tell),
    Save: ("remember", _save),
    Command: ("command", _command),
}
