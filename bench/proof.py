"""What a proof costs, and what a commit adds to a write: `python -m bench.proof [--entries N]`.

Memories of a tenth of N and of N made-up exchanges, with vectors, written as an import writes them. Each is proved in a
process of its own: CPU seconds, and the memory that it takes at most. Then a chain of commits of one change each is
replayed; and `remember` runs with and without its commit, and the text that this names, in turn, so that what else the
machine does meets both.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any
from unittest import mock

import numpy as np
import psutil

from bench.filling import BATCH, exchange
from bench.intake import cpu
from bench.place import place

if TYPE_CHECKING:
    from forgesite.models import Account

COMMITS, WRITES = 20_000, 300
MEASURED = "import django; django.setup(); from bench.proof import measured; measured()"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=100_000)
    entries = parser.parse_args().entries
    for command in (["fill", str(entries // 10)], ["fill", str(entries)], ["replay"], ["commit"]):
        subprocess.run([sys.executable, "-c", f"from bench.proof import run; run(*{command!r})"], check=True)


def run(part: str, count: str = "0") -> None:
    """One of the figures, in a process and a place of its own."""
    with place(EMBEDDING_PROVIDER="none"):
        from forgesite.models import Account

        owner = Account.objects.create_user("bench")
        {"fill": filled, "replay": replayed, "commit": committed}[part](owner, int(count))


def filled(owner: Account, entries: int) -> None:
    from memory import embedding, vector_channel
    from memory.remember import Draft, remember_many

    door: Any = RandomDoor()
    for first in range(0, entries, BATCH):
        drafts = [
            Draft(exchange(n), kind="exchange", origin="import") for n in range(first, min(first + BATCH, entries))
        ]
        remember_many(owner, drafts, actor="bench", cause="bench", door=door)
    vector_channel.sync(embedding.regime(door), door.dim)
    subprocess.run([sys.executable, "-c", MEASURED], check=True)


def measured() -> None:
    """A proof of what is there, in a process that did nothing before."""
    from memory.verify import verify

    with peak() as most:
        start = time.process_time()
        report = verify()
        spent = time.process_time() - start
    assert report.ok
    print(f"whole proof   {report.entries:7d} entries  {spent:6.2f} s of CPU  {most():4.0f} MB at most")


class RandomDoor:
    name, wrapper, dim = "random", "", 512

    def __init__(self) -> None:
        self._random = np.random.default_rng(0)

    def embed_documents(self, texts: list[str]) -> list[Any]:
        return list(self._random.standard_normal((len(texts), self.dim), dtype=np.float32))

    def embed_query(self, text: str) -> Any:
        return self.embed_documents([text])[0]


@contextmanager
def peak() -> Iterator[Callable[[], float]]:
    """The most memory that this process has resident meanwhile, looked at every 20 ms; in MB."""
    process, seen, over = psutil.Process(), [0], threading.Event()

    def look() -> None:
        while not over.wait(0.02):
            seen.append(process.memory_info().rss)

    looking = threading.Thread(target=look)
    looking.start()
    yield lambda: max(seen) / 1e6
    over.set()
    looking.join()


def replayed(owner: Account, _count: int) -> None:
    from memory import move
    from memory.findings import Lines
    from memory.notes import Notes
    from memory.remember import Draft, remember_many
    from memory.scratch import scratch
    from memory.verify_chain import replay

    drafts = [Draft(f"Note number {number} is about the boat") for number in range(COMMITS // 20)]
    entries = remember_many(owner, drafts, actor="bench", cause="bench").entries
    for number in range(COMMITS):
        move.reaffirm(owner, entries[number % len(entries)].pk, actor="person", cause="bench")
    with scratch() as connection:
        spent = cpu(lambda: replay(owner.pk, Notes(connection), Lines(), []))
    print(f"replay        {COMMITS:7d} commits  {COMMITS / spent:6.0f} a second of CPU")


def committed(owner: Account, _count: int) -> None:
    from memory import ledger, store
    from memory.models import Commit
    from memory.remember import Draft, remember

    def write(number: int) -> None:
        remember(owner, Draft(f"Note number {number} is about the boat"), actor="bench", cause="bench")

    def no_commit(owner: Account, actor: str, cause: str, changes: Any) -> Commit:
        return Commit(owner_id=owner.pk, tick=0, address=f"{time.perf_counter_ns():064d}")

    def no_texts(owner: Account, entries: Any) -> None:
        pass

    whole, without = [], []
    for number in range(WRITES):
        whole.append(cpu(partial(write, 2 * number)))
        with mock.patch.object(ledger, "append", no_commit), mock.patch.object(store, "_keep_texts", no_texts):
            without.append(cpu(partial(write, 2 * number + 1)))
    all_of_it, rest = (1000 * median(times[WRITES // 10 :]) for times in (whole, without))
    print(f"one write     {all_of_it:.2f} ms of CPU  without its commit {rest:.2f}  it adds {all_of_it - rest:.2f}")


if __name__ == "__main__":
    main()
