"""How many refusals in a model's own words are known as such, and how many answers are taken for one.

    python -m bench.refusals [--missed]

Two sets written for it (bench/refusal_texts.py), 82 texts each, English and French. `--missed` prints what went wrong.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from bench.refusal_texts import ANSWERS, REFUSALS
from memory.domain.non_answers import is_non_answer
from memory.domain.refusals import is_refusal


def caught(texts: Sequence[str]) -> list[str]:
    return [text for text in texts if is_refusal(text) or is_non_answer(text)]


def line(name: str, texts: Sequence[str]) -> str:
    found = len(caught(texts))
    return f"{name:34} {found:3} of {len(texts):3}  {found / len(texts):6.1%}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--missed", action="store_true", help="print the texts that were judged wrongly")
    asked = parser.parse_args()
    half = len(REFUSALS) // 2
    for name, texts in (("refusals", REFUSALS), ("answers", ANSWERS)):
        print(line(f"{name}, rule adjusted on them", texts[:half]))
        print(line(f"{name}, not adjusted on", texts[half:]))
    if asked.missed:
        known = caught(REFUSALS)
        print("\nnot caught:", *(text for text in REFUSALS if text not in known), sep="\n  ")
        print("\nfalsely caught:", *caught(ANSWERS), sep="\n  ")


if __name__ == "__main__":
    main()
