"""Does a policy find the evidence, and nothing stale? `python -m bench.six_cases [--policy NAME]…`

Six questions over one small store: a detail that a summary covers, a fact that was corrected, an open todo that the
question has nothing to do with, an old fact in another script, a fact asked for in other words, and the newest of many.
It is filled by the verbs that a person's saves and an import use. Every policy gets the same budgets.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from statistics import fmean
from typing import TYPE_CHECKING, Any, get_args

from bench.place import place
from forgesite.config import Policy

if TYPE_CHECKING:
    from forgesite.models import Account
    from memory.recall import Recalled

SCHEMA, FIXTURE = 1, "forge-six-cases-1"
BYTES, ITEMS, CANDIDATES = 2400, 4, 64
WEATHER, PADDING = 120, 320
BEGAN = datetime(2026, 1, 1, 8, tzinfo=UTC)
SCOPE = (
    "Whether the evidence was selected, not whether an answer was right. Bytes are those of the rows as a prompt of "
    "Forge shows them; other systems' wire forms take more or fewer for the same rows."
)


@dataclass(frozen=True)
class Deposit:
    """One save. `covers`: keys of what a summary stands for."""

    key: str
    kind: str
    text: str
    covers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Case:
    """`evidence`: what the text of a row that was given has to hold."""

    name: str
    question: str
    evidence: str


@dataclass(frozen=True)
class Result:
    """`stale`: a row was given that was replaced, retracted or a summary that holds no longer."""

    case: str
    hit: bool
    stale: bool
    bytes: int
    latency_ms: float


DEPOSITS = (
    Deposit("workshop", "fact", "The workshop access code is cedar-582."),
    Deposit("delivery", "fact", "The delivery destination is Oslo."),
    Deposit("promise", "todo", "Return the telescope to Mira when she visits."),
    Deposit("transport", "fact", "The car tag is QJ-417."),
    Deposit("книга", "fact", "Книга Софии стоит на синем стеллаже."),
    Deposit("overview", "summary", "The workshop has a code.", covers=("workshop",)),
    Deposit("delivery", "fact", "The delivery destination is Bergen."),
)
EPISODES = tuple(
    Deposit(f"weather-{number}", "event", f"Weather observation {number}: {'x' * PADDING}") for number in range(WEATHER)
)
CASES = (
    Case("covered exact detail", "workshop access code", "cedar-582"),
    Case("corrected fact", "delivery destination", "Bergen"),
    Case("prospective unrelated occasion", "weather today", "telescope"),
    Case("Unicode old fact", "книга Софии", "синем"),
    Case("paraphrase counterexample", "automobile registration", "QJ-417"),
    Case("recent information", "weather observation 119", "observation 119:"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--policy", choices=get_args(Policy), action="append")
    policies = parser.parse_args().policy or get_args(Policy)
    with place():
        print(json.dumps(report(filled(), policies), ensure_ascii=False, indent=2))


def filled() -> Account:
    """An account that holds the deposits, an hour apart."""
    from forgesite.models import Account
    from memory.remember import Draft, remember, remember_many

    owner, ids = Account.objects.create_user("six-cases"), dict[str, int]()
    said = [BEGAN + timedelta(hours=number) for number in range(len(DEPOSITS) + WEATHER)]
    for each, at in zip(DEPOSITS, said, strict=False):
        covers = tuple(ids[key] for key in each.covers)
        draft = Draft(each.text, each.kind, key=each.key, said_at=at, covers=covers)
        ids[each.key] = remember(owner, draft, actor="person", cause="six cases").entry.pk
    of_weather = zip(EPISODES, said[len(DEPOSITS) :], strict=True)
    drafts = [Draft(each.text, each.kind, key=each.key, said_at=at, origin="import") for each, at in of_weather]
    remember_many(owner, drafts, actor="import", cause="six cases")
    return owner


def report(owner: Account, policies: Sequence[str]) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "fixture": FIXTURE,
        "budgets": {"bytes": BYTES, "items": ITEMS, "candidates": CANDIDATES},
        "strategies": [strategy(owner, policy) for policy in policies],
        "scope": SCOPE,
    }


def strategy(owner: Account, policy: str) -> dict[str, Any]:
    results = [result(owner, policy, case) for case in CASES]
    return {
        "strategy": policy,
        "evidence_hits": sum(each.hit for each in results),
        "cases": len(results),
        "mean_latency_ms": round(fmean(each.latency_ms for each in results), 3),
        "results": [asdict(each) for each in results],
    }


def result(owner: Account, policy: str, case: Case) -> Result:
    from memory.finding.packing import size

    began = time.process_time()
    found = given(owner, policy, case.question)
    ms = (time.process_time() - began) * 1000
    entries = [row.entry for row in found.rows]
    return Result(
        case.name,
        hit=any(case.evidence in entry.text for entry in entries),
        stale=any(entry.is_replaced or entry.stale or entry.status == "retracted" for entry in entries),
        bytes=sum(size(row) for row in found.rows),
        latency_ms=round(ms, 3),
    )


def given(owner: Account, policy: str, question: str) -> Recalled:
    """What a prompt would be given within the budgets: all that was found, in order, as far as it fits."""
    from memory.domain.packing import Limits
    from memory.finding.packing import packed
    from memory.recall import Query, recall

    found = recall(owner, Query(question, policy=policy, top_k=CANDIDATES, for_prompt=True))
    return packed(found, limits=Limits(ITEMS, BYTES))


if __name__ == "__main__":
    main()
