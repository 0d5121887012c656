"""What a hot block past its budget keeps in reach: cut at its end, or turned into an index of subjects.

    python -m bench.hot_index [--entries 200 500 1000] [--tokens 1000]

Made-up entries, half of them about twenty things that come back, half about something of its own. A question names an
entry's thing; the entry is in reach where the block holds it, or where the index opens it within as many tokens again.
No search runs beside: what one would find comes on top, for either. CPU time, of one core.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.filling import DOINGS, PLACES
from forgesite.lib.tokens import estimate
from memory.domain import hot_block
from memory.domain.hot_block import Kept
from memory.domain.hot_index import Index, fitting, index

#: Things that come back.
THINGS = (
    "backup printer router boat garden bicycle oven passport kettle camera violin tent piano heater mower garage "
    "allotment aquarium motorbike greenhouse"
)
SAID = (
    "The {thing} in {place} was {done} in {year} and costs {number} euros a year",
    "{name} keeps the key of the {thing}, in {place}",
    "The {thing} has the serial number {number}, {done} by {name}",
    "I want the {thing} {done} before {year}, not in {place}",
)
SYLLABLES = ("ba", "ko", "ri", "ten", "mal", "su", "vor", "pi", "lan", "dex", "ju", "or", "quin", "fel", "sta", "mi")
MARK = "0123456789abcdef"


@dataclass(frozen=True)
class Made:
    """An entry, and the question that it answers."""

    kept: Kept
    question: str


@dataclass(frozen=True)
class Measured:
    tokens: int
    reached: float
    left_out: int
    milliseconds: float


def made(count: int, seed: int = 7) -> list[Made]:
    draw = random.Random(seed)
    return [_made(number, draw) for number in range(1, count + 1)]


def _made(number: int, draw: random.Random) -> Made:
    thing = draw.choice(THINGS.split()) if draw.random() < 0.5 else word(draw)
    said = draw.choice(SAID).format(
        thing=thing,
        place=draw.choice(PLACES.split()),
        done=draw.choice(DOINGS.split()),
        name=word(draw).capitalize(),
        year=draw.randint(1990, 2030),
        number=draw.randint(100, 9999),
    )
    return Made(Kept(number, "fact", "", said), f"What do you know about the {thing}?")


def word(draw: random.Random) -> str:
    return "".join(draw.sample(SYLLABLES, 3))


def cut(entries: Sequence[Made], most: int) -> Measured:
    began = time.process_time()
    fits = hot_block.fitting([one.kept for one in entries], mark=MARK, most=most, cost=estimate)
    spent = time.process_time() - began
    held = len(fits.entries)
    return Measured(fits.cost, held / len(entries), len(entries) - held, spent * 1000)


def indexed(entries: Sequence[Made], most: int) -> Measured:
    began = time.process_time()
    found = index(one.kept for one in entries)
    fits = fitting(found.topics, mark=MARK, most=most, cost=estimate)
    spent = time.process_time() - began
    sizes = {one.kept.id: estimate(hot_block.lined(one.kept, MARK)) + 1 for one in entries}
    reached = sum(one.kept.id in opened(found, one.question, sizes, most) for one in entries)
    return Measured(fits.cost, reached / len(entries), fits.left_out, spent * 1000)


def opened(found: Index, question: str, sizes: dict[int, int], most: int) -> set[int]:
    return set(_within([named.id for named in found.named(question)], sizes, most))


def _within(ids: Sequence[int], sizes: dict[int, int], most: int) -> Iterator[int]:
    for pk in ids:
        if (most := most - sizes[pk]) < 0:
            return
        yield pk


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, nargs="+", default=[200, 500, 1000])
    parser.add_argument("--tokens", type=int, default=1000)
    asked = parser.parse_args()
    print("entries  block   tokens  in reach  left out        ms")
    for count in asked.entries:
        entries = made(count)
        for name, measured in (("cut", cut(entries, asked.tokens)), ("index", indexed(entries, asked.tokens))):
            print(
                f"{count:7}  {name:6}  {measured.tokens:6}  {measured.reached:8.0%}  {measured.left_out:8}"
                f"  {measured.milliseconds:8.1f}"
            )


if __name__ == "__main__":
    main()
