"""How far an entry comes for a question that nobody asked yet: as a turn would ask it, now, and nothing is written."""

from __future__ import annotations

from dataclasses import dataclass

from forgesite.models import Account
from forgesite.owned import owner_id
from memory import why_not
from memory.domain.receipt import Place, body_of
from memory.given.gathered import Found, Gathered, questions, said
from memory.models import Receipt
from memory.recall import Query, recall
from memory.why_not import Answer


@dataclass(frozen=True)
class Reach:
    """`notices`: what is to be said of the search itself, such as that it went by words alone."""

    answer: Answer
    notices: tuple[str, ...]


def reach(owner: Account, entry_id: int, question: str) -> Reach:
    """Where the entry is among what the question finds, or the rule that keeps it out. Of the search alone: what
    stands at the head of every prompt is given besides.

    Raises UnknownError for no entry of the owner's, and what `recall` does.
    """
    found = recall(owner, Query(question, for_prompt=True))
    gathered, head = Gathered([Found("recall", found)]), found.head
    place = Place(owner_id(owner), 0, "", "", "", head.tick, head.address)
    # No receipt is sealed: this one is only read, by what reads those that are.
    unsealed = Receipt(
        owner_id=owner_id(owner),
        tick=head.tick,
        head=head.address,
        body=body_of(place, said(owner, gathered, "", None, head)),
        questions=questions(gathered),
    )
    return Reach(why_not.of_entry(owner, [unsealed], entry_id), found.notices)
