"""What was asked lately, by the receipts that hold the words of it: questions to ask again before something changes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from forgesite.models import Account
from memory.domain.receipt import Given
from memory.errors import NoReplayError
from memory.finding.opening import INDEX
from memory.finding.plain_rows import TASKS
from memory.golden import Wanted
from memory.models import Receipt
from memory.receipts import query_of, said_of

#: Questions at most, and the newest receipts that are looked through for them.
RECENT, RECEIPTS = 30, 120
#: What a turn is given whatever it asked.
UNASKED = (INDEX, TASKS)


@dataclass(frozen=True)
class Loss:
    """A question, and the entries that it would no longer be given. `golden`: its number; `run`: who asked it."""

    text: str
    entries: tuple[int, ...]
    golden: int | None = None
    run: str = ""


@dataclass(frozen=True)
class Lately:
    """A question that a receipt holds the words of, and the entries that it was given for it."""

    run: str
    wanted: Wanted


def lately(owner: Account, *, besides: Collection[str] = ()) -> Iterator[Lately]:
    """The newest questions, each once, that were given something and whose words are kept. Their numbers are negative,
    so that none is a golden question's."""
    seen: set[tuple[str, str | None]] = {(text, None) for text in besides}
    for receipt in Receipt.objects.of(owner).exclude(questions=[]).order_by("-number")[:RECEIPTS]:
        for place, given in _asked_in(receipt):
            wanted = _wanted(receipt, place, given, -len(seen) - 1)
            if wanted is None or (name := (wanted.query.text, wanted.query.project)) in seen:
                continue
            seen.add(name)
            yield Lately(receipt.run_id, wanted)
            if len(seen) == RECENT + len(frozenset(besides)):
                return


def given_lately(owner: Account, ids: Collection[int]) -> list[Loss]:
    """Of the same questions those that were given one of these entries: nothing is asked again."""
    found = ((each, tuple(pk for pk in each.wanted.right if pk in ids)) for each in lately(owner))
    return [Loss(each.wanted.query.text, entries, run=each.run) for each, entries in found if entries]


def _asked_in(receipt: Receipt) -> Iterable[tuple[int, Sequence[Given]]]:
    """A body that is damaged is left to `verify`, which names it."""
    try:
        recalls = said_of(receipt).recalls
    except (KeyError, TypeError, AttributeError, ValueError):
        return ()
    return [(place, each.given) for place, each in enumerate(recalls) if "as_of" not in each.filters]


def _wanted(receipt: Receipt, place: int, given: Sequence[Given], number: int) -> Wanted | None:
    """None where it was given nothing that it asked for, or its words are erased."""
    right = tuple(row.id for row in given if row.channel not in UNASKED)
    try:
        query = query_of(receipt, place)
    except NoReplayError:
        return None
    return Wanted(number, replace(query, as_of="", policy=""), right) if right else None
