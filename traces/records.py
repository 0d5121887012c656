"""A run in the shape that the API, the JSON lines and the page share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from traces.models import Run, Step

if TYPE_CHECKING:
    from forgesite.models import Account


def record(run: Run, steps: Iterable[Step] | None = None) -> dict[str, Any]:
    """`steps` where the caller has them at hand; else they are read."""
    return {
        "run_id": run.run_id,
        "timestamp": run.started_at.isoformat(timespec="milliseconds"),
        "conversation": run.conversation,
        "user_input_preview": run.user_input_preview,
        "steps": [_step(step) for step in (run.steps.all() if steps is None else steps)],
        "final_tool": run.final_tool,
        "ok": run.ok,
        "not_answered": run.not_answered or None,
        "not_indexable": run.not_indexable or None,
        "degraded": run.degraded or None,
        "error": run.error,
        "total_ms": run.total_ms,
        "llm": run.llm,
        "receipt": run.receipt or None,
    }


def _step(step: Step) -> dict[str, Any]:
    return {
        "step": step.step,
        "tool": step.tool,
        "preview": step.preview,
        "ok": step.ok,
        "error": step.error or None,
        "duration_ms": step.duration_ms,
        "detail": step.detail,
    }


def newest(owner: Account, n: int) -> list[Run]:
    """The last `n` runs, oldest first."""
    found = Run.objects.of(owner).order_by("-started_at", "-id").prefetch_related("steps")[: max(n, 0)]
    return list(reversed(found))


def run_of(owner: Account, run_id: str) -> Run:
    """Raises UnknownError, also where the run is somebody else's."""
    run: Run = Run.objects.one_of(owner, run_id=run_id)
    return run
