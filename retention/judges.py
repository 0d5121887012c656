"""Who judges, by the settings: one door to either judge. None ever stands in for the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from django.conf import settings

from forgesite.language import zone_of
from forgesite.models import Account
from retention import model_judge
from retention.domain import rules
from retention.domain.asking import MOST_ITEMS
from retention.domain.items import Item, Verdict
from retention.models import Measured


class Judge(Protocol):
    @property
    def name(self) -> str:
        """With its form: by it is known what was measured."""

    @property
    def trouble(self) -> Sequence[str]:
        """Why some of the items so far have no verdict, in sentences fit to show."""

    def batches(self, items: Sequence[Item], now: datetime) -> Iterator[list[Item]]: ...

    def judged(self, owner: Account, items: Sequence[Item], now: datetime) -> list[Verdict]:
        """A verdict on each of a batch, or on fewer. Raises JudgeError."""


@dataclass(frozen=True)
class Rules:
    """Arithmetic, and named as such."""

    name: str = rules.NAME
    trouble: tuple[str, ...] = ()

    def batches(self, items: Sequence[Item], now: datetime) -> Iterator[list[Item]]:
        return (list(items[start : start + MOST_ITEMS]) for start in range(0, len(items), MOST_ITEMS))

    def judged(self, owner: Account, items: Sequence[Item], now: datetime) -> list[Verdict]:
        return [rules.judged(item, now, zone_of(owner.time_zone)) for item in items]


def is_local() -> bool:
    """Does nothing leave this process when it judges?"""
    return bool(settings.FORGE.JUDGE == "rules")


def judge(owner: Account) -> Judge:
    """Raises JudgeError where there is none to be asked, or the account does not let it be."""
    return Rules() if is_local() else model_judge.connect(owner)


def thresholds(owner: Account, name: str) -> Mapping[str, float]:
    """From which probability on each action may be proposed. Empty for a judge that nobody measured: it proposes
    nothing."""
    if name == rules.NAME:
        return rules.THRESHOLDS
    measured = Measured.objects.of(owner).filter(judge=name).order_by("-id").first()
    return measured.thresholds if measured else {}
