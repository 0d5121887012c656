"""What the measuring of a judge makes of a judge that fails, or is of no use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import pytest

from bench.retention_judge import _judged, _report, thresholds
from bench.retention_texts import made
from retention.domain.items import Item, Verdict, spread
from retention.errors import JudgeError

HALF = [one for one in made() if one.half == 0][:30]


@dataclass
class Stubborn:
    """Always the first option but one; of its batches of ten, those in `fails` fail."""

    fails: tuple[int, ...] = ()
    ends: bool = False
    name: str = "stubborn@1"
    trouble: list[str] = field(default_factory=list)
    asked: int = 0

    def batches(self, items: Sequence[Item], now: datetime) -> Iterator[list[Item]]:
        return (list(items[start : start + 10]) for start in range(0, len(items), 10))

    def judged(self, owner: object, items: Sequence[Item], now: datetime) -> list[Verdict]:
        self.asked += 1
        if self.asked in self.fails:
            raise JudgeError("It failed.", code="garbled", ends=self.ends)
        return [spread(item, item.options[1], 0.9) for item in items]


def test_a_judge_that_would_archive_everything_has_no_threshold_and_is_told_as_what_it_is() -> None:
    some = list(_judged(None, Stubborn(), made()[::7]))

    figures = _report(some, thresholds(some))

    assert thresholds(some) == {}
    assert figures["archive"] == "0/0"
    right, every = figures["archive, however sure"].split(" = ")[0].split("/")
    assert 0 < int(right) < int(every) == len(some)


def test_a_batch_that_fails_is_told_and_measures_nothing() -> None:
    judge = Stubborn(fails=(2,))

    assert len(list(_judged(None, judge, HALF))) == 20
    assert judge.trouble == ["It failed. [garbled]"]


def test_a_judge_that_is_of_no_use_any_more_ends_it() -> None:
    judge = Stubborn(fails=(2,), ends=True)

    with pytest.raises(JudgeError):
        list(_judged(None, judge, HALF))
    assert judge.asked == 2
