"""A page of the desk: what a judge's probabilities are worth by one's own decisions on what it proposed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils.safestring import SafeString

from forgesite.models import Account
from memory.desk.charts import of_reliability
from retention.domain.calibration import LEAST, Decided, Share, reliability, share
from retention.models import Action, Proposal, Resolution, Status


@dataclass(frozen=True)
class OfAction:
    """`words`: the action, as the inbox names it."""

    words: Any
    found: Share


@dataclass(frozen=True)
class OfJudge:
    """`bins` and `chart` are empty where fewer than LEAST proposals of the judge were decided."""

    name: str
    found: Share
    actions: tuple[OfAction, ...]
    bins: tuple[Share, ...]
    chart: SafeString | str

    @property
    def missing(self) -> int:
        """How many decisions more would tell something."""
        return max(0, LEAST - self.found.every)


def judges(owner: Account) -> list[OfJudge]:
    """Each with a proposal that was decided, by name; one query."""
    return [_of_judge(name, list(some)) for name, some in groupby(_decided(owner), key=lambda one: one.judge)]


def _decided(owner: Account) -> Iterator[Decided]:
    """By judge and action. Without new entries, which nobody weighs. Both kept of two in conflict is a no."""
    rows = Proposal.objects.of(owner).filter(status__in=(Status.APPLIED, Status.REJECTED)).exclude(action=Action.NEW)
    named = rows.order_by("model", "action", "id").values_list("model", "action", "probability", "status", "resolution")
    for judge, action, probability, status, resolution in named.iterator():
        yes = status == Status.APPLIED and resolution != Resolution.KEEP_BOTH
        yield Decided(judge, action, probability, yes)


def _of_judge(name: str, some: Sequence[Decided]) -> OfJudge:
    actions = groupby(some, key=lambda one: one.action)
    by_action = tuple(OfAction(Action(action).label, share(list(each))) for action, each in actions)
    bins = tuple(reliability(some)) if len(some) >= LEAST else ()
    chart = of_reliability([(each.stated, each.share) for each in bins]) if bins else ""
    return OfJudge(name, share(some), by_action, bins, chart)
