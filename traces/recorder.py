"""Collects what a run does, in memory, and saves it once: rows, and one JSON line."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from traces.jsonl import append, file_of
from traces.models import Run, Step
from traces.records import record

if TYPE_CHECKING:
    from forgesite.models import Account

log = logging.getLogger(__name__)
PREVIEW = 120


def preview(text: str, length: int = PREVIEW) -> str:
    """One line of at most `length` characters, its cut visible."""
    line = " ".join(text[: length * 8].split())
    return line if len(line) <= length else f"{line[: length - 1]}…"


@dataclass
class StepRecord:
    tool: str
    preview: str
    detail: dict[str, Any] = field(default_factory=dict)
    ok: bool = True
    error: str = ""
    duration_ms: int = 0

    def fail(self, error: object) -> None:
        self.ok, self.error = False, str(error)[:500]


class Recorder:
    def __init__(self, owner: Account, *, run_id: str, conversation: str, text: str) -> None:
        self.owner, self.run_id, self.conversation = owner, run_id, conversation
        self.user_input_preview = preview(text)
        self.steps: list[StepRecord] = []
        self.started_at, self._clock = timezone.now(), time.monotonic()

    @contextmanager
    def step(self, tool: str, shown: str = "") -> Iterator[StepRecord]:
        """Times what runs inside. An exception marks the step failed and goes on its way."""
        step, began = StepRecord(tool, preview(shown)), time.monotonic()
        self.steps.append(step)
        try:
            yield step
        except BaseException as error:
            step.fail(error or type(error).__name__)
            raise
        finally:
            step.duration_ms = round((time.monotonic() - began) * 1000)

    def finish(
        self,
        *,
        ok: bool,
        not_answered: str = "",
        not_indexable: str = "",
        error: dict[str, Any] | None = None,
        degraded: str = "",
        final_tool: str = "",
        llm: dict[str, Any] | None = None,
        receipt: str = "",
    ) -> None:
        """Save the run. Never raises: a trace that cannot be written is logged, and the turn goes on.

        `receipt`: the address of its last one.
        """
        if not settings.FORGE.TRACE_ENABLED:
            return
        run = Run(
            owner=self.owner,
            run_id=self.run_id,
            conversation=self.conversation,
            started_at=self.started_at,
            user_input_preview=self.user_input_preview,
            final_tool=final_tool or (self.steps[-1].tool if self.steps else ""),
            ok=ok,
            not_answered=not_answered[:100],
            not_indexable=not_indexable[:100],
            degraded=degraded[:200],
            error=error,
            total_ms=round((time.monotonic() - self._clock) * 1000),
            llm=llm,
            receipt=receipt,
        )
        try:
            self._save(run)
        except Exception:
            log.exception("trace not written run=%s", self.run_id)

    def _save(self, run: Run) -> None:
        with transaction.atomic():
            run.save()
            steps = [
                Step(
                    run=run,
                    step=number,
                    tool=step.tool,
                    preview=step.preview,
                    ok=step.ok,
                    error=step.error,
                    duration_ms=step.duration_ms,
                    detail=step.detail,
                )
                for number, step in enumerate(self.steps, 1)
            ]
            Step.objects.bulk_create(steps)
        append(file_of(self.owner), json.dumps(record(run, steps) | {"owner": run.owner_id}, ensure_ascii=False))
