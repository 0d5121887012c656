"""Forge, Chroma and mem0 over the same rows and vectors: `python -m bench.peers --data FILE [--limit N]`.

Each store of the set (as bench.recall reads it) is filled into each of them, with the vectors of the bundled embedder,
which are made before and handed to all; then each gives ten rows for every question. Printed: R@10 with the interval of
the paired difference, and CPU of a question and of a row without the embedder, in times of ours. Each peer runs in an
environment of its own, which is made here once with `uv`, or with `venv` and pip (bench/peers/.venv-NAME, no part of
the project); telemetry is off. mem0 stores what it is given (`infer=False`) and searches as it comes from pip: by
vectors, since its words need models that it would fetch.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.measures import Met, measured, paired
from bench.place import place
from bench.sets import Exchange, Store, stores
from forgesite.lib.embeddings import Bundled
from forgesite.lib.vectors import Vector

HERE = Path(__file__).parent
#: What pip installs of each, and the versions that were measured.
PEERS = {"chroma": "chromadb==1.5.9", "mem0": "mem0ai==2.2.1"}
ROWS = 10
SILENT = {"ANONYMIZED_TELEMETRY": "False", "MEM0_TELEMETRY": "False", "OPENAI_API_KEY": "none", "POSTHOG_DISABLED": "1"}


class Given(Bundled):
    """The bundled embedder, with what it made of the texts that it will be asked for."""

    def __init__(self, texts: Sequence[str]) -> None:
        super().__init__()
        once = list(dict.fromkeys(texts))
        self.made: dict[str, Vector] = dict(zip(once, super().embed_documents(once), strict=True))

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        return [
            self.made[text] if text in self.made else super(Given, self).embed_documents([text])[0] for text in texts
        ]


@dataclass(frozen=True)
class Work:
    """One store: its distinct exchanges with the ids each is credited with, and the questions that have an answer."""

    name: str
    exchanges: tuple[Exchange, ...]
    ids: tuple[frozenset[str], ...]
    questions: tuple[tuple[str, frozenset[str]], ...]


@dataclass(frozen=True)
class Run:
    """`found`: of each question the places of the rows given, best first. CPU of a row and a question, milliseconds."""

    found: list[list[int]]
    row_ms: float
    question_ms: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--limit", type=int, help="ask only so many questions of each store")
    parser.add_argument("--peer", choices=PEERS, action="append")
    options = parser.parse_args()
    work = [work_of(store, options.limit) for store in stores(options.data)]
    environments = {name: environment(name) for name in options.peer or PEERS}
    with place(EMBEDDING_PROVIDER="bundled"):
        door = Given([text for each in work for text in texts_of(each)])
        runs = {"forge": together([ours(each, door) for each in work])}
        for name, python in environments.items():
            runs[name] = together([theirs(name, python, each, door) for each in work])
    print("\n".join(table(work, runs)))


def work_of(store: Store, limit: int | None) -> Work:
    credited: dict[str, frozenset[str]] = {}
    for each in store.exchanges:
        credited[each.text] = credited.get(each.text, frozenset()) | frozenset(each.ids)
    once = {each.text: each for each in reversed(store.exchanges)}
    exchanges = tuple(once[text] for text in credited)
    asked = [(question.text, question.gold) for question in store.questions if question.gold]
    return Work(store.id, exchanges, tuple(credited.values()), tuple(asked[:limit]))


def texts_of(work: Work) -> Iterator[str]:
    yield from (each.text for each in work.exchanges)
    yield from (text for text, _gold in work.questions)


def ours(work: Work, door: Given) -> Run:
    from forgesite.models import Account
    from memory.recall import Query, recall
    from memory.remember import Draft, remember_many

    account = Account.objects.create_user(work.name)
    drafts = [Draft(each.text, kind="exchange", origin="import", said_at=said_at(each)) for each in work.exchanges]
    began = time.process_time()
    entries = remember_many(account, drafts, actor="bench", cause="bench", door=door).entries
    places = {each.text: number for number, each in enumerate(work.exchanges)}
    recall(account, Query("Is it there?", top_k=ROWS), door=door)  # brings the index up to date
    indexed = time.process_time()
    answers = [recall(account, Query(text, top_k=ROWS), door=door).rows for text, _gold in work.questions]
    asked = time.process_time() - indexed
    found = [[places[row.entry.text] for row in rows] for rows in answers]
    return Run(found, 1000 * (indexed - began) / len(entries), 1000 * asked / max(1, len(found)))


def said_at(exchange: Exchange) -> Any:
    return getattr(exchange, "said_at", None)


def theirs(name: str, python: Path, work: Work, door: Given) -> Run:
    """By bench/peers/with_NAME.py in the peer's own environment, through two files in a folder that goes."""
    with tempfile.TemporaryDirectory(prefix="forge-bench-") as folder:
        given = {
            "rows": [[each.text, door.made[each.text].tolist()] for each in work.exchanges],
            "questions": [[text, door.made[text].tolist()] for text, _gold in work.questions],
            "top_k": ROWS,
        }
        (Path(folder) / "given.json").write_text(json.dumps(given))
        script = HERE / f"with_{name}.py"
        environ = os.environ | SILENT | {"HOME": folder, "MEM0_DIR": folder, "OMP_NUM_THREADS": "1"}
        subprocess.run([python, script, folder], check=True, env=environ, stdout=subprocess.DEVNULL)
        return Run(**json.loads((Path(folder) / "found.json").read_text()))


def environment(name: str) -> Path:
    """The Python of the peer's environment, made where it is not there yet."""
    folder = HERE / f".venv-{name}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not (folder / "made").exists():
        print(f"installing {PEERS[name]} into {folder}", file=sys.stderr)
        for command in commands(folder, python, PEERS[name]):
            subprocess.run(command, check=True)
        (folder / "made").touch()
    return python


def commands(folder: Path, python: Path, package: str) -> list[list[str]]:
    if uv := shutil.which("uv"):
        return [[uv, "venv", "-q", "--clear", str(folder)], [uv, "pip", "install", "-q", "-p", str(python), package]]
    return [[sys.executable, "-m", "venv", str(folder)], [str(python), "-m", "pip", "install", "-q", package]]


def together(runs: Sequence[Run]) -> Run:
    """The questions of all stores, in their order; times are the means of the stores'."""
    found = [each for run in runs for each in run.found]
    return Run(found, sum(run.row_ms for run in runs) / len(runs), sum(run.question_ms for run in runs) / len(runs))


def shares(work: Sequence[Work], run: Run) -> list[float]:
    """R@10 of each question."""
    asked = [(each, gold) for each in work for _text, gold in each.questions]
    return [_share(each, gold, found) for (each, gold), found in zip(asked, run.found, strict=True)]


def _share(work: Work, gold: frozenset[str], found: Sequence[int]) -> float:
    shown = [Met(dict.fromkeys(work.ids[place] & gold, 0), 0) for place in found]
    return measured(shown, gold, holders=sum(1 for ids in work.ids if ids & gold))["R@10"]


def table(work: Sequence[Work], runs: dict[str, Run]) -> Iterator[str]:
    rows, questions = sum(len(each.exchanges) for each in work), sum(len(each.questions) for each in work)
    yield f"{len(work)} stores, {rows} rows, {questions} questions; CPU without the embedder"
    yield f"{'':8} {'R@10':>6}  {'ours ahead by':24} {'ms a question':>14} {'ours':>6}  {'ms a row':>9} {'ours':>6}"
    own, mine = runs["forge"], shares(work, runs["forge"])
    for name, run in runs.items():
        score = shares(work, run)
        gain = paired(mine, score)
        ahead = f"{gain.mean:+.3f} [{gain.low:+.3f}, {gain.high:+.3f}]" if name != "forge" else ""
        times = f"{run.question_ms:14.2f} {own.question_ms / run.question_ms:5.2f}×  {run.row_ms:9.2f} "
        yield f"{name:8} {sum(score) / len(score):6.3f}  {ahead:24} {times}{own.row_ms / run.row_ms:5.2f}×"


if __name__ == "__main__":
    main()
