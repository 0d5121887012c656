"""One call of a tool, carried out: the rules, the store, and the step of the trace that it leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chat.domain.frames import Step
from chat.threads import long, whole
from chat.tool_use.calls import KEPT, Call, Performed
from chat.tool_use.reads import got, recalled, searched
from chat.tool_use.writes import written
from forgesite.errors import ForgeError
from traces.recorder import preview

if TYPE_CHECKING:
    from chat.progress import Progress
    from traces.recorder import StepRecord

#: By what each tool's step is named in one line.
SHOWN = {"remember": "content", "recall": "query", "memory_search": "query", "memory_get": "id"}


def shown(call: Call) -> str:
    return preview(str(call.arguments.get(SHOWN.get(call.name, ""), "")) or call.raw)


async def carried_out(progress: Progress, call: Call, *, complete: bool, room: int) -> tuple[Performed, Step]:
    """What came of it, and the frame that says so. A write is waited for, whatever is cancelled meanwhile."""
    with progress.recorder.step(call.name if call.name in SHOWN else "tool", shown(call)) as step:
        if call.wrong:
            done = _wrong(call, step)
        else:
            work = long(perform, progress, call, step, complete=complete, room=room)
            done = await (whole(work) if call.name == "remember" else work)
    state = "failed" if not step.ok else "empty" if done.empty else "done"
    return done, Step(step.tool, state, step.preview)


def _wrong(call: Call, step: StepRecord) -> Performed:
    step.fail(call.wrong)
    step.detail["raw"] = call.raw[:KEPT] + ("…" if len(call.raw) > KEPT else "")
    return Performed(f"[error] {call.wrong}")


def perform(progress: Progress, call: Call, step: StepRecord, *, complete: bool = False, room: int) -> Performed:
    """`complete`: the prompt holds all that memory does. `room`: tokens that a result may have.

    An error is a result like any other, for the model; nothing was stored then.
    """
    given = call.arguments
    try:
        match call.name:
            case "remember":
                return written(progress, given, step, complete=complete, room=room)
            case "recall":
                return recalled(progress, given, step, complete=complete, room=room)
            case "memory_search":
                return searched(progress, given, step, room=room)
            case _:
                return got(progress, given, step, room=room)
    except ForgeError as error:
        step.fail(error.message)
        return Performed(f"[error] {error.message}", spoken=f"[error] {error.message}")
