"""What proof takes: `python -m bench.proof [--entries 10000,100000] [--commits N] [--writes N]`.

Stores of so many made-up exchanges (bench/filling.py), a vector of 512 numbers each out of a hash, imported by the
thousand; one more of as many commits, each of one entry. Each measure is a process of its own: its CPU, and the most
memory that it had beside what it had when it began. What a commit adds to a write is the same entries written by turns
with it and without it, in one process.
"""

from __future__ import annotations

import argparse
import hashlib
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from bench.filling import BATCH, exchange
from bench.place import place

if TYPE_CHECKING:
    from forgesite.lib.vectors import Vector
    from forgesite.models import Account

DIM = 512


class Hashed:
    """As quick as no embedder, and as large as one."""

    name, wrapper, dim = "bench", "", DIM

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> Vector:
        return np.frombuffer(hashlib.shake_256(text.encode()).digest(DIM), dtype=np.uint8).astype(np.float32) + 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", default="10000,100000", help="sizes of stores, with commas")
    parser.add_argument("--commits", type=int, default=20_000)
    parser.add_argument("--writes", type=int, default=500)
    parser.add_argument("--measure", choices=MEASURES, help=argparse.SUPPRESS)
    parser.add_argument("--store", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--at-once", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.measure:
        MEASURES[asked.measure]()
        return
    if asked.store:
        of_store(asked.store, asked.at_once, asked.writes)
        return
    for entries in map(int, asked.entries.split(",")):
        again("--store", str(entries), "--at-once", str(BATCH))
    again("--store", str(asked.commits), "--at-once", "1", "--writes", str(asked.writes))


def of_store(entries: int, at_once: int, count: int) -> None:
    """One store in one process: Django knows one database."""
    with place(EMBEDDING_PROVIDER="none"):
        fill(entries, at_once)
        print(f"{entries} entries, {at_once} a commit:", flush=True)
        for measure in MEASURES:
            again("--measure", measure)
        if at_once == 1:
            print(writes(count), flush=True)


def again(*arguments: str) -> None:
    """This bench in a process of its own, which measures the folder that is in the environment."""
    subprocess.run([sys.executable, "-m", "bench.proof", *arguments], check=True)


def fill(entries: int, at_once: int) -> None:
    from forgesite.models import Account
    from memory.remember import Draft, remember_many

    owner = Account.objects.create(username="bench")
    for first in range(0, entries, at_once):
        drafts = [Draft(exchange(number), "exchange") for number in range(first, min(first + at_once, entries))]
        remember_many(owner, drafts, actor="import", cause="bench", door=Hashed())
    sync()


def sync() -> None:
    from memory import embedding, vector_channel

    vector_channel.sync(embedding.regime(Hashed()), DIM)


def set_up() -> Account:
    import django

    django.setup()
    from forgesite.models import Account

    return Account.objects.get(username="bench")


def whole() -> None:
    owner = set_up()
    from memory.verify import verify

    before = peak()
    report, took = cpu(lambda: verify(owner))
    assert report.ok, report.findings[:3]
    print(f"  whole verify {took:.2f} s of CPU, {peak() - before:.0f} MB more at most")


def chain() -> None:
    owner = set_up()
    from memory.proof.findings import Lines
    from memory.proof.notes import Notes
    from memory.proof.scratch import scratch
    from memory.proof.verify_chain import replay

    with scratch() as connection:
        done, took = cpu(lambda: replay(owner.pk, Notes(connection), Lines.read([]), []))
    assert done.broken is None
    print(f"  replay {done.commits / took:.0f} commits a second of CPU")


def writes(count: int) -> str:
    """Entries of one kind, written by turns with all that a commit takes and as rows, words and vectors alone."""
    from forgesite.models import Account

    owner = Account.objects.get(username="bench")
    turns: dict[str, list[float]] = {"with": [], "without": []}
    for number in range(2 * count):
        name = ("with", "without")[number % 2]
        act = committed if name == "with" else bare
        turns[name].append(cpu(partial(act, owner, f"{number} {exchange(number)}"))[1])
        clear()
    medians = {name: sorted(taken)[len(taken) // 2] * 1000 for name, taken in turns.items()}
    added = medians["with"] - medians["without"]
    return (
        f"  a write of one entry: {medians['with']:.2f} ms of CPU, its rows alone {medians['without']:.2f}: "
        f"the commit adds {added:.2f} ms"
    )


def clear() -> None:
    """The lines of what was written without a commit: they would be looked at by each write after it."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM memory_change_log")


def entry_of(owner: Account, text: str) -> Any:
    from memory.drafts import Draft
    from memory.remember import new_entry

    return new_entry(owner, Draft(text, "exchange", status="active"))


def committed(owner: Account, text: str) -> None:
    from memory import embedding, store
    from memory.embedding import Embedded

    found = Embedded((Hashed().embed_query(text),))
    write = store.Write(new=[(entry_of(owner, text), found)], regime=embedding.regime(Hashed()))
    store.commit(owner, write, actor="import", cause="bench")


def bare(owner: Account, text: str) -> None:
    from django.db import transaction

    from memory import embedding, vector_channel, word_channel
    from memory.domain.sameness import sameness
    from memory.models import Entry
    from memory.vector_channel import Kept

    entry = entry_of(owner, text)
    with transaction.atomic():
        [entry.pk] = word_channel.prepare([text])
        entry.address, entry.sameness = hashlib.sha256(text.encode()).hexdigest(), sameness(text)
        Entry.objects.bulk_create([entry])
        vector_channel.keep([Kept(entry.pk, 1, 0, embedding.regime(Hashed()), Hashed().embed_query(text))])


def cpu(do: Callable[[], Any]) -> tuple[Any, float]:
    began = time.process_time()
    done = do()
    return done, time.process_time() - began


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


MEASURES: dict[str, Callable[[], None]] = {"whole": whole, "chain": chain}

if __name__ == "__main__":
    main()
