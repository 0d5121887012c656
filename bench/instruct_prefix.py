"""Does an instruction before a question help? `python -m bench.instruct_prefix --db FILE [--instruct TEXT]`.

    [--account NAME] --hit Q… --expect ID… --miss Q…

The same questions raw, then with the instruction (that of one's settings, or ours), on a copy of the store
(bench/on_copy.py): texts are embedded without one, so that the store stays as it is. Two gaps, and the direction of
each move. At least three questions of each side. Status 1: the input is of no use.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bench.on_copy import on_copy
from bench.questions import add_arguments, asked
from bench.recall_distance import account

if TYPE_CHECKING:
    from forgesite.models import Account
    from memory.calibrate import Measurement
    from memory.domain.calibration import Measured, Question

#: Moves that are none: a last digit.
STILL = 0.0001


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--db", type=Path, required=True)
    parser.add_argument("--account", default="", help="whose memory; the first one's where nobody is named")
    parser.add_argument("--instruct", default="", help="another instruction than that of the settings, or ours")
    add_arguments(parser)
    options = parser.parse_args(given)
    questions = asked(options)
    with on_copy(options.db):
        from forgesite.errors import ForgeError
        from memory.domain.calibration import Question

        own = [Question(each.text, each.expect) for each in questions]
        try:
            owner = account(options.account)
            raw = measured(owner, own, "")
            prefixed = measured(owner, own, instruction(options.instruct))
        except ForgeError as error:
            print(error.message, file=sys.stderr)
            return 1
    print(table(raw, prefixed))
    return 0


def instruction(named: str) -> str:
    """What is named, that of the settings, or ours."""
    from django.conf import settings

    from forgesite.env_file import QUOTED_NOTHING
    from forgesite.lib.embedding_doors import INSTRUCTION

    present = settings.FORGE.EMBEDDING_QUERY_INSTRUCT
    return named or (present if present not in QUOTED_NOTHING else "") or INSTRUCTION


def measured(owner: Account, questions: Sequence[Question], instruct: str) -> Measurement:
    """With this instruction; empty: with none."""
    from django.conf import settings
    from django.test import override_settings

    from memory import calibrate

    wanted = {"EMBEDDING_QUERY_INSTRUCT": instruct or '""'}
    with override_settings(FORGE=settings.FORGE.model_copy(update=wanted)):
        return calibrate.measure(owner, questions)


def table(raw: Measurement, prefixed: Measurement) -> str:
    lines = ["side  raw     prefixed  move     question"]
    lines += [_line(one, other) for one, other in zip(raw.measured, prefixed.measured, strict=True)]
    for name, found in (("raw", raw), ("prefixed", prefixed)):
        lines.append(f"{name}: gap {found.verdict.gap:+.4f} ({found.verdict.fit.value}), regime {found.regime}")
    moved = prefixed.verdict.gap - raw.verdict.gap
    lines.append(f"The instruction {'widens' if moved > STILL else 'narrows' if moved < -STILL else 'leaves'} the gap.")
    return "\n".join(lines)


def _line(one: Measured, other: Measured) -> str:
    """A hit that comes nearer and a miss that goes farther are what an instruction is for."""
    move = other.distance - one.distance
    good = move > 0 if one.miss else move < 0
    word = "same" if abs(move) <= STILL else "better" if good else "worse"
    side = "miss" if one.miss else "hit"
    return f"{side:<4}  {one.distance:.4f}  {other.distance:.4f}    {move:+.4f}  {word:<6}  {one.text}"


if __name__ == "__main__":
    sys.exit(main())
