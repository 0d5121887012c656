"""Calls of a judge's server that an account has left today: reserved before a call, recorded or released after it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date

from django.conf import settings
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from forgesite.models import Account
from forgesite.owned import owner_id
from retention.errors import BudgetError
from retention.models import JudgeCalls


@dataclass
class Usage:
    """What a call took, as the server says it, or as it is estimated. `spent`: the server has worked for it."""

    spent: bool = False
    prompt_tokens: int = 0
    completion_tokens: int = 0


@contextmanager
def call(owner: Account) -> Iterator[Usage]:
    """One call. Raises BudgetError before it where the day has no more; one that was not `spent` is given back.

    The day is that of UTC, as the pass has its hour: no change of a time zone makes another.

    A process that is killed during a call leaves it reserved: it counts for that day.
    """
    day = timezone.now().date()
    _reserve(owner, day)
    usage = Usage()
    try:
        yield usage
    finally:
        _settle(owner, day, usage)


def refuse_less(owner: Account, calls: int) -> None:
    """Raises BudgetError where the day has fewer calls left: half of an answer is none."""
    if _left(owner) < calls:
        raise _used_up()


def _left(owner: Account) -> int:
    today = JudgeCalls.objects.of(owner).filter(day=timezone.now().date()).first()
    used = today.reserved + today.spent if today else 0
    return max(0, settings.FORGE.JUDGE_DAILY_BUDGET - used)


def _reserve(owner: Account, day: date) -> None:
    most = settings.FORGE.JUDGE_DAILY_BUDGET
    JudgeCalls.objects.get_or_create(owner_id=owner_id(owner), day=day)
    free = JudgeCalls.objects.of(owner).filter(day=day, reserved__lt=most - F("spent"))
    if free.update(reserved=F("reserved") + 1) != 1:
        raise _used_up()


def _used_up() -> BudgetError:
    told = _("Today's %(most)d calls of the judge are used up. JUDGE_DAILY_BUDGET sets how many there are.")
    return BudgetError(told % {"most": settings.FORGE.JUDGE_DAILY_BUDGET})


def _settle(owner: Account, day: date, usage: Usage) -> None:
    changed = {"reserved": F("reserved") - 1}
    if usage.spent:
        changed |= {
            "spent": F("spent") + 1,
            "prompt_tokens": F("prompt_tokens") + usage.prompt_tokens,
            "completion_tokens": F("completion_tokens") + usage.completion_tokens,
        }
    JudgeCalls.objects.of(owner).filter(day=day).update(**changed)
