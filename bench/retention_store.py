"""The forgetting pass over a store: whether it looks at the right pairs, and what a pass costs.

    python -m bench.retention_store --data PATH [--limit N]     candidate recall
    python -m bench.retention_store --entries 10000             CPU and memory of one pass

Candidate recall: each labelled pair of the public set (its 70 %, see retention_split.py) is planted among 500 texts of
other pairs, as facts of one project, with the bundled embedder's vectors. Found: a pass looks at it sooner or later.
In the first: among the first 40 pairs.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import django
import numpy as np
from numpy.typing import NDArray

from bench.filling import DOINGS, PLACES, THINGS
from bench.place import place
from bench.retention_split import digest, held_out, pairs
from forgesite.lib.embeddings import Bundled
from retention.domain.alike import Close, merged
from retention.domain.candidates import MOST_PAIRS, chosen
from retention.domain.columns import Stamp, settled, stamps
from retention.domain.neighbours import Neighbours, content, neighbours

OTHERS, FLOOR = 500, 0.82
NOW = datetime(2026, 6, 1, tzinfo=UTC)
OLDER, NEWER = 0, 1
DIM, MB, WARM = 512, 2**20, 50

Matrix = NDArray[np.float32]
NONE = Close(np.empty(0, np.int64), np.empty(0, np.float32))


def candidate_recall(path: Path, limit: int) -> None:
    out = held_out()
    labelled = [pair for pair in pairs(path) if digest(pair) not in out]
    draw = random.Random(11)
    asked = draw.sample(labelled, min(limit, len(labelled))) if limit else labelled
    texts = sorted({pair[side]["text"] for pair in labelled for side in ("older", "newer")})
    known = {text: content(text) for text in texts}
    vectors = _embedded([pair[side]["text"] for pair in asked for side in ("older", "newer")] + texts[: OTHERS * 3])
    pool = [text for text in texts if text in vectors]
    every: Counter[str] = Counter()
    found: dict[str, Counter[str]] = {name: Counter() for name in ("cosine", "words", "either", "in the first")}
    for pair in asked:
        own = (pair["older"]["text"], pair["newer"]["text"])
        store = [*own, *(text for text in draw.sample(pool, OTHERS + 2) if text not in own)][: OTHERS + 2]
        every[pair["gold"]] += 1
        for name in _found(store, known, vectors):
            found[name][pair["gold"]] += 1
    for name, counts in found.items():
        print(f"{name:12}", {gold: round(counts[gold] / number, 3) for gold, number in sorted(every.items())})
    print(f"{'pairs':12}", dict(sorted(every.items())))


def _found(store: Sequence[str], known: dict[str, frozenset[str]], vectors: dict[str, Matrix]) -> list[str]:
    cosines = np.stack([vectors[text] for text in store]) @ np.stack([vectors[text] for text in store]).T
    near = list(neighbours([known[text] for text in store], len(store)))
    told = {
        "cosine": _looked_at(store, [], _above(cosines)),
        "words": _looked_at(store, near, NONE),
        "either": _looked_at(store, near, _above(cosines)),
    }
    names = [name for name, seen in told.items() if seen is not None]
    first = told["either"]
    return [*names, "in the first"] if first is not None and first < MOST_PAIRS else names


def _above(cosines: Matrix) -> Close:
    ones, others = np.nonzero(np.triu(cosines, 1) >= FLOOR)
    return Close(ones * len(cosines) + others, cosines[ones, others])


def _looked_at(store: Sequence[str], near: Sequence[Neighbours], close: Close) -> int | None:
    """The place of the planted pair among all; None where it is not among them."""
    alike = list(merged(near, close, len(store)))
    if not any({one, other} == {OLDER, NEWER} for some in alike for one, other in zip(*some[:2], strict=True)):
        return None
    of = stamps(_stamp(place) for place in range(len(store)))
    seen = chosen(of, alike, settled=settled(()), now=NOW, window=timedelta(days=30))
    places = [place for place, (one, other, _cosine) in enumerate(seen.pairs) if {one, other} == {OLDER, NEWER}]
    return places[0] if places else MOST_PAIRS


def _stamp(place: int) -> Stamp:
    at = NOW - timedelta(days=20 - min(place, 19))
    return Stamp(place, "fact", "", at, at)


def _embedded(texts: Sequence[str]) -> dict[str, Matrix]:
    distinct = list(dict.fromkeys(texts))
    made = Bundled().embed_documents([text[:1500] for text in distinct])
    return dict(zip(distinct, (np.asarray(vector, np.float32) for vector in made), strict=True))


def cost(entries: int) -> None:
    """Filled and passed over by processes of their own, so that what the one took hides nothing of the other."""
    with place(EMBEDDING_PROVIDER="none", FORGETTING_PASS_ENABLED="true", TRACE_ENABLED="false"):
        for act in ("--fill", "--pass-over"):
            command = [sys.executable, "-m", "bench.retention_store", act, str(entries)]
            subprocess.run(command, cwd=Path(__file__).parents[1], check=True)


def fill(entries: int) -> None:
    """The account to pass over, and one of a few entries."""
    django.setup()
    from forgesite.accounts import create_account

    _fill(create_account("bench"), entries)
    _fill(create_account("warm"), WARM)


def pass_over(entries: int) -> None:
    """The base is what the process takes once it has passed over a few entries. On Linux only."""
    django.setup()
    from forgesite.models import Account
    from retention import forgetting_pass

    forgetting_pass.run(Account.objects.get(username="warm"))
    owner = Account.objects.get(username="bench")
    Path("/proc/self/clear_refs").write_text("5")  # the peak is from here on, and not the one of the imports
    before, began = _peak(), time.process_time()
    done = forgetting_pass.run(owner)
    took = time.process_time() - began
    print(f"{entries} entries: {took:.1f} s of CPU, {_peak() - before:.0f} MB above {before:.0f} MB; {done}")


def _fill(owner: Any, entries: int) -> None:
    """Short facts, half of them untouched for long, each with a vector near one of a hundred others."""
    from forgesite.lib.vectors import Vector
    from memory import vector_channel
    from memory.models import Entry
    from memory.remember import Draft, remember_many

    draw, noise = random.Random(1), np.random.default_rng(1)
    said = [_fact(draw, number) for number in range(entries)]
    for start in range(0, entries, 1000):
        remember_many(owner, [Draft(text) for text in said[start : start + 1000]], actor="bench", cause="bench")
    old = datetime.now(UTC) - timedelta(days=60)
    own = Entry.objects.of(owner)
    own.filter(pk__lte=entries // 2).update(updated_at=old, recorded_at=old, said_at=old)
    middles = noise.standard_normal((100, DIM))
    rows = []
    for pk in own.values_list("pk", flat=True):
        vector = middles[pk % 100] + noise.standard_normal(DIM)
        made: Vector = np.asarray(vector / np.linalg.norm(vector), np.float32)
        rows.append(vector_channel.Kept(pk, 1, 0, "bench", made))
    vector_channel.keep(rows)
    vector_channel.sync("bench", DIM)


def _fact(draw: random.Random, number: int) -> str:
    thing, spot, doing = (draw.choice(words.split()) for words in (THINGS, PLACES, DOINGS))
    return f"The {thing} number {number // 3} in {spot} is {doing} for {draw.randint(2, 900)} euros"


def _peak() -> float:
    """By the kernel's own count: `ru_maxrss` of a child begins with what its parent had."""
    [line] = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) * 1024 / MB


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="pairs.jsonl")
    parser.add_argument("--limit", type=int, default=0, help="plant only so many pairs")
    parser.add_argument("--entries", type=int, help="fill a store with so many, and pass over it once")
    parser.add_argument("--fill", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--pass-over", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.data:
        candidate_recall(given.data, given.limit)
    if given.entries:
        cost(given.entries)
    if given.fill:
        fill(given.fill)
    if given.pass_over:
        pass_over(given.pass_over)


if __name__ == "__main__":
    main()
