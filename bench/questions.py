"""The questions that a harness is given: `--hit Q… --expect ID… --miss Q…`.

A hit has an answer in the store and names the entry that holds it; several are joined by commas, and `-` says that it
is not known. A miss has none. What nobody has filled in yet is refused, so that no figure rests on it.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from memory.domain.calibration import is_placeholder

UNKNOWN = "-"
IDS = re.compile(r"#?\d+(,#?\d+)*")
#: Fewer questions on a side carry no figure.
LEAST = 3


@dataclass(frozen=True)
class Asked:
    """`expect`: the entries that answer it, in the order given; empty for a miss, and where nobody knows."""

    text: str
    expect: tuple[int, ...]
    miss: bool


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--hit", nargs="+", action="extend", default=[], metavar="Q", help="has an answer in the store")
    parser.add_argument(
        "--expect",
        nargs="+",
        action="extend",
        default=[],
        metavar="ID",
        help="of each hit its entry: 12, or 12,40, or -",
    )
    parser.add_argument("--miss", nargs="+", action="extend", default=[], metavar="Q", help="has none")


def asked(options: argparse.Namespace) -> list[Asked]:
    """Hits, then misses. Exits with status 1, and says why, where nothing can be measured with them."""
    if not options.hit and not options.miss:
        _unusable("No question is given: name some with --hit and --miss.")
    for text in (*options.hit, *options.miss):
        refuse_placeholder(text)
    if len(options.expect) != len(options.hit):
        _unusable(
            f"{len(options.hit)} questions after --hit, {len(options.expect)} entries after --expect: name the entry "
            f"of each, in the same order, and `{UNKNOWN}` where you do not know it."
        )
    hits = [Asked(text, _ids(given), False) for text, given in zip(options.hit, options.expect, strict=True)]
    return _distinct([*hits, *(Asked(text, (), True) for text in options.miss)])


def refuse_placeholder(text: str) -> None:
    """Exits with status 1 for a question that is blank, or looks like the example it was to replace."""
    if is_placeholder(text):
        _unusable(f"“{text}” is no question yet: fill it in.")


def _ids(given: str) -> tuple[int, ...]:
    if given == UNKNOWN:
        return ()
    if not IDS.fullmatch(given):
        _unusable(f"--expect {given} is no entry: give its number (12), several (12,40), or `{UNKNOWN}`.")
    return tuple(dict.fromkeys(int(each.removeprefix("#")) for each in given.split(",")))


def _distinct(questions: Sequence[Asked]) -> list[Asked]:
    seen: set[str] = set()
    for question in questions:
        text = " ".join(question.text.casefold().split())
        if text in seen:
            _unusable(f"“{question.text}” is given twice.")
        seen.add(text)
    return list(questions)


def _unusable(why: str) -> NoReturn:
    print(why, file=sys.stderr)
    raise SystemExit(1)
