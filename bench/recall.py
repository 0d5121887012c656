"""How often recall finds the rows that answer: `python -m bench.recall --data FILE`.

    [--facts] [--policy NAME]… [--top-k N] [--limit N] [--save RUN.json] [--against RUN.json]

FILE is a set of stores, or a folder of such sets (bench/sets.py; bench/convert.py makes them). Each store is one
account, filled by the verb that an import uses; a question is scored by the rows its gold names. Without --top-k every
policy shows twenty rows: `union` ten of vectors and ten more that only words found, the others twenty in all.
With --facts the set's facts stand beside its exchanges, and every policy shows fifty rows: twenty of them do not fill
the 4,000 characters that R@4k reads.
Every policy after the first is compared with it, and with --against each with the run that was saved.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from bench.measures import Asked, Met, measured
from bench.place import place
from bench.sets import Question, Store, files, stores
from bench.tables import compare, report
from forgesite.config import Policy

if TYPE_CHECKING:
    from forgesite.models import Account
    from memory.models import Entry

ROWS, ROWS_WITH_FACTS = 20, 50


@dataclass(frozen=True)
class Filled:
    """A store in memory: its account, the ids each entry is credited with, where each id ends, and the CPU it took."""

    store: Store
    account: Account
    ids: dict[int, frozenset[str]]
    ends: dict[str, int]
    seconds: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--policy", choices=get_args(Policy), action="append")
    parser.add_argument("--facts", action="store_true")
    parser.add_argument("--top-k", type=int, help="rows asked for; under `union` of each channel")
    parser.add_argument("--limit", type=int, help="ask only so many questions of each store")
    parser.add_argument("--save", type=Path)
    parser.add_argument("--against", type=Path)
    options = parser.parse_args()
    policies = options.policy or get_args(Policy)
    done: list[Asked] = []
    rows = ROWS_WITH_FACTS if options.facts else ROWS
    with place(RECALL_LEXICAL_TOP_K=str(options.top_k or rows // 2)):
        for path in files(options.data):
            done += measure(path, policies, options.top_k, options.limit, facts=options.facts)
    if options.save:
        options.save.write_text(json.dumps([asdict(each) for each in done]))
    if options.against:
        compare(done, [Asked(**each) for each in json.loads(options.against.read_text())])


def measure(
    path: Path, policies: Sequence[str], top_k: int | None, limit: int | None, *, facts: bool = False
) -> list[Asked]:
    """Fill the stores of one set, ask each policy everything, and print what it is worth."""
    warm()
    name, shown = path.stem, ROWS_WITH_FACTS if facts else ROWS
    found = [fill(f"{name}-{store.id}", store, facts=facts) for store in stores(path)]
    rows, seconds = sum(len(each.ids) for each in found), sum(each.seconds for each in found)
    print(f"\n{name}: {len(found)} stores; {rows} rows written, {seconds * 1000 / max(1, rows):.2f} ms of CPU each")
    done: list[Asked] = []
    for policy in policies:
        asked = list(ask_all(name, found, policy, top_k or (shown // 2 if policy == "union" else shown), limit))
        report(name, policy, asked)
        done += asked
    for policy in policies[1:]:
        compare([each for each in done if each.policy == policy], [e for e in done if e.policy == policies[0]])
    return done


def warm() -> None:
    """Loads the embedder, if there is one: its second is nobody's question."""
    from memory import embedding

    embedding.embedded(embedding.served(), ["A first sentence."])


def fill(name: str, store: Store, *, facts: bool = False) -> Filled:
    began = time.process_time()
    account, ids = filled(name, store, facts=facts)
    seconds = time.process_time() - began
    ends = {each: end for said in store.exchanges for each, end in zip(said.ids, said.ends, strict=True)}
    return Filled(store, account, ids, ends, seconds)


def filled(name: str, store: Store, *, facts: bool = False) -> tuple[Account, dict[int, frozenset[str]]]:
    """An account that holds the store's exchanges, and its facts, and which rows each entry is credited with.

    An exchange that was said twice is one entry, credited with both.
    """
    from forgesite.models import Account
    from memory.remember import Draft, remember_many

    account = Account.objects.create_user(name)
    drafts = [Draft(each.text, kind="exchange", origin="import", said_at=each.said_at) for each in store.exchanges]
    told = store.facts if facts else ()
    drafts += [Draft(each.text, origin="import", said_at=each.said_at) for each in told]
    batch = remember_many(account, drafts, actor="bench", cause="bench")
    ids: dict[str, frozenset[str]] = {}
    credits = [*((each.text, each.ids) for each in store.exchanges), *((each.text, each.ids) for each in told)]
    for text, of_text in credits:
        ids[text] = ids.get(text, frozenset()) | frozenset(of_text)
    return account, {entry.pk: ids.get(entry.text, frozenset()) for entry in batch.entries}


def ask_all(name: str, found: Sequence[Filled], policy: str, top_k: int, limit: int | None) -> Iterator[Asked]:
    for each in found:
        for question in each.store.questions[:limit]:
            yield ask(name, each, question, policy, top_k)


def ask(name: str, filled: Filled, question: Question, policy: str, top_k: int) -> Asked:
    from memory.recall import Query, recall

    began = time.process_time()
    answer = recall(filled.account, Query(question.text, policy=policy, top_k=top_k))
    ms = (time.process_time() - began) * 1000
    shown = [met(filled, row.entry, question.gold) for row in answer.rows]
    holders = sum(1 for ids in filled.ids.values() if ids & question.gold)
    scores = measured(shown, question.gold, holders=holders) if question.gold else {}
    return Asked(name, policy, filled.store.id, question.id, question.category, answer.nothing, ms, scores)


def met(filled: Filled, entry: Entry, gold: frozenset[str]) -> Met:
    credit = filled.ids.get(entry.pk, frozenset()) & gold
    whole = len(entry.text)  # a fact tells of its rows from its first word to its last
    return Met({each: filled.ends[each] if entry.kind == "exchange" else whole for each in credit}, whole)


if __name__ == "__main__":
    main()
