"""The review inbox in words: of each proposal a card that says what is proposed, on what evidence, and what follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from forgesite.models import Account
from memory.domain.differences import Piece, differences
from memory.models import Entry
from retention import review
from retention.models import Action, Proposal, Resolution, Status
from retention.review import Uses

TITLES: Mapping[str, Any] = {
    Action.ARCHIVE: _("Archive?"),
    Action.SUPERSEDE: _("Replaced?"),
    Action.CONFLICT: _("In conflict?"),
    Action.NEW: _("Save?"),
    Action.KEEP: _("Keep"),
}
OPTIONS: Mapping[str, Any] = {
    "keep": _("keep"),
    "keep_both": _("keep both"),
    "archive": _("archive"),
    "archive_older": _("archive the older one"),
    "supersede_older": _("replaced"),
    "supersede_by": _("replaced by"),
    "conflict": _("conflict"),
}
#: What the rules of the judge `rules` mean by their names.
REASONS: Mapping[str, Any] = {
    "until": _("it holds until a day that has passed"),
    "planned": _("it looks forward to a day that has passed"),
    "dated": _("it names a day that was ahead and has passed"),
    "changed": _("the newer one tells of a change, of the same thing"),
    "ended": _("the newer one says that it is so no more"),
    "measured": _("the newer one tells that a number of the same things changed"),
    "negated": _("one says what the other denies, in the same words"),
    "never": _("one says that it was, the other that it never was"),
    "once": _("of such a thing there is one, and they name two"),
    "value": _("the same is said of the same, with another number"),
    "years": _("the same is said to have been in two years"),
    "was": _("the same is said to have been, with another number"),
    "contained": _("the newer one says all of it, and more"),
    "restated": _("the newer one says the same"),
}
#: The longest text of a card; the entry's page has all of it.
LONGEST = 1200


@dataclass(frozen=True)
class Side:
    """`pieces`: its text, with what the other one has not, or has instead."""

    entry: Entry
    pieces: tuple[Piece, ...]
    newer: bool


@dataclass(frozen=True)
class Option:
    words: str
    probability: float

    @property
    def percent(self) -> int:
        return round(self.probability * 100)


@dataclass(frozen=True)
class Way:
    """A button: what it sends, and its key."""

    do: str
    words: Any
    key: str
    resolution: str = ""
    primary: bool = False


@dataclass(frozen=True)
class Card:
    proposal: Proposal
    title: Any
    sides: tuple[Side, ...]
    options: tuple[Option, ...]
    why: str
    follows: tuple[str, ...]
    ways: tuple[Way, ...]
    uses: Uses

    @property
    def is_open(self) -> bool:
        return self.proposal.status == Status.PROPOSED

    @property
    def is_decided(self) -> bool:
        return self.proposal.status in (Status.APPLIED, Status.REJECTED)


def cards(owner: Account, some: Sequence[Proposal]) -> list[Card]:
    used = review.uses(owner, some)
    return [_card(proposal, used.get(proposal.memory_id or 0, Uses())) for proposal in some]


def _card(proposal: Proposal, uses: Uses) -> Card:
    return Card(
        proposal,
        TITLES[proposal.action],
        tuple(_sides(proposal)),
        tuple(_options(proposal)),
        str(REASONS.get(proposal.reason, "")),
        tuple(_follows(proposal, uses)),
        tuple(_ways(proposal)) if proposal.status == Status.PROPOSED else (),
        uses,
    )


def _sides(proposal: Proposal) -> Iterator[Side]:
    older, newer = proposal.memory, proposal.related
    if older is None:
        return
    if newer is None:
        yield Side(older, (Piece("same", _cut(older.text)),), newer=False)
        return
    pieces = differences(_cut(older.text), _cut(newer.text))
    yield Side(older, tuple(piece for piece in pieces if piece.kind != "new"), newer=False)
    yield Side(newer, tuple(piece for piece in pieces if piece.kind != "gone"), newer=True)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _options(proposal: Proposal) -> Iterator[Option]:
    """Likeliest first."""
    for option, probability in sorted(proposal.probabilities.items(), key=lambda one: -one[1]):
        head, colon, number = option.partition(":")
        words = str(OPTIONS.get(head, head))
        yield Option(f"{words} #{number}" if colon else words, probability)


def _follows(proposal: Proposal, uses: Uses) -> Iterator[str]:
    """What a yes would do."""
    named = {"id": proposal.memory_id, "other": proposal.related_id}
    if proposal.action == Action.NEW:
        yield gettext("It becomes an entry of yours, and can be undone.")
        return
    yield _DONE[proposal.action] % named
    if uses.golden:
        yield ngettext(
            "It is a right entry of %(count)d golden question: %(first)s",
            "It is a right entry of %(count)d golden questions, first: %(first)s",
            len(uses.golden),
        ) % {"count": len(uses.golden), "first": uses.golden[0][:120]}
    else:
        yield gettext("No golden question names it.")


_DONE: Mapping[str, Any] = {
    Action.ARCHIVE: _("#%(id)d leaves the prompts. It is found after everything that is live, and can be restored."),
    Action.SUPERSEDE: _("#%(id)d stays readable, marked → #%(other)d, and leaves the prompts."),
    Action.CONFLICT: _("#%(id)d and #%(other)d stay as they are, marked as in conflict; or choose how it is settled."),
    Action.KEEP: _("Nothing: #%(id)d was kept."),
}


def _ways(proposal: Proposal) -> Iterator[Way]:
    if proposal.action == Action.CONFLICT:
        yield Way("accept", _("Mark the conflict"), "a", Resolution.NONE, primary=True)
        yield Way("accept", _("The newer one replaces it"), "s", Resolution.SUPERSEDE)
        yield Way("accept", _("Archive the older one"), "z", Resolution.ARCHIVE_OLDER)
        yield Way("accept", _("Both are true"), "b", Resolution.KEEP_BOTH)
    else:
        yield Way("accept", _("Save") if proposal.action == Action.NEW else _("Accept"), "a", primary=True)
    yield Way("reject", _("Reject"), "r")
