"""How fast entries come in: `python -m bench.intake --data FOLDER [--rows N]`.

The exchanges of LoCoMo, told apart by a number, a thousand a batch as an import writes them: entries a second of CPU
without an embedder, in a process of its own; then with the bundled one and that one alone on the same texts, batch by
batch in turn, so that what else the machine does meets both.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bench.place import place
from bench.sets import stores

if TYPE_CHECKING:
    from forgesite.models import Account

BATCH = 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--words", action="store_true", help="only the figure without an embedder")
    options = parser.parse_args()
    rows = texts(options.data, options.rows)
    if options.words:
        print(without(rows))
        return
    command = [
        sys.executable,
        "-m",
        "bench.intake",
        "--data",
        str(options.data),
        "--rows",
        str(options.rows),
        "--words",
    ]
    alone = float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    whole, embedder = with_bundled(rows)
    print(f"{options.rows} exchanges; entries a second of CPU")
    print(f"without an embedder  {alone:.0f}")
    print(f"with the bundled one {whole:.0f}")
    print(f"the embedder alone   {embedder:.0f}")
    print(f"ratio                {whole / embedder:.3f}")


def texts(data: Path, rows: int) -> list[str]:
    found = [each.text for store in stores(data / "locomo.json") for each in store.exchanges]
    return [f"{found[number % len(found)]} {number // len(found) or ''}" for number in range(rows)]


def batches(rows: Sequence[str]) -> list[Sequence[str]]:
    return [rows[first : first + BATCH] for first in range(0, len(rows), BATCH)]


def without(rows: Sequence[str]) -> float:
    with place(EMBEDDING_PROVIDER="none"):
        owner = account()
        return len(rows) / sum(cpu(partial(take_in, owner, some)) for some in batches(rows))


def with_bundled(rows: Sequence[str]) -> tuple[float, float]:
    with place(EMBEDDING_PROVIDER="bundled"):
        from memory import embedding

        owner, door = account(), embedding.served()
        embedding.embedded(door, rows[:1])  # loads the model
        whole = embedder = 0.0
        for some in batches(rows):
            embedder += cpu(partial(embedding.embedded, door, some))
            whole += cpu(partial(take_in, owner, some))
        return len(rows) / whole, len(rows) / embedder


def cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def account() -> Account:
    from forgesite.models import Account

    return Account.objects.create_user("bench")


def take_in(owner: Account, some: Sequence[str]) -> None:
    from memory.remember import Draft, remember_many

    drafts = [Draft(text, kind="exchange", origin="import") for text in some]
    remember_many(owner, drafts, actor="bench", cause="bench")


if __name__ == "__main__":
    main()
