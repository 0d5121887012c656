"""What the hot block costs and holds, and what a search adds to it: `python -m bench.rag_hot_tier --db FILE`.

    [--account NAME] [--budget TOKENS] [--lexical-top-k N] [--include-archived] [--cutoff VALUE]
    --hit Q… --expect ID… --miss Q…

On a copy (bench/on_copy.py), with one's own settings where an option gives no other. First the block as a prompt would
hold it; COST, its tokens, and of how many entries; HEADROOM, what the budget leaves, and about how many entries that
is. Then of each question the coverage, how many of its entries the block holds, or opens where it is an index; and for
each channel SUBSUMED (all of its rows are in the block), ADDS (some are not), or nothing. The word channel searches
deliberate entries alone, or all with --include-archived. Status 1: the input is of no use.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.on_copy import on_copy
from bench.questions import Asked, add_arguments, asked
from bench.rag_hybrid import forge, owner_of, rows, unusable

if TYPE_CHECKING:
    from forgesite.models import Account
    from memory.hot_block import HotBlock

SUBSUMED, ADDS, NOTHING = "SUBSUMED", "ADDS", "nothing"


@dataclass(frozen=True)
class Cell:
    """What a channel does beside the block. `added`: entries that it finds and the block does not hold."""

    channel: str
    outcome: str
    added: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.outcome} {', '.join(f'#{pk}' for pk in self.added)}".rstrip()


@dataclass(frozen=True)
class Covered:
    """Of the entries that answer a question: `held` by the block, `opened` by its index."""

    question: Asked
    held: int
    opened: int

    def __str__(self) -> str:
        of = len(self.question.expect)
        if not of:
            return "–"
        return f"{self.held} of {of} in the block" + (f", {self.opened} opened" if self.opened else "")


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--db", type=Path, required=True)
    parser.add_argument("--account", default="", help="whose memory; the first one's where nobody is named")
    parser.add_argument("--budget", type=int, help="as RECALL_HOT_MAX_TOKENS")
    parser.add_argument("--lexical-top-k", type=int, default=10, help="rows of the word channel, and of vectors")
    parser.add_argument("--include-archived", action="store_true", help="the word channel searches exchanges too")
    parser.add_argument("--cutoff", help="as RECALL_MAX_DISTANCE: `off`, or a distance with its tag")
    add_arguments(parser)
    options = parser.parse_args(given)
    questions = asked(options)
    changed = {} if options.cutoff is None else {"RECALL_MAX_DISTANCE": options.cutoff}
    options.top_k, options.max_df = options.lexical_top_k, None
    why = unusable(options, changed)
    if options.budget is not None and options.budget < 1:
        why = f"--budget {options.budget}: a block takes a token at the least."
    if why:
        print(why, file=sys.stderr)
        return 1
    with on_copy(options.db, **changed):
        print("\n".join(measured(owner_of(options.account), questions, options)))
    return 0


def measured(owner: Account, questions: Sequence[Asked], options: argparse.Namespace) -> Iterator[str]:
    """The lines to print."""
    from django.conf import settings

    from memory.hot_block import hot_block

    budget = options.budget or settings.FORGE.RECALL_HOT_MAX_TOKENS
    with forge(RECALL_LEXICAL_EXCLUDE_ARCHIVED=not options.include_archived, RECALL_HOT_BLOCK=True):
        block = hot_block(owner, upto=None, most_tokens=budget)
        yield block.text or "(There is no entry for a block.)"
        yield ""
        yield from _costs(block, budget)
        cells: list[Cell] = []
        covered: list[Covered] = []
        for question in questions:
            covered.append(coverage(owner, question, block))
            found = [*each_channel(owner, question, block, options.lexical_top_k)]
            cells += found
            yield f"\n{'miss' if question.miss else 'hit '}  {question.text}"
            yield f"      coverage       {covered[-1]}"
            yield from (f"      {cell.channel:14} {cell}" for cell in found)
    yield ""
    yield from totals(cells, covered)


def _costs(block: HotBlock, budget: int) -> Iterator[str]:
    held = len(block.ids)
    state = f"an index of {block.left_out} more" if block.index else f"{block.left_out} left out"
    yield f"COST      {block.tokens} tokens, {len(block.text)} characters: {held} entries whole, {state}"
    spare = max(0, budget - block.tokens)
    each = block.tokens / held if held and not block.left_out else 0
    more = f", about {spare / each:.0f} entries more" if each else ""
    yield f"HEADROOM  {spare} of {budget} tokens{more}"


def coverage(owner: Account, question: Asked, block: HotBlock) -> Covered:
    from memory.finding.opening import with_opened

    wanted = set(question.expect)
    opened = with_opened(owner, None, block, question.text)
    shown = {row.entry.pk for row in opened.rows} if opened else set[int]()
    return Covered(question, len(wanted & set(block.ids)), len(wanted & shown))


def each_channel(owner: Account, question: Asked, block: HotBlock, top_k: int) -> Iterator[Cell]:
    from memory.embedding import served

    for channel, policy in (("words", "lexical"), *([("vectors", "vector")] if served() else [])):
        found = rows(owner, question, policy=policy, top_k=top_k)
        added = tuple(pk for pk in found if pk not in block.texts)
        yield Cell(channel, NOTHING if not found else ADDS if added else SUBSUMED, added)


def totals(cells: Sequence[Cell], covered: Sequence[Covered]) -> Iterator[str]:
    for channel in dict.fromkeys(cell.channel for cell in cells):
        ends = [cell.outcome for cell in cells if cell.channel == channel]
        yield f"{channel:14} " + ", ".join(f"{name} {ends.count(name)}" for name in (SUBSUMED, ADDS, NOTHING))
    known = [one for one in covered if one.question.expect]
    of = sum(len(one.question.expect) for one in known)
    held, opened = sum(one.held for one in known), sum(one.opened for one in known)
    yield f"{'coverage':14} {held} of {of} entries in the block, {opened} opened, for {len(known)} questions"


if __name__ == "__main__":
    sys.exit(main())
