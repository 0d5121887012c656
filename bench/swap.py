"""How long the swap to another model's vectors keeps others from writing: `python -m bench.swap [--entries N]`.

Made-up exchanges (bench/filling.py) with vectors of 512 numbers each out of a hash: those that are searched, and those
of another model, made first, that take their place. CPU of this process inside each transaction; the seconds of the
whole are of wall time.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

from bench.filling import BATCH, exchange
from bench.place import place
from bench.proof import DIM, Hashed

if TYPE_CHECKING:
    from forgesite.lib.vectors import Vector


class Other(Hashed):
    """Another model."""

    def embed_query(self, text: str) -> Vector:
        return super().embed_query(f"{text}!")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=10_000)
    entries = parser.parse_args().entries
    with place(EMBEDDING_PROVIDER="none"):
        fill(entries)
        measure(entries)


def fill(entries: int) -> None:
    from forgesite.models import Account
    from memory import embedding, vector_channel
    from memory.remember import Draft, remember_many

    owner = Account.objects.create(username="bench")
    for first in range(0, entries, BATCH):
        drafts = [Draft(exchange(number), "exchange") for number in range(first, min(first + BATCH, entries))]
        remember_many(owner, drafts, actor="import", cause="bench", door=Hashed())
    vector_channel.sync(embedding.regime(Hashed()), DIM)


def measure(entries: int) -> None:
    from django.db import connection

    from memory import reembed

    spans: list[float] = []
    began = [0.0]

    def seen(statement: str) -> None:
        if statement.startswith("BEGIN"):
            began[0] = time.process_time()
        elif statement.startswith("COMMIT"):
            spans.append(time.process_time() - began[0])

    connection.connection.set_trace_callback(seen)
    first = time.monotonic()
    assert reembed.reembed(Other()).swapped
    longest = ", ".join(f"{span * 1000:.0f}" for span in sorted(spans, reverse=True)[:3])
    print(f"{entries} entries in {time.monotonic() - first:.1f} s; the longest transactions: {longest} ms of CPU")


if __name__ == "__main__":
    main()
