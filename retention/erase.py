"""Takes forgotten texts out of what was proposed as a new entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from forgesite.erasing import Plan
from forgesite.holding import holding
from forgesite.lib.masking import Texts, masked
from retention.models import Action, Proposal, Status

if TYPE_CHECKING:
    from forgesite.models import Account


def plan(owner: Account, texts: Texts) -> Plan:
    """Every quotation becomes `[forgotten #id]`, and what waited with it waits no more. Its digest goes too."""
    rows = Proposal.objects.of(owner).filter(action=Action.NEW)
    found = {pk: (text, masked(text, texts)) for pk, text in holding(rows, ["text"], texts)}
    changed = {pk: new for pk, (text, new) in found.items() if new != text}

    def write() -> None:
        for pk, text in changed.items():
            Proposal.objects.filter(pk=pk).update(text=text, seen={})
        waiting = Proposal.objects.filter(pk__in=changed, status=Status.PROPOSED)
        waiting.update(status=Status.DISMISSED, decided_at=timezone.now())

    return Plan(write, {"proposals": len(changed)})
