"""A turn from its outcome: what REST, `ask` and the terminal need, who read no frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from chat.domain.frames import Accepted, Delta, Done, Failed, Frame, Refused, Saved, Step, Stopped, Unsaid
from chat.hub import hub
from chat.turn_request import TurnRequest


@dataclass(frozen=True)
class TurnResult:
    output: str
    ok: bool
    not_answered: str | None
    error: dict[str, Any] | None
    run_id: str
    conversation: str
    message_id: int
    steps: tuple[dict[str, Any], ...]
    saved: tuple[dict[str, Any], ...]
    refused: tuple[dict[str, Any], ...]
    usage: dict[str, Any]


async def complete(request: TurnRequest) -> TurnResult:
    """Run the turn to its end. Raises ForgeError where no run was begun: empty, too large, unknown, busy."""
    return outcome(await hub.drain(request))


def outcome(frames: list[Frame]) -> TurnResult:
    """`message_id` is the answer's. One that failed has `ok` false and an error."""
    accepted = next(frame for frame in frames if isinstance(frame, Accepted))
    last = frames[-1]
    return TurnResult(
        output=said(frames),
        ok=not isinstance(last, Failed),
        not_answered=_not_answered(last),
        error={"code": last.code, "message": last.message} if isinstance(last, Failed) else None,
        run_id=accepted.run,
        conversation=accepted.conversation,
        message_id=accepted.answer_id,
        steps=tuple(frame.wire() for frame in frames if isinstance(frame, Step) and frame.state != "running"),
        saved=tuple(frame.wire() for frame in frames if isinstance(frame, Saved)),
        refused=tuple(frame.wire() for frame in frames if isinstance(frame, Refused)),
        usage=last.usage if isinstance(last, Done) else {},
    )


def said(frames: Sequence[Frame]) -> str:
    """The text of an answer, without what turned out to be thinking."""
    taken_back = max((number for number, frame in enumerate(frames) if isinstance(frame, Unsaid)), default=0)
    return "".join(frame.text for frame in frames[taken_back:] if isinstance(frame, Delta))


def _not_answered(last: Frame) -> str | None:
    if isinstance(last, Stopped):
        return "stopped"
    return last.not_answered if isinstance(last, Done) else None
