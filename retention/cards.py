"""The review inbox in words: of each proposal a card that says what is proposed, on what evidence, and what follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from forgesite.errors import ForgeError
from forgesite.language import number
from forgesite.models import Account
from memory.desk.words import WRITERS
from memory.domain.differences import Piece, differences
from memory.models import Entry, GoldenQuestion
from retention import review
from retention.carrying import resting
from retention.models import Action, Proposal, Resolution, Status
from retention.uses import Uses, uses

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
    "near": _("the newer one has nearly all of its words"),
    "instead": _("the newer one names it as what is so no more"),
    "renewed": _("the newer one tells of another one in its place"),
    "decided": _("by one it was agreed to, by the other turned down on the same day"),
    "whole": _("of it there is one, and they name two"),
}
#: From here on two places would say 1.
SURE = 0.995
#: The longest text of a card; the entry's page has all of it.
LONGEST = 1200


@dataclass(frozen=True)
class Side:
    """`pieces`: its text, with what the other one has not, or has instead. `changed`: since it was judged."""

    entry: Entry
    pieces: tuple[Piece, ...]
    newer: bool
    uses: Uses
    changed: bool

    @property
    def writer(self) -> Any:
        return WRITERS[self.entry.origin]


@dataclass(frozen=True)
class Option:
    words: str
    probability: float

    @property
    def percent(self) -> int:
        return round(self.probability * 100)

    @property
    def said(self) -> str:
        """No judge is certain: neither 0 nor 1 is what rounding makes of it."""
        if self.probability >= SURE:
            return f"> {number(0.99, 2)}"
        if self.probability <= 1 - SURE:
            return f"< {number(0.01, 2)}"
        return number(self.probability, 2)


@dataclass(frozen=True)
class Way:
    """A button: what it sends, and its key."""

    do: str
    words: Any
    key: str
    resolution: str = ""
    primary: bool = False


@dataclass(frozen=True)
class Known:
    """What is looked up once for all cards of a page. `todos`: those that rest on an entry."""

    uses: Mapping[int, Uses]
    todos: Mapping[int, Sequence[int]]
    golden: int


@dataclass(frozen=True)
class Card:
    """`stuck`: why no yes can be said any more; empty where one can."""

    proposal: Proposal
    title: Any
    sides: tuple[Side, ...]
    options: tuple[Option, ...]
    why: str
    follows: tuple[str, ...]
    ways: tuple[Way, ...]
    stuck: str
    golden: int

    @property
    def is_open(self) -> bool:
        return self.proposal.status == Status.PROPOSED

    @property
    def seen(self) -> str:
        """The versions that are shown, as the form sends them back."""
        return "-".join(f"{pk}:{version}" for pk, version in review.versions(self.proposal).items())

    @property
    def has_effects(self) -> bool:
        """Is there a question that a yes could change the answer to?"""
        given = any(side.uses.receipts for side in self.sides if not side.newer)
        return self.is_open and not self.stuck and bool(self.sides) and bool(given or self.golden)

    @property
    def is_decided(self) -> bool:
        return self.proposal.status in (Status.APPLIED, Status.REJECTED)


def cards(owner: Account, some: Sequence[Proposal]) -> list[Card]:
    """Four queries for all of them."""
    ids = {proposal.memory_id for proposal in some if proposal.memory_id}
    known = Known(uses(owner, some), resting(owner, ids), GoldenQuestion.objects.of(owner).count())
    return [_card(proposal, known) for proposal in some]


def _card(proposal: Proposal, known: Known) -> Card:
    is_open = proposal.status == Status.PROPOSED
    stuck = _stuck(proposal) if is_open else ""
    return Card(
        proposal,
        TITLES[proposal.action],
        tuple(_sides(proposal, known)),
        tuple(_options(proposal)),
        str(REASONS.get(proposal.reason, "")),
        tuple(_follows(proposal, known)),
        tuple(_ways(proposal, stuck)) if is_open else (),
        stuck,
        known.golden,
    )


def _stuck(proposal: Proposal) -> str:
    try:
        review.refuse_gone(proposal)
    except ForgeError as error:
        return error.message
    return ""


def _sides(proposal: Proposal, known: Known) -> Iterator[Side]:
    older, newer = proposal.memory, proposal.related
    if older is None:
        return
    if newer is None:
        yield _side(proposal, older, [Piece("same", _cut(older.text))], known)
        return
    pieces = differences(_cut(older.text), _cut(newer.text))
    yield _side(proposal, older, [piece for piece in pieces if piece.kind != "new"], known)
    yield _side(proposal, newer, [piece for piece in pieces if piece.kind != "gone"], known)


def _side(proposal: Proposal, entry: Entry, pieces: Sequence[Piece], known: Known) -> Side:
    changed = entry.pk in review.changed(proposal) and proposal.status == Status.PROPOSED
    used = known.uses.get(entry.pk, Uses())
    return Side(entry, tuple(pieces), entry.pk == proposal.related_id, used, changed)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _options(proposal: Proposal) -> Iterator[Option]:
    """Likeliest first."""
    for option, probability in sorted(proposal.probabilities.items(), key=lambda one: -one[1]):
        head, colon, number = option.partition(":")
        words = str(OPTIONS.get(head, head))
        yield Option(f"{words} #{number}" if colon else words, probability)


def _follows(proposal: Proposal, known: Known) -> Iterator[str]:
    """What a yes would do, as far as it is known without asking a question again."""
    named = {"id": proposal.memory_id, "other": proposal.related_id}
    if proposal.action == Action.NEW:
        yield gettext("It becomes an entry of yours, and can be undone.")
        return
    yield _DONE[proposal.action] % named
    pk = proposal.memory_id or 0
    if (todos := known.todos.get(pk, ())) and proposal.action == Action.SUPERSEDE:
        words = ngettext(
            "%(count)d open todo that rests on it will rest on #%(other)d too: %(first)s",
            "%(count)d open todos that rest on it will rest on #%(other)d too, first: %(first)s",
            len(todos),
        )
        yield words % {**named, "count": len(todos), "first": f"#{todos[0]}"}
    yield _of_golden(known.uses.get(pk, Uses()).golden, known.golden)


def _of_golden(names: Sequence[str], every: int) -> str:
    if not every:
        return gettext("You have no golden question that could get worse.")
    if not names:
        words = ngettext(
            "%(count)d golden question: it does not name it.", "None of %(count)d golden questions names it.", every
        )
        return words % {"count": every}
    words = ngettext(
        "It is a right entry of %(count)d of %(every)d golden questions: %(first)s",
        "It is a right entry of %(count)d of %(every)d golden questions, first: %(first)s",
        len(names),
    )
    return words % {"count": len(names), "every": every, "first": names[0][:120]}


_DONE: Mapping[str, Any] = {
    Action.ARCHIVE: _("#%(id)d leaves the prompts. It is found after everything that is live, and can be restored."),
    Action.SUPERSEDE: _("#%(id)d stays readable, marked → #%(other)d, and leaves the prompts."),
    Action.CONFLICT: _("#%(id)d and #%(other)d stay as they are, marked as in conflict; or choose how it is settled."),
    Action.KEEP: _("Nothing: #%(id)d was kept."),
}


def _ways(proposal: Proposal, stuck: str) -> Iterator[Way]:
    if not stuck:
        yield from _yes(proposal)
    if proposal.action == Action.SUPERSEDE:
        yield Way("reject", _("Both are true"), "b", Resolution.KEEP_BOTH)
    yield Way("reject", _("Reject"), "r")


def _yes(proposal: Proposal) -> Iterator[Way]:
    if proposal.action == Action.CONFLICT:
        yield Way("accept", _("Mark the conflict"), "a", Resolution.NONE, primary=True)
        yield Way("accept", _("The newer one replaces it"), "s", Resolution.SUPERSEDE)
        yield Way("accept", _("Archive the older one"), "z", Resolution.ARCHIVE_OLDER)
        yield Way("accept", _("Both are true"), "b", Resolution.KEEP_BOTH)
    else:
        yield Way("accept", _("Save") if proposal.action == Action.NEW else _("Accept"), "a", primary=True)
