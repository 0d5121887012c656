"""How many refusals in a model's own words are known as such, and how many answers are taken for none.

    python -m bench.refusals [--missed] [--data FOLDER or FILE]

Two sets written for it (bench/refusal_texts.py), 82 texts each, English and French. `--missed` prints what went wrong.
`--data`: sets as bench.recall reads them; of each, how many real texts the whole verdict would take for no answer,
loops and stand-ins included.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bench.refusal_texts import ANSWERS, REFUSALS
from bench.sets import files
from chat.domain.prompts import PREAMBLE_WITH_TOOLS
from chat.domain.verdict import verdict
from memory.domain.non_answers import is_non_answer
from memory.domain.refusals import is_refusal


def caught(texts: Sequence[str]) -> list[str]:
    return [text for text in texts if is_refusal(text) or is_non_answer(text)]


def line(name: str, texts: Sequence[str]) -> str:
    found = len(caught(texts))
    return f"{name:34} {found:4} of {len(texts):4}  {found / len(texts):6.1%}"


def real(path: Path) -> list[str]:
    """What assistants wrote in a set; every text of it where nobody is named as one."""
    rows = [row for store in json.loads(path.read_text())["stores"] for row in store["rows"]]
    return [row["text"] for row in rows if row["role"] == "assistant"] or [row["text"] for row in rows]


def judged(path: Path) -> str:
    texts = real(path)
    why = Counter(verdict(text, "stop", said=[PREAMBLE_WITH_TOOLS]).not_answered for text in texts)
    wrong = {reason: count for reason, count in why.items() if reason}
    total = sum(wrong.values())
    return f"{path.stem:34} {total:4} of {len(texts):4}  {total / len(texts):6.1%}  {wrong or ''}".rstrip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--missed", action="store_true", help="print the texts that were judged wrongly")
    parser.add_argument("--data", type=Path, help="sets of real texts")
    asked = parser.parse_args()
    half = len(REFUSALS) // 2
    for name, texts in (("refusals", REFUSALS), ("answers", ANSWERS)):
        print(line(f"{name}, rule adjusted on them", texts[:half]))
        print(line(f"{name}, not adjusted on", texts[half:]))
    for path in files(asked.data) if asked.data else []:
        print(judged(path))
    if asked.missed:
        known = caught(REFUSALS)
        print("\nnot caught:", *(text for text in REFUSALS if text not in known), sep="\n  ")
        print("\nfalsely caught:", *caught(ANSWERS), sep="\n  ")


if __name__ == "__main__":
    main()
