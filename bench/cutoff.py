"""Where the cutoff of the bundled embedder fits: `python -m bench.cutoff --data FOLDER [--every N]`.

Each store is one account with its exchanges and facts; `--facts` one with its facts alone. Questions of the store are
answerable; those of the other stores of the same set, and of the other sets, are absent. Printed: for each cutoff the
share of answerable questions whose right row stays (of those it is among the ten nearest), and the share of absent ones
that still get a row. Whether memory holds nothing on a question is another decision: bench/abstention.py.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.place import place
from bench.recall import filled
from bench.sets import Question, Store, stores

if TYPE_CHECKING:
    from forgesite.models import Account
    from memory.models import Entry

SETS = ("locomo", "beam100k", "faq_fr")
CUTOFFS = (1.0, 1.05, 1.1, 1.14, 1.18, 1.2, 1.22, 1.24, 1.26, 1.3)


@dataclass(frozen=True)
class Seen:
    """What one question met: the nearest row, and the nearest right one of ten."""

    nearest: float
    right: float | None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--every", type=int, default=5, help="ask one question in so many")
    parser.add_argument("--facts", action="store_true", help="short facts alone, of the set that has some")
    options = parser.parse_args()
    with place(RECALL_MAX_DISTANCE="off"):
        found = {name: stores(options.data / f"{name}.json") for name in SETS}
        if options.facts:
            measure_facts(found["locomo"], options.data / "locomo.json", options.every)
            return
        for name in SETS:
            measure(name, found, facts_of(options.data / f"{name}.json"), options.every)


def facts_of(path: Path) -> list[list[str]]:
    return [[fact["text"] for fact in each["facts"]] for each in json.loads(path.read_text())["stores"]]


def measure(name: str, sets: dict[str, list[Store]], facts: Sequence[Sequence[str]], every: int) -> None:
    own: list[Seen] = []
    chat: list[Seen] = []
    domain: list[Seen] = []
    for number, store in enumerate(sets[name]):
        account, ids = filled(f"{name}-{store.id}", store)
        remember_facts(account, facts[number])
        own += [meet(account, ids, q) for q in store.questions[::every] if q.gold]
        others = [q for other in sets[name] if other.id != store.id for q in other.questions][:: every * 10]
        chat += [meet(account, {}, q) for q in others]
        foreign = [q for other in SETS if other != name for each in sets[other] for q in each.questions][:: every * 10]
        domain += [meet(account, {}, q) for q in foreign]
    print(f"\n{name}: {len(own)} answerable, {len(chat)} of another chat, {len(domain)} of another domain")
    table(own, chat, domain)


def measure_facts(found: Sequence[Store], path: Path, every: int) -> None:
    from forgesite.models import Account

    own: list[Seen] = []
    chat: list[Seen] = []
    for store, raw in zip(found, json.loads(path.read_text())["stores"], strict=True):
        account = Account.objects.create_user(f"facts-{store.id}")
        entries = remember_facts(account, [fact["text"] for fact in raw["facts"]])
        gold = {fact["text"]: frozenset(map(str, fact["gold"])) for fact in raw["facts"]}
        ids = {entry.pk: gold[entry.text] for entry in entries}
        own += [meet(account, ids, question) for question in store.questions[::every] if question.gold]
        others = [q for other in found if other.id != store.id for q in other.questions][:: every * 10]
        chat += [meet(account, {}, question) for question in others]
    print(f"facts: {len(own)} answerable, {len(chat)} of another chat")
    table(own, chat, [])


def remember_facts(account: Account, facts: Sequence[str]) -> tuple[Entry, ...]:
    from memory.remember import Draft, remember_many

    drafts = [Draft(fact, origin="import") for fact in facts]
    return remember_many(account, drafts, actor="bench", cause="bench").entries


def meet(account: Account, ids: dict[int, frozenset[str]], question: Question) -> Seen:
    from memory import embedding
    from memory.domain.scope import scope
    from memory.finding import by_meaning

    where = scope(account.pk, "", None, everything=False)
    near = by_meaning.search(question.text, where, 10, embedding.served(), True).rows
    right = [row.distance for row in near[:10] if row.distance and ids.get(row.id, frozenset()) & question.gold]
    nearest = near[0].distance if near and near[0].distance is not None else 2.0
    return Seen(nearest, min(right, default=None))


def table(own: Sequence[Seen], chat: Sequence[Seen], domain: Sequence[Seen]) -> None:
    right = [each.right for each in own if each.right is not None]
    print("cutoff  right row stays  let through: another chat, another domain")
    for cutoff in CUTOFFS:
        kept = sum(distance <= cutoff for distance in right) / max(1, len(right))
        through = [sum(each.nearest <= cutoff for each in some) / max(1, len(some)) for some in (chat, domain)]
        print(f"{cutoff:6.2f}  {kept:15.3f}  {through[0]:11.3f}  {through[1]:11.3f}")


if __name__ == "__main__":
    main()
