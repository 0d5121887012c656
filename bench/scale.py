"""What a question costs in a large memory: `python -m bench.scale [--entries N]… [--questions N] [--folder PATH]`.

Made exchanges with the vocabulary of texts (bench/scale_texts.py): N of the account that asks, and a tenth of that of
each of three others. The first 2,000 vectors are the bundled embedder's, the others made of them: one of these, a part
of a second, and noise, at unit length, so that filling takes minutes and not hours. Then, in a process of its own with
the embedder in the loop: CPU of a question (median, 95th percentile) by each policy, the highest memory, and the size
of the file. `--forms`: quicker ways to scan the same vectors, with the share of the true nearest that each finds.
`--folder` keeps what was filled for another run.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles

import numpy as np

from bench.scale_forms import forms
from bench.scale_texts import exchange, question
from forgesite.lib.embeddings import Bundled
from forgesite.lib.vectors import Vector

BATCH, REAL = 1000, 2000
OTHERS, OTHERS_SHARE = 3, 10
POLICIES = ("hybrid", "vector", "lexical")
WARM = 5
#: Noise beside unit vectors: with it the nearest of a made vector is as near as an exchange's nearest usually is.
SECOND, NOISE = 0.5, 0.5
MB = 2**20


class Quick(Bundled):
    """The bundled embedder, which makes most vectors of an import up from those it made first."""

    def __init__(self) -> None:
        super().__init__()
        self.known: list[Vector] = []
        self._random = np.random.default_rng(0)

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        if len(texts) < BATCH // 2:  # the probes that name the regime
            return super().embed_documents(texts)
        if len(self.known) < REAL:
            self.known += (made := super().embed_documents(texts))
            return made
        return [self._made() for _text in texts]

    def _made(self) -> Vector:
        first, second = self._random.integers(0, len(self.known), 2)
        noise = self._random.standard_normal(self.dim) / self.dim**0.5
        vector = np.asarray(self.known[first]) + SECOND * np.asarray(self.known[second]) + NOISE * noise
        return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, action="append")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--folder", type=Path, help="where the databases stay")
    parser.add_argument("--forms", action="store_true")
    parser.add_argument("--step", choices=("fill", "ask"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        set_up(options.folder)
        fill(options.entries[0]) if options.step == "fill" else ask(options)
        return
    with tempfile.TemporaryDirectory(prefix="forge-bench-") as folder:
        for entries in options.entries or [10_000]:
            measure(entries, (options.folder or Path(folder)) / str(entries), options)


def measure(entries: int, folder: Path, options: argparse.Namespace) -> None:
    if not (folder / "filled").exists():
        folder.mkdir(parents=True, exist_ok=True)
        print(run("fill", entries, folder, options), flush=True)
        (folder / "filled").touch()
    print(run("ask", entries, folder, options), flush=True)


def run(step: str, entries: int, folder: Path, options: argparse.Namespace) -> str:
    command = [sys.executable, "-m", "bench.scale", "--step", step, "--entries", str(entries), "--folder", str(folder)]
    command += ["--questions", str(options.questions), *(["--forms"] if options.forms else [])]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.rstrip()


def set_up(folder: Path) -> None:
    os.environ |= {"DATA_DIR": str(folder), "FORGE_ENV_FILE": "", "EMBEDDING_PROVIDER": "bundled"}
    os.environ["DJANGO_SETTINGS_MODULE"] = "forgesite.settings"
    import django

    django.setup()


def fill(entries: int) -> None:
    from django.core.management import call_command

    from forgesite.models import Account

    call_command("migrate", verbosity=0)
    door, began = Quick(), time.process_time()
    _remembered(Account.objects.create_user("asks"), range(entries), door)
    for other in range(1, OTHERS + 1):
        first = entries * (1 + other)
        numbers = range(first, first + max(BATCH, entries // OTHERS_SHARE))
        _remembered(Account.objects.create_user(f"other-{other}"), numbers, door)
    seconds = time.process_time() - began
    print(f"{entries} entries and those of {OTHERS} others: filled in {seconds:.0f} s of CPU, {peak():.0f} MB at most")


def _remembered(owner: object, numbers: range, door: Quick) -> None:
    from forgesite.models import Account
    from memory.remember import Draft, remember_many

    assert isinstance(owner, Account)
    for first in range(numbers.start, numbers.stop, BATCH):
        some = range(first, min(first + BATCH, numbers.stop))
        drafts = [Draft(exchange(number), kind="exchange", origin="import") for number in some]
        remember_many(owner, drafts, actor="bench", cause="bench", door=door)


def ask(options: argparse.Namespace) -> None:
    from django.conf import settings
    from django.core.management import call_command

    from forgesite.models import Account

    call_command("migrate", verbosity=0)  # what was filled may be older than this code
    owner, entries = Account.objects.get(username="asks"), options.entries[0]
    before = time.process_time()
    found = {policy: times(owner, policy, entries, options.questions) for policy in POLICIES}
    print(f"{entries} entries, {options.questions} questions, {time.process_time() - before:.0f} s of CPU in all")
    first = ", ".join(f"{each:.0f}" for each in found[POLICIES[0]][:WARM])
    print(f"  the first questions after a start: {first} ms of CPU")
    for policy, ms in ((policy, ms[WARM:]) for policy, ms in found.items()):
        print(f"  {policy:8} p50 {median(ms):6.1f} ms  p95 {quantiles(ms, n=20)[-1]:6.1f} ms of CPU")
    size = settings.DATABASE_FILE.stat().st_size
    print(f"  {peak():.0f} MB at most, a file of {size / MB:.0f} MB, {size / entries:.0f} bytes an entry")
    if options.forms:
        print(
            "\n".join(map(str, forms(owner.pk, [question(number) for number in numbers(entries, options.questions)])))
        )


def times(owner: object, policy: str, entries: int, questions: int) -> list[float]:
    """Milliseconds of CPU of each question. The first WARM ones load the embedder and read the vectors."""
    from forgesite.models import Account
    from memory.recall import Query, recall

    assert isinstance(owner, Account)
    ms = []
    for number in numbers(entries, WARM + questions):
        began = time.process_time()
        recall(owner, Query(question(number), policy=policy))
        ms.append((time.process_time() - began) * 1000)
    return ms


def numbers(entries: int, count: int) -> list[int]:
    """Of exchanges from all over the memory."""
    return [place * entries // count for place in range(count)]


def peak() -> float:
    """The highest memory of this process, in MB."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / MB


if __name__ == "__main__":
    main()
