"""Takes forgotten texts out of what traces show: the table's previews and the JSON lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeAlias

from django.db.models import TextField
from django.db.models.functions import Cast

from forgesite.erasing import Plan
from forgesite.holding import holding
from forgesite.lib.masking import Texts, masked, masked_json
from traces.jsonl import file_of, rewrite, would_change
from traces.models import Run, Step

if TYPE_CHECKING:
    from forgesite.models import Account


#: The fields of a row that change, by its id.
Changes: TypeAlias = "dict[int, dict[str, Any]]"


def plan(owner: Account, texts: Texts) -> Plan:
    """Every quotation becomes `[forgotten #id]`. The file is rewritten last: rows can be rolled back, lines cannot."""
    runs, steps, file = _runs(owner, texts), _steps(owner, texts), file_of(owner)
    forms = _forms(texts)

    def change(line: str) -> str:
        return _line(line, owner, texts) if any(form in line for form in forms) else line

    def write() -> None:
        for model, rows in ((Run, runs), (Step, steps)):
            for pk, fields in rows.items():
                model._base_manager.filter(pk=pk).update(**fields)
        rewrite(file, change)

    return Plan(write, {"trace_rows": len(runs) + len(steps), "trace_lines": would_change(file, change)})


def leave(owner: Account) -> None:
    """Take the account's lines out of a file that it shares with others."""
    rewrite(file_of(owner), lambda line: line if _of(line) != owner.pk else "")


def _runs(owner: Account, texts: Texts) -> Changes:
    runs = Run.objects.of(owner).annotate(kept=Cast("error", TextField()))
    changes: Changes = {}
    for pk, preview, _kept, error in holding(runs, ["user_input_preview", "kept"], texts, ["error"]):
        new = {"user_input_preview": masked(preview, texts)[:120], "error": masked_json(error, texts)}
        if new != {"user_input_preview": preview, "error": error}:
            changes[pk] = new
    return changes


def _steps(owner: Account, texts: Texts) -> Changes:
    steps = Step.objects.filter(run__owner=owner).annotate(kept=Cast("detail", TextField()))
    changes: Changes = {}
    for pk, preview, error, _kept, detail in holding(steps, ["preview", "error", "kept"], texts, ["detail"]):
        new = {
            "preview": masked(preview, texts)[:200],
            "error": masked(error, texts)[:500],
            "detail": masked_json(detail, texts),
        }
        if new != {"preview": preview, "error": error, "detail": detail}:
            changes[pk] = new
    return changes


def _forms(texts: Texts) -> list[str]:
    """What a line that quotes one of them holds as it stands; of a text without letters every line is looked at."""
    probes = {text.probes[0] if text.probes else "" for text in texts}
    return sorted(probes | {json.dumps(probe)[1:-1] for probe in probes})


def _line(line: str, owner: Account, texts: Texts) -> str:
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
