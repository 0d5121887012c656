"""What the writing rules let a model save: `python -m bench.writing --data FOLDER` (the folder of the intake sets).

A scripted model proposes, in the real turn and store. Of a question, an order and a greeting: the person's own words,
of which nothing may be saved. Of a statement: what its labels say, which is to be saved; the labels of other texts, and
those of the same text to a person who wrote it in French, of which nothing may be. Of the French texts, which have no
labels of their own: each of their sentences. What is saved is looked through for names and numbers that its text lacks,
by a rule of this bench's own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.place import place

if TYPE_CHECKING:
    from forgesite.models import Account
    from forgesite.testing_models import ScriptedModel

#: How far in the set another text stands whose labels are proposed.
OTHERS = (1, 7, 13)
#: The sets of which all is to be saved: what is refused of them is listed.
TO_BE_SAVED = ("labels", "sentences fr")
NAME = re.compile(r"(?<=[^.!?:] )[A-ZÀ-Þ][\w’'-]+|\d+(?:[.,]\d+)*")


@dataclass(frozen=True)
class Case:
    """What a person writes, and what the model proposes to save of it, each with its kind."""

    text: str
    proposed: tuple[tuple[str, str], ...]


@dataclass
class Counted:
    saved: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)
    made_up: list[str] = field(default_factory=list)

    def line(self) -> str:
        total = self.saved + self.refused.total()
        rules = ", ".join(f"{rule} {count}" for rule, count in self.refused.most_common())
        return f"{total:4} proposed  {self.saved:4} saved ({self.saved / max(1, total):.1%})  refused: {rules or '-'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--most", type=int, default=None, help="only the first so many texts of each set")
    options = parser.parse_args()
    from forgesite.testing_models import ScriptedModel

    with ScriptedModel() as model, place(LLM_PROVIDER="openai", LLM_URL=model.url, EMBEDDING_PROVIDER="none"):
        from forgesite.models import Account

        for name, cases in sets(options.data):
            owner = Account.objects.create_user(name.replace(" ", "-"))
            counted = asyncio.run(proposed(owner, model, cases[: options.most]))
            print(f"{name:34} {counted.line()}")
            shown = counted.examples if name in TO_BE_SAVED else []
            for line in [*shown, *(f"MADE UP: {one}" for one in counted.made_up)]:
                print(f"    {line}")


def sets(data: Path) -> Iterator[tuple[str, list[Case]]]:
    kinds = {row["id"]: row["label"] for row in rows(data / "calibration/labels.jsonl")}
    for language, file in (("en", "dataset.jsonl"), ("fr", "dataset.fr.jsonl")):
        found = rows(data / "calibration" / file)
        for kind in sorted(set(kinds.values())):
            yield f"{kind} {language}", [own(row["text"]) for row in found if kinds[row["id"]] == kind]
    folder = data / "memory_extraction"
    labels = {row["id"]: row["memories"] for row in rows(folder / "labels.jsonl")}
    english, french = rows(folder / "dataset.jsonl"), rows(folder / "dataset.fr.jsonl")
    yield "labels", [Case(row["text"], memories(labels[row["id"]])) for row in english]
    yield "sentences fr", [Case(row["text"], tuple(("note", one) for one in stated(row["text"]))) for row in french]
    yield "labels to french", [Case(row["text"], memories(labels[row["id"]])) for row in french]
    yield (
        "labels of other texts",
        [
            Case(row["text"], memories(labels[english[(place_ + away) % len(english)]["id"]]))
            for place_, row in enumerate(english)
            for away in OTHERS
        ],
    )


def rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def own(text: str) -> Case:
    """The person's words, as they are and without their mark."""
    return Case(text, tuple(("fact", one) for one in dict.fromkeys([text, text.rstrip(" ?!.")])))


def memories(found: Sequence[dict[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((memory["type"], memory["content"]) for memory in found)


def stated(text: str) -> list[str]:
    """Sentences of at least three words."""
    return [one for one in re.split(r"(?<=[.!?])\s+", text) if len(one.split()) > 2]


async def proposed(owner: Account, model: ScriptedModel, cases: Sequence[Case]) -> Counted:
    from chat.outcome import complete
    from chat.turn_request import TurnRequest

    counted = Counted()
    for case in cases:
        model.will_call(*[("remember", {"kind": kind, "content": text}) for kind, text in case.proposed])
        done = await complete(TurnRequest(owner, case.text, door="api"))
        counted.saved += len(done.saved)
        for frame in done.saved:
            content = str(frame["entry"]["content"])
            counted.made_up += [f"{made_up} in “{content}”" for made_up in lacking(content, case.text)]
        for frame in done.refused:
            counted.refused[frame["rule"]] += 1
            counted.examples.append(f"{frame['rule']}: {frame['text']} | {frame['message']}")
    return counted


def lacking(saved: str, text: str) -> list[str]:
    """Names and numbers of what was saved that are nowhere in the text."""
    plain = text.casefold()
    return [name for name in NAME.findall(saved) if name.removesuffix("'s").removesuffix("’s").casefold() not in plain]


if __name__ == "__main__":
    main()
