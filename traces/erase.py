"""Takes forgotten texts out of what traces show: the table's previews and the JSON lines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.db.models import TextField
from django.db.models.functions import Cast

from forgesite.erasing import Plan
from forgesite.holding import holding
from forgesite.lib.masking import Gone, masked, masked_json
from traces.jsonl import file_of, rewrite, would_change
from traces.models import Run, Step

if TYPE_CHECKING:
    from forgesite.models import Account

RUN, STEP = ("user_input_preview", "kept"), ("preview", "error", "kept")


def plan(owner: Account, texts: Sequence[Gone]) -> Plan:
    """Every quotation becomes `[forgotten #id]`. The file is rewritten last: rows can be rolled back, lines cannot."""
    runs = [run for run in _runs(owner, texts) if _run(run, texts)]
    steps = [step for step in _steps(owner, texts) if _step(step, texts)]
    file, forms = file_of(owner), _forms(texts)

    def change(line: str) -> str:
        return _line(line, owner, texts) if any(form in line for form in forms) else line

    def write() -> None:
        for run in runs:
            run.save(update_fields=["user_input_preview", "error"])
        for step in steps:
            step.save(update_fields=["preview", "error", "detail"])
        rewrite(file, change)

    return Plan(write, {"trace_rows": len(runs) + len(steps), "trace_lines": would_change(file, change)})


def leave(owner: Account) -> None:
    """Take the account's lines out of a file that it shares with others."""
    rewrite(file_of(owner), lambda line: line if _of(line) != owner.pk else "")


def _runs(owner: Account, texts: Sequence[Gone]) -> list[Run]:
    return list(holding(Run.objects.of(owner).annotate(kept=Cast("error", TextField())), RUN, texts))


def _steps(owner: Account, texts: Sequence[Gone]) -> list[Step]:
    steps = Step.objects.filter(run__owner=owner).annotate(kept=Cast("detail", TextField()))
    return list(holding(steps, STEP, texts))


def _run(run: Run, texts: Sequence[Gone]) -> bool:
    preview, error = masked(run.user_input_preview, texts)[:120], masked_json(run.error, texts)
    changed = (preview, error) != (run.user_input_preview, run.error)
    run.user_input_preview, run.error = preview, error
    return changed


def _step(step: Step, texts: Sequence[Gone]) -> bool:
    fields: dict[str, Any] = {
        "preview": masked(step.preview, texts)[:200],
        "error": masked(step.error, texts)[:500],
        "detail": masked_json(step.detail, texts),
    }
    changed = any(getattr(step, name) != value for name, value in fields.items())
    for name, value in fields.items():
        setattr(step, name, value)
    return changed


def _forms(texts: Sequence[Gone]) -> list[str]:
    """What a line that quotes one of them holds as it stands; of a text without letters every line is looked at."""
    probes = {text.probe for text in texts}
    return sorted(probes | {json.dumps(probe)[1:-1] for probe in probes})


def _line(line: str, owner: Account, texts: Sequence[Gone]) -> str:
    """A line of somebody else, or one that is no JSON, stays as it is."""
    if _of(line) != owner.pk:
        return line
    kept = json.loads(line)
    changed = masked_json(kept, texts)
    return line if changed == kept else json.dumps(changed, ensure_ascii=False)


def _of(line: str) -> int | None:
    """Whose line it is."""
    try:
        kept = json.loads(line)
    except ValueError:
        return None
    return kept.get("owner") if isinstance(kept, dict) else None
