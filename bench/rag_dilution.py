"""What burying an answer in a long transcript costs: `python -m bench.rag_dilution [--question TEXT] [--data FILE]`.

One exchange alone in a memory, the same one buried in a block of a whole conversation, and the block cut by the rules
that resplit, import and compaction go by: the distance of the question to each, and its rank. FILE is JSON:
`{"question": …, "answers": PLACE, "exchanges": [[question, answer], …]}`. Every memory is made for the measurement and
gone after it; a store is refused. Status 1: the input is of no use, or cutting does not give back what burying took.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.dilution_texts import ANSWERS, EXCHANGES, QUESTION
from bench.place import place

if TYPE_CHECKING:
    from forgesite.models import Account

#: What a person has not filled in.
PLACEHOLDER = re.compile(r"[<>]|\.\.\.|…|\bTODO\b|\bXXX\b")
DATABASE = b"SQLite format 3\0"
#: A smaller difference is none.
GAIN = 0.05


class UnusableError(Exception):
    """Nothing can be measured with this input."""


@dataclass(frozen=True)
class Case:
    question: str
    answers: int
    exchanges: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Arm:
    """`rank` of the row with the answer among `rows`."""

    name: str
    distance: float
    rank: int
    rows: int


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--question", default="", help="another question that the same exchange answers")
    parser.add_argument("--data", type=Path, help="other exchanges")
    options = parser.parse_args()
    try:
        case = case_of(options.data, options.question)
    except UnusableError as error:
        print(error, file=sys.stderr)
        return 1
    with place(RECALL_MAX_DISTANCE="off", EMBEDDING_PROVIDER="bundled"):
        from forgesite.models import Account

        arms = measured(Account.objects.create_user("bench"), case)
    print(table(case, arms))
    return 0 if arms[2].distance == arms[0].distance else 1


def case_of(data: Path | None, question: str) -> Case:
    """Raises UnusableError for a store, for a file of another shape, and for a question that nobody wrote."""
    case = _read(data) if data else Case(QUESTION, ANSWERS, EXCHANGES)
    asked = question or case.question
    if not asked.strip() or PLACEHOLDER.search(asked):
        raise UnusableError(f"“{asked}” is no question yet: fill it in.")
    return Case(asked, case.answers, case.exchanges)


def _read(path: Path) -> Case:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UnusableError(f"{path} cannot be read: {error}") from None
    if data.startswith(DATABASE):
        raise UnusableError(f"{path} is a store, and a bench is no place for one. Give a JSON file of exchanges.")
    try:
        given: Any = json.loads(data)
        exchanges = tuple((str(asked), str(told)) for asked, told in given["exchanges"])
        case = Case(str(given["question"]), int(given["answers"]), exchanges)
    except (ValueError, KeyError, TypeError) as error:
        raise UnusableError(f"{path} is no JSON of question, answers and exchanges: {error!r}") from None
    if not 0 <= case.answers < len(case.exchanges):
        raise UnusableError(f"{path} names exchange {case.answers} of {len(case.exchanges)}.")
    return case


def measured(owner: Account, case: Case) -> tuple[Arm, Arm, Arm]:
    """Alone, buried, cut: one after the other in the owner's memory, each under a project of its own."""
    from chat.domain.transcript import Message, render, split

    said = [(Message("user", asked), Message("assistant", told)) for asked, told in case.exchanges]
    alone, block = render(said[case.answers]), render(message for pair in said for message in pair)
    pieces = split(block)
    return (
        _arm(owner, "alone", [alone], alone, case.question),
        _arm(owner, "buried", [block], block, case.question),
        _arm(owner, "split", pieces, alone, case.question),
    )


def _arm(owner: Account, name: str, texts: list[str], right: str, question: str) -> Arm:
    from memory.recall import Query, recall
    from memory.remember import Draft, remember_many

    drafts = [Draft(text, kind="exchange", origin="import", project=name) for text in texts]
    remember_many(owner, drafts, actor="bench", cause="bench")
    rows = recall(owner, Query(question, policy="vector", top_k=64, project=name)).rows
    found = next(row for row in rows if row.entry.text == right)
    assert found.distance is not None
    return Arm(name, found.distance, found.rank, len(texts))


def table(case: Case, arms: tuple[Arm, Arm, Arm]) -> str:
    alone, buried, cut = arms
    lines = [f"{len(case.exchanges)} exchanges; {case.question}"]
    lines += [f"{arm.name:8} {arm.distance:.4f}  rank {arm.rank} of {arm.rows}" for arm in arms]
    gain = buried.distance - cut.distance
    lines.append(f"burying costs {buried.distance - alone.distance:+.4f}; cutting gives back {gain:.4f}")
    if gain < GAIN:
        lines.append(f"no gain: less than {GAIN}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
