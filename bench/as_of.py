"""What a search of an earlier time takes: `python -m bench.as_of [--entries N] [--changed N] [--searches N]`.

One account with made-up exchanges (bench/filling.py), some of which were changed after the time that is searched.
CPU seconds of this process, the median of the searches; beside them why an answer of that time was not given an entry,
and a text, with its share of a search of then: it was once told by one such search, and by two.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial

from bench.filling import BATCH, exchange, question
from bench.place import place


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--changed", type=int, default=100)
    parser.add_argument("--searches", type=int, default=9)
    asked = parser.parse_args()
    with place():
        measure(asked.entries, asked.changed, asked.searches)


def measure(entries: int, changed: int, searches: int) -> None:
    from forgesite.models import Account
    from memory import why_not
    from memory.given.gathered import Found, Gathered
    from memory.ledger import head
    from memory.models import Entry
    from memory.recall import Query, recall
    from memory.receipts import receipts_of, seal
    from memory.remember import Draft, remember_many
    from memory.revise import Changes, revise

    owner = Account.objects.create(username="bench")
    made: list[Entry] = []
    for first in range(0, entries, BATCH):
        drafts = [Draft(exchange(number), "exchange") for number in range(first, min(first + BATCH, entries))]
        made += remember_many(owner, drafts, actor="import", cause="bench").entries
    last = head(owner)
    assert last is not None
    for number in range(searches):
        found = Found("recall", recall(owner, Query(question(number))))
        seal(owner, Gathered([found]), run_id=f"run{number}")
    for number, entry in enumerate(made[:changed]):
        revise(owner, entry.pk, Changes(text=exchange(entries + number)), version=None, actor="person", cause="bench")

    recall(owner, Query(question(0)))
    for name, as_of in (("now", ""), ("then", str(last.tick))):
        taken = [cpu(partial(recall, owner, Query(question(number), as_of=as_of))) for number in range(searches)]
        whole = statistics.median(taken)
        print(f"{name}: {whole * 1000:.0f} ms of CPU a search, {entries} entries, {changed} changed")

    def asked(number: int) -> tuple[Callable[[], object], Callable[[], object]]:
        receipts, pk = receipts_of(owner, f"run{number}"), made[-1 - number].pk
        text = " ".join(exchange(number).split()[2:12])
        return partial(why_not.of_entry, owner, receipts, pk), partial(why_not.of_text, owner, receipts, text)

    both = zip(*([cpu(do) for do in asked(number)] for number in range(searches)), strict=True)
    for name, each in zip(("an entry", "a text"), both, strict=True):
        took = statistics.median(each)
        print(f"why not {name}: {took * 1000:.0f} ms of CPU, {took / whole:.2f} of a search of then")


def cpu(do: Callable[[], object]) -> float:
    began = time.process_time()
    do()
    return time.process_time() - began


if __name__ == "__main__":
    main()
