"""What leans on an entry: the answers that were given it, and the golden questions that it is right for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max

from forgesite.models import Account
from forgesite.owned import owner_id
from memory.models import GoldenEntry, ReceiptEntry
from retention.models import Proposal


@dataclass(frozen=True)
class Uses:
    """How many answers were given an entry and when the last of them was, and the golden questions it is right for."""

    receipts: int = 0
    golden: tuple[str, ...] = ()
    last: datetime | None = None


def uses(owner: Account, some: Sequence[Proposal]) -> dict[int, Uses]:
    """By entry, of all that these proposals name. Two queries for all of them."""
    ids = {pk for proposal in some for pk in (proposal.memory_id, proposal.related_id) if pk}
    given = ReceiptEntry.objects.filter(entry__in=ids, receipt__owner=owner_id(owner)).values("entry").order_by()
    counted = {row["entry"]: row for row in given.annotate(times=Count("id"), last=Max("receipt__at"))}
    golden: dict[int, list[str]] = {}
    right = GoldenEntry.objects.filter(entry__in=ids, question__owner=owner_id(owner)).select_related("question")
    for row in right.order_by("question_id"):
        golden.setdefault(row.entry_id, []).append(row.question.text)
    return {pk: _uses(counted.get(pk, {"times": 0, "last": None}), golden.get(pk, ())) for pk in ids}


def _uses(counted: dict[str, object], golden: Sequence[str]) -> Uses:
    times, last = counted["times"], counted["last"]
    assert isinstance(times, int)
    assert last is None or isinstance(last, datetime)
    return Uses(times, tuple(golden), last)
