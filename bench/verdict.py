"""Can a model tell that a block does not answer? `python -m bench.verdict [--url URL --model NAME] [--said]`.

Eight cases (bench/verdict_cases.py), asked in four ways: *plain* (does it answer?), *negated* (is the answer missing?),
*cite* (copy the line that answers, or NONE), *reason* (a sentence first, the word last). Of each way: how many verdicts
are right; FALSE NO, an answer that is there and is denied; FALSE YES, one that is not there and is claimed; and how
many say neither. `--said` prints the answers. Which model is asked: bench/asking.py. Status 1: there is none.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bench.asking import add_arguments, answers, name_of, opened
from bench.verdict_cases import CASES, Case

SYSTEM = "You check whether a block of text answers a question. You go by the block alone."
TOKENS = 96
WORD = re.compile(r"\b(?:yes|no|oui|non)\b", re.IGNORECASE)
NONE = re.compile(r"\bnone\b", re.IGNORECASE)
RIGHT, FALSE_NO, FALSE_YES, UNCLEAR = "right", "FALSE NO", "FALSE YES", "unclear"


@dataclass(frozen=True)
class Arm:
    """How a verdict is asked for and read: True where it says that the block answers, None where it says neither."""

    name: str
    wanted: str
    read: Callable[[str, Case], bool | None]


def first(said: str) -> bool | None:
    """The first yes or no of a text."""
    found = WORD.search(said)
    return None if found is None else found[0].casefold() in ("yes", "oui")


def plain(said: str, _case: Case) -> bool | None:
    return first(said)


def negated(said: str, _case: Case) -> bool | None:
    missing = first(said)
    return None if missing is None else not missing


def cited(said: str, case: Case) -> bool | None:
    """A line that the block does not hold was made up: it says neither."""
    if NONE.search(said):
        return False
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return True if lines and any(line in case.block for line in lines) else None


def reasoned(said: str, _case: Case) -> bool | None:
    """The last yes or no."""
    found = WORD.findall(said)
    return None if not found else found[-1].casefold() in ("yes", "oui")


ARMS = (
    Arm("plain", "Does the block answer the question? Say YES or NO.", plain),
    Arm("negated", "Is the answer to the question missing from the block? Say YES or NO.", negated),
    Arm("cite", "Copy the line of the block that answers the question, or say NONE.", cited),
    Arm("reason", "Say in one sentence what the block tells of it; end with YES if it answers, or NO.", reasoned),
)


def asked(case: Case, arm: Arm) -> str:
    return f"Question: {case.question}\n\nBlock:\n{case.block}\n\n{arm.wanted}"


def outcome(case: Case, said: bool | None) -> str:
    if said is None:
        return UNCLEAR
    return RIGHT if said is case.answers else (FALSE_YES if said else FALSE_NO)


def judged(arm: Arm, said: Sequence[str]) -> Mapping[str, int]:
    return Counter(outcome(case, arm.read(text, case)) for case, text in zip(CASES, said, strict=True))


def line(name: str, found: Mapping[str, int]) -> str:
    return f"{name:10}" + "".join(f"{found.get(each, 0):11}" for each in (RIGHT, FALSE_NO, FALSE_YES, UNCLEAR))


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--said", action="store_true", help="print what the model said")
    add_arguments(parser)
    options = parser.parse_args(given)
    door = opened(options)
    said = answers(door, [(SYSTEM, asked(case, arm)) for arm in ARMS for case in CASES], TOKENS)
    print(f"{len(CASES)} cases, {name_of(door)}")
    print(f"{'':10}" + "".join(f"{each:>11}" for each in (RIGHT, FALSE_NO, FALSE_YES, UNCLEAR)))
    for number, arm in enumerate(ARMS):
        mine = said[number * len(CASES) : (number + 1) * len(CASES)]
        print(line(arm.name, judged(arm, mine)))
        if options.said:
            print(*(f"    {text!r}" for text in mine), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
