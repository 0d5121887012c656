"""Questions of calibrations that quote a forgotten text, or that it was the answer to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import TextField
from django.db.models.functions import Cast

from forgesite.erasing import Plan
from forgesite.holding import holding
from forgesite.lib.masking import Texts, masked_json
from memory.models import Calibration

if TYPE_CHECKING:
    from forgesite.models import Account


def plan(owner: Account, texts: Texts) -> Plan:
    """They are masked; the distances stay, and so does the cutoff that was measured."""
    rows = Calibration.objects.of(owner).annotate(words=Cast("asked", TextField()))
    after: dict[int, tuple[Any, Any]] = {
        pk: (asked, masked_json(asked, texts)) for pk, _words, asked in holding(rows, ["words"], texts, ["asked"])
    }
    changed = {pk: new for pk, (old, new) in after.items() if new != old}

    def write() -> None:
        for pk, asked in changed.items():
            Calibration.objects.of(owner).filter(pk=pk).update(asked=asked)

    return Plan(write, {"calibrations": len(changed)})
