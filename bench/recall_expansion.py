"""What asking in other words finds: `python -m bench.recall_expansion --db FILE --hit Q… --expect ID… --miss Q…`.

    [--mode terms|llm|both] [--cutoff VALUE] [--repeat N] [--account NAME] [--url URL [--provider NAME] [--model NAME]]

On a copy (bench/on_copy.py). Where the policy in force leaves a question nothing, it is asked again as RECALL_EXPANSION
would, and each mode says what came of it: *rescued* (a hit: an entry that was named), *wrong entry* (rows, none of
them), *false rescue* (a miss with rows), *out of reach* (nothing); *already found*: nothing was left to rescue. Beside
it, how far the entry that was named (of a miss: the nearest one) is from the question, and from the nearest variant.
--repeat asks a model so often, all questions in turn, and keeps of each the worst draw. The last line of a mode is the
gap between hits and misses where it asked again; with fewer than three of each there is none. Status 1: the input is
of no use.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench import asking
from bench.on_copy import on_copy
from bench.questions import LEAST, Asked, add_arguments, asked
from bench.rag_hybrid import forge, owner_of, unusable

if TYPE_CHECKING:
    from forgesite.lib.language_models import ModelDoor
    from forgesite.models import Account
    from memory.recall import Recalled

RESCUED, WRONG, FALSE, REACHLESS, FOUND = "rescued", "wrong entry", "false rescue", "out of reach", "already found"
#: The worst comes last.
WORST = (FOUND, RESCUED, REACHLESS, WRONG, FALSE)
MOST_REPEATS = 20
CANDIDATES = 64


@dataclass(frozen=True)
class Draw:
    """One way to ask a question again, and what it found. `distance`: of the entry that counts, None where it has none.

    `fired`: it was asked again at all.
    """

    outcome: str
    distance: float | None = None
    variants: tuple[str, ...] = ()
    fired: bool = True


@dataclass(frozen=True)
class Seen:
    """A question, how far its entry is from it, what it found by itself, and the worst draw of each mode."""

    question: Asked
    distance: float | None
    draws: Mapping[str, Draw]


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--db", type=Path, required=True)
    parser.add_argument("--account", default="", help="whose memory; the first one's where nobody is named")
    parser.add_argument("--mode", choices=("terms", "llm", "both"), default="terms")
    parser.add_argument("--cutoff", help="as RECALL_MAX_DISTANCE: a distance with its tag")
    parser.add_argument("--repeat", type=int, default=1, help="times that a model is asked for each question")
    asking.add_arguments(parser)
    add_arguments(parser)
    options = parser.parse_args(given)
    questions = asked(options)
    options.top_k = options.lexical_top_k = 1
    options.max_df = ()
    changed = {} if options.cutoff is None else {"RECALL_MAX_DISTANCE": options.cutoff}
    why = unusable(options, changed)
    if not 1 <= options.repeat <= MOST_REPEATS:
        why = f"--repeat {options.repeat} is none: it can be 1 to {MOST_REPEATS}."
    if why:
        print(why, file=sys.stderr)
        return 1
    door = asking.opened(options) if options.mode != "terms" else None
    with on_copy(options.db, RECALL_EXPANSION="off", **changed):
        return _measure(owner_of(options.account), questions, options, door)


def _measure(owner: Account, questions: Sequence[Asked], options: argparse.Namespace, door: ModelDoor | None) -> int:
    from memory.recall import Query, recall

    plain = [recall(owner, Query(question.text)) for question in questions]
    if any(found.cutoff is None for found in plain):
        print("No cutoff is in force, so nothing is ever left without a row: give one by --cutoff.", file=sys.stderr)
        return 1
    modes = ("terms", "llm") if options.mode == "both" else (options.mode,)
    asked_again = [each for each, found in zip(questions, plain, strict=True) if _fires(found)]
    written, seconds = rewritten(door, asked_again, options.repeat) if door else ({}, 0.0)
    seen = [one(owner, each, found, modes, written) for each, found in zip(questions, plain, strict=True)]
    print("\n".join(table(seen, modes)))
    if door:
        calls = options.repeat * len(asked_again)
        print(f"\n{asking.name_of(door)}: {calls} calls, {seconds:.1f} s, {seconds / max(1, calls):.1f} s each")
    return 0


def _fires(found: Recalled) -> bool:
    from memory.recall import ANSWERING

    return not any(row.channel in ANSWERING for row in found.rows)


def rewritten(
    door: ModelDoor, questions: Sequence[Asked], repeat: int
) -> tuple[dict[str, list[tuple[str, ...]]], float]:
    """The variants of each draw by the question's text, as a turn would get them; and the seconds that it took."""
    began = time.monotonic()
    return asyncio.run(_rewritten(door, questions, repeat)), time.monotonic() - began


async def _rewritten(door: ModelDoor, questions: Sequence[Asked], repeat: int) -> dict[str, list[tuple[str, ...]]]:
    from chat.answering import Answering
    from chat.expanding import by_model
    from chat.prompting.window import Window
    from forgesite.lib import model_doors

    model = Answering(door, "bench", Window(asking.CONTEXT, estimated=True))
    draws: dict[str, list[tuple[str, ...]]] = {question.text: [] for question in questions}
    try:
        for _round in range(repeat):
            for question in questions:
                draws[question.text].append(await by_model(model, question.text))
    finally:
        await model_doors.close()
    return draws


def one(
    owner: Account,
    question: Asked,
    plain: Recalled,
    modes: Sequence[str],
    written: Mapping[str, Sequence[tuple[str, ...]]],
) -> Seen:
    from memory.domain.expansion import by_rule, within_limits

    by_itself = _distance(owner, question, [question.text])
    if not _fires(plain):
        right = question.miss or not question.expect or any(row.entry.pk in question.expect for row in plain.rows)
        already = Draw(FOUND if right else WRONG, by_itself, fired=False)
        return Seen(question, by_itself, dict.fromkeys(modes, already))
    ways = {"terms": [by_rule(question.text)]}
    ways["llm"] = [within_limits(question.text, each) for each in written.get(question.text, ())]
    draws = {mode: [draw(owner, question, each) for each in ways[mode]] for mode in modes}
    kept = {mode: max(some, key=lambda each: worst(each, miss=question.miss)) for mode, some in draws.items()}
    return Seen(question, by_itself, kept)


def draw(owner: Account, question: Asked, variants: tuple[str, ...]) -> Draw:
    from memory.finding.rescue import found_by
    from memory.recall import Query

    ids = [row.entry.pk for row in found_by(owner, Query(question.text), variants, None)]
    if not ids:
        outcome = REACHLESS
    elif question.miss:
        outcome = FALSE
    else:
        outcome = RESCUED if not question.expect or set(ids) & set(question.expect) else WRONG
    return Draw(outcome, _distance(owner, question, variants), variants)


def worst(draw: Draw, *, miss: bool) -> tuple[int, float]:
    """Of equal outcomes a hit's is the worse the farther away it is, a miss's the nearer."""
    distance = draw.distance if draw.distance is not None else 2.0
    return WORST.index(draw.outcome), -distance if miss else distance


def _distance(owner: Account, question: Asked, texts: Sequence[str]) -> float | None:
    """Of the entry that was named, else of the nearest one, whatever the cutoff."""
    from memory.finding.rescue import found_by
    from memory.recall import Query

    with forge(RECALL_MAX_DISTANCE="off"):  # type: ignore[arg-type]
        rows = found_by(owner, Query("", policy="vector", top_k=CANDIDATES), texts, None)
    return min(
        (row.distance for row in rows if row.distance is not None and _counts(question, row.entry.pk)), default=None
    )


def _counts(question: Asked, entry: int) -> bool:
    return question.miss or not question.expect or entry in question.expect


def table(seen: Sequence[Seen], modes: Sequence[str]) -> Iterator[str]:
    yield f"{'':6}{'question':>8}" + "".join(f"  {mode:>22}" for mode in modes)
    for each in seen:
        cells = "".join(
            f"  {draw.outcome:>14} {_shown(draw.distance):>7}" for draw in map(each.draws.get, modes) if draw
        )
        yield f"{'miss' if each.question.miss else 'hit':6}{_shown(each.distance):>8}{cells}  {each.question.text}"
        for mode in modes:
            yield from (f"{'':10}{mode}: {variant}" for variant in each.draws[mode].variants)
    for mode in modes:
        yield ""
        yield from _sums(mode, seen)


def _sums(mode: str, seen: Sequence[Seen]) -> Iterator[str]:
    for miss in (False, True):
        outcomes = [each.draws[mode].outcome for each in seen if each.question.miss is miss]
        counts = ", ".join(f"{outcomes.count(name)} {name}" for name in WORST if name in outcomes) or "–"
        yield f"{mode}: of {len(outcomes)} {'misses' if miss else 'hits'}: {counts}"
    fired = [each for each in seen if each.draws[mode].fired]
    moved = [
        each.draws[mode].distance - each.distance  # type: ignore[operator]
        for each in fired
        if not each.question.miss and each.distance is not None and each.draws[mode].distance is not None
    ]
    if moved:
        nearer, farther = sum(by < 0 for by in moved), sum(by > 0 for by in moved)
        yield f"{mode}: of {len(moved)} hits asked again {nearer} come nearer, {farther} go farther"
    yield f"{mode}: {gap(mode, fired)}"


def gap(mode: str, fired: Sequence[Seen]) -> str:
    hits, misses = (
        [each.draws[mode].distance for each in fired if each.question.miss is side] for side in (False, True)
    )
    known, near = ([each for each in side if each is not None] for side in (hits, misses))
    if len(known) < LEAST or len(near) < LEAST:
        return (
            f"no gap can be told of {len(known)} hits and {len(near)} misses that were asked again; {LEAST} of each can"
        )
    worst_hit, best_miss = max(known), min(near)
    if best_miss <= worst_hit:
        return f"NO GAP: worst hit {worst_hit:.4f}, best miss {best_miss:.4f}"
    return f"worst hit {worst_hit:.4f}, best miss {best_miss:.4f}, gap {best_miss - worst_hit:.4f}"


def _shown(distance: float | None) -> str:
    return "–" if distance is None else f"{distance:.4f}"


if __name__ == "__main__":
    sys.exit(main())
