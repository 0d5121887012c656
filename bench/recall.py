"""How often recall finds the rows that answer, a policy a line: `python -m bench.recall --data FOLDER [--set NAME]`.

Each store is one account; a question is scored by the rows its gold names. `union` gives ten rows of each channel.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import TYPE_CHECKING

from bench.place import place
from bench.sets import Question, Store, stores

if TYPE_CHECKING:
    from forgesite.models import Account

SETS = ("locomo", "beam100k", "faq_fr")
#: Policy → rows asked for.
POLICIES = {"union": 10, "vector": 20, "lexical": 20}


@dataclass(frozen=True)
class Score:
    """Of one question: the share of its gold in the first k rows, one over the rank of its first, ms of CPU."""

    at: dict[int, float]
    reciprocal: float
    ms: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--set", choices=SETS, action="append")
    options = parser.parse_args()
    with place(RECALL_LEXICAL_TOP_K="10"):
        print(f"{'set':9} {'policy':8}    n   R@5  R@10  R@20  R@all   MRR  ms/query")
        for name in options.set or SETS:
            measure(name, stores(options.data / f"{name}.json"))


def measure(name: str, found: Sequence[Store]) -> None:
    accounts = [filled(f"{name}-{store.id}", store) for store in found]
    for policy, top_k in POLICIES.items():
        scores = [
            score(account, ids, question, policy, top_k)
            for (account, ids), store in zip(accounts, found, strict=True)
            for question in store.questions
            if question.gold
        ]
        print(line(name, policy, scores))


def filled(name: str, store: Store) -> tuple[Account, dict[int, frozenset[str]]]:
    """An account that holds the store's exchanges, and which rows each entry is credited with."""
    from forgesite.models import Account
    from memory.remember import Draft, remember_many

    account = Account.objects.create_user(name)
    drafts = {
        f"{name}:{number}": Draft(each.text, kind="exchange", origin="import", source=f"{name}:{number}")
        for number, each in enumerate(store.exchanges)
    }
    batch = remember_many(account, list(drafts.values()), actor="bench", cause="bench")
    ids = {f"{name}:{number}": frozenset(each.ids) for number, each in enumerate(store.exchanges)}
    return account, {entry.pk: ids[entry.source] for entry in batch.entries}


def score(account: Account, ids: dict[int, frozenset[str]], question: Question, policy: str, top_k: int) -> Score:
    from memory.recall import Query, recall

    start = time.process_time()
    rows = recall(account, Query(question.text, policy=policy, top_k=top_k)).rows
    ms = (time.process_time() - start) * 1000
    credit = [ids.get(row.entry.pk, frozenset()) & question.gold for row in rows]
    first = next((rank for rank, gold in enumerate(credit, 1) if gold), None)
    at = {k: len(frozenset().union(*credit[:k])) / len(question.gold) for k in (5, 10, 20, 100)}
    return Score(at, 1 / first if first else 0.0, ms)


def line(name: str, policy: str, scores: Sequence[Score]) -> str:
    shares = "  ".join(f"{mean(score.at[k] for score in scores):.3f}" for k in (5, 10, 20, 100))
    reciprocal, ms = mean(score.reciprocal for score in scores), median(score.ms for score in scores)
    return f"{name:9} {policy:8} {len(scores):4d}  {shares}  {reciprocal:.3f}  {ms:.1f}"


if __name__ == "__main__":
    main()
