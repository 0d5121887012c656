"""How long the guard of bulk acts holds the write lock: the questions that it asks before and after, in a transaction.

    python -m bench.guard [--entries 5000] [--golden 240] [--most 50 240]

Made-up entries, searched as they are by default; each golden question is an entry's own words, less one. Five entries
are retracted and it is taken back. CPU time of the transaction, of one core; what is asked before it holds nobody up.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from typing import Any

from bench.filling import DOINGS, PLACES
from bench.place import place

WHO: dict[str, Any] = {"actor": "person", "cause": "bench"}
GONE = 5


def texts(count: int, seed: int = 7) -> list[str]:
    draw, doings, places = random.Random(seed), DOINGS.split(), PLACES.split()
    return [
        f"The {draw.choice(doings)} {number} in {draw.choice(places)} costs {draw.randrange(10, 9999)} euros"
        for number in range(count)
    ]


def measured(entries: int, golden: int, most: Sequence[int]) -> list[str]:
    from dataclasses import replace

    from django.db import transaction

    from forgesite.models import Account
    from memory.golden import star
    from memory.guard import watched
    from memory.move import retract_many
    from memory.remember import Draft, remember_many

    owner = Account.objects.create(username="bench")
    words = texts(entries)
    made = remember_many(owner, [Draft(text) for text in words], **WHO).entries
    for entry in made[:golden]:
        star(owner, entry.text.rsplit(" ", 2)[0], [entry.pk])
    ids, lines = [entry.pk for entry in made[:GONE]], []
    for count in most:
        watch = replace(watched(owner, touching=ids, most=count), seconds=3600.0)
        began = time.process_time()
        with transaction.atomic():
            retract_many(owner, ids, **WHO)
            found = watch.after()
            transaction.set_rollback(True)
        took = time.process_time() - began
        lines.append(
            f"most={count} asked={found.asked} unasked={found.unasked} losses={len(found.losses)} {took:.2f} s"
        )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=5000)
    parser.add_argument("--golden", type=int, default=240)
    parser.add_argument("--most", type=int, nargs="+", default=[50, 240])
    asked = parser.parse_args()
    with place():
        print("\n".join(measured(asked.entries, asked.golden, asked.most)))


if __name__ == "__main__":
    main()
