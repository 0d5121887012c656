"""How far right answers are and how near wrong ones, and where a cutoff fits: `python -m bench.recall_distance`.

    [--db FILE] [--account NAME] [--top-k N] [--no-plant] [--[no-]rows] --hit Q… --expect ID… --miss Q…

On a copy of the store (bench/on_copy.py), with one's own settings. Five facts are planted into the copy, and five
questions asked that nothing answers, beside what is given; `--no-plant` measures the given questions alone, and takes
at least three of each side. Without --db the facts stand alone. The decision is the one of `manage.py calibrate`
(memory/domain/calibration.py); nothing is kept. Status 1: the input is of no use; a gap that is none is a finding.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bench.on_copy import on_copy
from bench.place import place
from bench.questions import add_arguments, asked

if TYPE_CHECKING:
    from forgesite.models import Account
    from memory.calibrate import Measurement
    from memory.domain.calibration import Question

#: A fact, and a question that it answers in other words.
PLANTED = (
    ("The spare key of the allotment hangs behind the rain barrel.", "Where does the spare key of the allotment hang?"),
    ("The printer in the attic takes the toner TN-2420.", "Which toner does the printer in the attic take?"),
    ("Our holidays in Brittany begin on the ninth of August.", "When do our holidays in Brittany begin?"),
    ("Grandmother is allergic to walnuts.", "What is grandmother allergic to?"),
    ("The backup of the photos runs on Sundays at four.", "When does the backup of the photos run?"),
)
UNANSWERED = (
    "Who painted the ceiling of the opera in Odessa?",
    "How many teeth has an adult hedgehog?",
    "What did the ferry to Corfu cost in 1987?",
    "Which orchestra played at the wedding of the mayor?",
    "How long does the resin of a violin bow last?",
)


def main(given: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(given)
    questions = asked(options) if options.hit or options.miss or not options.plant else []
    if options.db is None and not options.plant:
        print("Without --db there is nothing but planted facts to measure.", file=sys.stderr)
        return 1
    with _store(options.db) as found:
        from forgesite.errors import ForgeError
        from memory.domain.calibration import Question

        try:
            owner = account(options.account) if found else _nobody()
            own = [Question(each.text, each.expect) for each in questions]
            return _shown(owner, [*own, *(planted(owner) if options.plant else [])], options.top_k, options.rows)
        except ForgeError as error:
            print(error.message, file=sys.stderr)
            return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--db", type=Path, help="the store; it is copied")
    parser.add_argument("--account", default="", help="whose memory; the first one's where nobody is named")
    parser.add_argument("--top-k", type=int, default=5, help="rows that are shown of each question")
    parser.add_argument("--plant", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--rows", action=argparse.BooleanOptionalAction, default=True)
    add_arguments(parser)
    return parser


@contextmanager
def _store(db: Path | None) -> Iterator[Path | None]:
    if db is not None:
        with on_copy(db) as copy:
            yield copy
    else:
        with place():
            yield None


def account(name: str) -> Account:
    """Of the copy. Raises ForgeError for a name that nobody has, and where there is nobody."""
    from forgesite import accounts
    from forgesite.errors import UnknownError

    found = accounts.account_named(name) if name else accounts.first_account()
    if found is None:
        raise UnknownError("The store has no account.")
    return found


def _nobody() -> Account:
    from forgesite.models import Account

    return Account.objects.create_user("bench")


def planted(owner: Account) -> list[Question]:
    """The facts in memory, the questions that they answer, and those that nothing does."""
    from memory.domain.calibration import Question
    from memory.models import Entry
    from memory.remember import Draft, remember_many

    facts = [fact for fact, _question in PLANTED]
    remember_many(owner, [Draft(fact, origin="import") for fact in facts], actor="bench", cause="bench")
    ids = dict(Entry.objects.of(owner).filter(text__in=facts).order_by("pk").values_list("text", "pk"))
    return [*(Question(question, (ids[fact],)) for fact, question in PLANTED), *map(Question, UNANSWERED)]


def _shown(owner: Account, questions: Sequence[Question], top_k: int, rows: bool) -> int:
    from memory import calibrate
    from memory.regime.words import lines

    found = calibrate.measure(owner, questions)
    if rows:
        for question in questions:
            print(f"\n{question.text}")
            print("\n".join(_rows(owner, question.text, top_k)))
        print()
    print("\n".join(lines(found)))
    print(suggestion(found))
    return 0


def _rows(owner: Account, text: str, top_k: int) -> Iterator[str]:
    """The nearest rows, whatever the cutoff."""
    from memory import embedding
    from memory.domain.scope import scope
    from memory.finding import by_meaning
    from memory.models import Entry

    where = scope(owner.pk, "", None, everything=False)
    found = by_meaning.search(text, where, top_k, embedding.served(), True, explicit=True).rows[:top_k]
    texts = Entry.objects.of(owner).only("text").in_bulk([row.id for row in found])
    for row in found:
        yield f"  {row.distance:.4f}  #{row.id}  {' '.join(texts[row.id].text[:100].split())}"


def suggestion(found: Measurement) -> str:
    return f"RECALL_MAX_DISTANCE={found.cutoff}" if found.cutoff else f"No cutoff is suggested (regime {found.regime})."


if __name__ == "__main__":
    sys.exit(main())
