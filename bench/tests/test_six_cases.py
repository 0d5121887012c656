"""Six questions over one store: which policy finds the evidence, and that none gives what is stale."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from bench.six_cases import BYTES, CASES, EPISODES, ITEMS, filled, given, report
from forgesite.config import Policy
from forgesite.models import Account

HITS = {
    "hybrid": 6, "balanced": 6, "semantic": 6,
    "union": 5, "interleave": 5, "weighted": 5, "vector": 4, "lexical": 4,
    "recent": 1, "task_maintenance": 1,
}  # fmt: skip


@pytest.fixture
def owner(db: None) -> Account:
    return filled()


def test_each_policy_finds_what_it_found_and_nothing_stale(owner: Account) -> None:
    said: dict[str, Any] = report(owner, get_args(Policy))
    assert {each["strategy"]: each["evidence_hits"] for each in said["strategies"]} == HITS
    results = [result for each in said["strategies"] for result in each["results"]]
    assert len(results) == len(HITS) * len(CASES)
    assert not any(result["stale"] for result in results)
    assert max(result["bytes"] for result in results) <= BYTES
    everything = given(owner, "recent", "anything").rows
    assert len(everything) == ITEMS
    assert all(row.entry.text == said.text for row, said in zip(everything, reversed(EPISODES), strict=False))
