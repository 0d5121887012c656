"""What each channel does for questions of one's own store: `python -m bench.rag_hybrid --db FILE`.

    [--account NAME] [--top-k N] [--lexical-top-k N] [--max-df SHARE]… [--cutoff VALUE] [--no-vector]
    --hit Q… --expect ID… --miss Q…

On a copy (bench/on_copy.py), with one's own settings where an option gives no other. Of each question, per channel: for
a hit REACHED (one of the entries named is shown, and where), WRONG ENTRY (rows, none of them named), nothing; for a
miss INTRUDERS (so many rows), or nothing. The word channel once for each --max-df, with the words of the question that
admit a deliberate entry by themselves, and those that are too common for it; exchanges are admitted by any. `both` is
the policy in force. No threshold is suggested: a handful of questions carries none. Status 1: the input is of no use.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.on_copy import on_copy
from bench.questions import Asked, add_arguments, asked
from forgesite.config import Config

if TYPE_CHECKING:
    from forgesite.models import Account

REACHED, WRONG, INTRUDERS, NOTHING, ROWS = "REACHED", "WRONG ENTRY", "INTRUDERS", "nothing", "rows"


@dataclass(frozen=True)
class Cell:
    """What one channel did for one question. `place`: of the first entry that was named, 0 where none is shown."""

    channel: str
    outcome: str
    rows: int
    place: int = 0

    def __str__(self) -> str:
        if self.outcome == REACHED:
            return f"{REACHED} at {self.place} of {self.rows}"
        return self.outcome if self.outcome == NOTHING else f"{self.outcome} {self.rows}"


@dataclass(frozen=True)
class Words:
    """The words of a question, with how many of the owner's rows hold each."""

    kept: tuple[tuple[str, int], ...]
    too_common: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        return f"kept: {_listed(self.kept)}; too common: {_listed(self.too_common)}"


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--db", type=Path, required=True)
    parser.add_argument("--account", default="", help="whose memory; the first one's where nobody is named")
    parser.add_argument("--top-k", type=int, default=10, help="rows of the vector channel, and of both")
    parser.add_argument("--lexical-top-k", type=int, default=10, help="rows of the word channel")
    parser.add_argument("--max-df", type=float, action="append", help="share of the rows above which a word is common")
    parser.add_argument("--cutoff", help="as RECALL_MAX_DISTANCE: `off`, or a distance with its tag")
    parser.add_argument("--no-vector", action="store_true", help="words alone")
    add_arguments(parser)
    options = parser.parse_args(given)
    questions = asked(options)
    changed = {} if options.cutoff is None else {"RECALL_MAX_DISTANCE": options.cutoff}
    if why := unusable(options, changed):
        print(why, file=sys.stderr)
        return 1
    with on_copy(options.db, **changed):
        print("\n".join(measured(owner_of(options.account), questions, options)))
    return 0


def unusable(options: argparse.Namespace, changed: dict[str, str]) -> str:
    """Why nothing can be measured with these options; empty where something can."""
    from pydantic import ValidationError

    most = 64
    if not (1 <= options.top_k <= most and 1 <= options.lexical_top_k <= most):
        return f"--top-k {options.top_k}, --lexical-top-k {options.lexical_top_k}: each can be 1 to {most}."
    if wrong := [share for share in options.max_df or () if not 0 < share <= 1]:
        return f"--max-df {wrong[0]} is no share: give a number above 0, up to 1."
    try:
        Config.model_validate(changed)
    except ValidationError:
        return f"--cutoff {options.cutoff} is none: give `off`, or 0 to 2 with its tag, as 1.22@e3b0c4."
    return ""


def owner_of(name: str) -> Account:
    """Ends the process with status 1 where nobody is called so."""
    from forgesite.models import Account

    found = Account.objects.filter(username=name) if name else Account.objects.order_by("pk")
    if (owner := found.first()) is None:
        print(f"The store has no account {name}.".replace(" .", "."), file=sys.stderr)
        raise SystemExit(1)
    return owner


def measured(owner: Account, questions: Sequence[Asked], options: argparse.Namespace) -> Iterator[str]:
    """The lines to print: each question with its cells, then how often each channel did what."""
    cells: list[tuple[Asked, Cell]] = []
    for question in questions:
        yield f"\n{'miss' if question.miss else 'hit '}  {question.text}{_named(question)}"
        for cell, words in each_channel(owner, question, options):
            cells.append((question, cell))
            yield f"      {cell.channel:14} {cell!s:24} {words or ''}".rstrip()
    yield ""
    yield from totals(cells)


def each_channel(owner: Account, question: Asked, options: argparse.Namespace) -> Iterator[tuple[Cell, Words | None]]:
    if not options.no_vector:
        yield cell("vectors", question, rows(owner, question, policy="vector", top_k=options.top_k)), None
    for share in options.max_df or [None]:
        with forge(**({} if share is None else {"RECALL_LEXICAL_MAX_DF": share})) as settings:
            used = settings.RECALL_LEXICAL_MAX_DF
            found = rows(owner, question, policy="lexical", top_k=options.lexical_top_k)
            yield cell(f"words ≤ {used:g}", question, found), words_of(owner, question.text, used)
    if not options.no_vector:
        with forge(RECALL_LEXICAL_TOP_K=min(50, options.lexical_top_k)):
            yield cell("both", question, rows(owner, question, policy="", top_k=options.top_k)), None


@contextmanager
def forge(**changed: float) -> Iterator[Config]:
    """Forge's settings, with these in place of its own."""
    from django.conf import settings
    from django.test import override_settings

    with override_settings(FORGE=settings.FORGE.model_copy(update=changed)):
        yield settings.FORGE


def rows(owner: Account, question: Asked, *, policy: str, top_k: int) -> list[int]:
    from memory.recall import Query, recall

    return [row.entry.pk for row in recall(owner, Query(question.text, policy=policy, top_k=top_k)).rows]


def cell(channel: str, question: Asked, shown: Sequence[int]) -> Cell:
    place = next((rank for rank, entry in enumerate(shown, 1) if entry in question.expect), 0)
    if not shown:
        return Cell(channel, NOTHING, 0)
    if question.miss:
        return Cell(channel, INTRUDERS, len(shown))
    if not question.expect:
        return Cell(channel, ROWS, len(shown))
    return Cell(channel, REACHED if place else WRONG, len(shown), place)


def words_of(owner: Account, text: str, share: float) -> Words:
    from forgesite.owned import owner_id
    from memory import word_channel
    from memory.domain.function_words import FUNCTION_WORDS
    from memory.domain.ranking import ceiling
    from memory.domain.scope import scope
    from memory.domain.words import terms

    where = scope(owner_id(owner), "", None, everything=False)
    most = ceiling(word_channel.count(where.owner), share)
    held = [(term.shown, len(word_channel.holders(term, where))) for term in terms(text, FUNCTION_WORDS).content]
    kept = tuple(each for each in held if each[1] <= most)
    return Words(kept, tuple(each for each in held if each[1] > most))


def totals(cells: Sequence[tuple[Asked, Cell]]) -> Iterator[str]:
    """A line a channel: of the hits and of the misses, how many ended in which way."""
    for channel in dict.fromkeys(cell.channel for _question, cell in cells):
        mine = [(question.miss, cell.outcome) for question, cell in cells if cell.channel == channel]
        hits, misses = ([outcome for miss, outcome in mine if miss is side] for side in (False, True))
        parts = [f"{hits.count(name)} {name}" for name in (REACHED, WRONG, ROWS, NOTHING) if name in hits]
        said = f"of {len(hits)} hits: {', '.join(parts) or '–'}"
        yield f"{channel:14} {said}; of {len(misses)} misses: {misses.count(INTRUDERS)} with {INTRUDERS}"


def _named(question: Asked) -> str:
    return f"  (#{', #'.join(map(str, question.expect))})" if question.expect else ""


def _listed(words: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"{word} {count}" for word, count in words) or "–"


if __name__ == "__main__":
    sys.exit(main())
