"""Takes forgotten texts out of what traces show: the table's previews and the JSON lines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.db.models import TextField
from django.db.models.functions import Cast

from traces.holding import holding
from traces.jsonl import file_of, rewrite
from traces.masking import Forgotten, forgotten, masked, masked_json
from traces.models import Run, Step

if TYPE_CHECKING:
    from forgesite.models import Account

RUN, STEP = ("user_input_preview", "kept"), ("preview", "error", "kept")


def erase(owner: Account, texts: Sequence[str], ids: Sequence[int]) -> None:
    """Every quotation becomes `[forgotten #id]`. Inside the transaction that forgets; the file follows at once."""
    gone = forgotten(texts, ids)
    for run in Run.objects.of(owner).annotate(kept=Cast("error", TextField())).filter(holding(RUN, gone)):
        _run(run, gone)
    steps = Step.objects.filter(run__owner=owner).annotate(kept=Cast("detail", TextField()))
    for step in steps.filter(holding(STEP, gone)):
        _step(step, gone)
    rewrite(file_of(owner), lambda line: _line(line, owner, gone))


def _run(run: Run, gone: Sequence[Forgotten]) -> None:
    preview, error = masked(run.user_input_preview, gone)[:120], masked_json(run.error, gone)
    if (preview, error) != (run.user_input_preview, run.error):
        run.user_input_preview, run.error = preview, error
        run.save(update_fields=["user_input_preview", "error"])


def _step(step: Step, gone: Sequence[Forgotten]) -> None:
    fields: dict[str, Any] = {
        "preview": masked(step.preview, gone)[:200],
        "error": masked(step.error, gone)[:500],
        "detail": masked_json(step.detail, gone),
    }
    if any(getattr(step, name) != value for name, value in fields.items()):
        for name, value in fields.items():
            setattr(step, name, value)
        step.save(update_fields=list(fields))


def _line(line: str, owner: Account, gone: Sequence[Forgotten]) -> str:
    """A line of somebody else, or one that is no JSON, stays as it is."""
    try:
        kept = json.loads(line)
    except ValueError:
        return line
    if not isinstance(kept, dict) or kept.get("owner") != owner.pk:
        return line
    changed = masked_json(kept, gone)
    return line if changed == kept else json.dumps(changed, ensure_ascii=False)
