"""A cutoff measured on one's own questions, with the regime it was measured in; kept by owner, and taken back.

It is in force while RECALL_MAX_DISTANCE is empty. Hits are read by the entry that a person named, never by the closest
row: a wrong row that is near is what a cutoff is to keep out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from forgesite.errors import InvalidError, UnknownError
from forgesite.lib.embeddings import Door
from forgesite.lib.vectors import Vector
from forgesite.models import Account
from forgesite.owned import owner_id
from memory import embedding, vector_channel
from memory.domain.calibration import LEAST, Measured, Question, Verdict, is_placeholder, verdict
from memory.domain.scope import scope
from memory.errors import EmbeddingError
from memory.finding import by_meaning, vector_scan
from memory.finding.by_meaning import ByMeaning
from memory.models import Calibration, Entry, Receipt
from memory.receipts import question_of, said_of

#: Rows of a question that are looked at: the place of its entry among more than these is no place.
ROWS = 64
#: Receipts that are looked through for questions, newest first, and how many of a side are proposed.
RECEIPTS, PROPOSED = 500, 12
#: Of a question of one's history so many of the entries that it was given are offered as its answer.
OFFERED = 5


@dataclass(frozen=True)
class Proposed:
    """A question of one's own history. `entries`: those that it was given, in their order; of a miss none."""

    text: str
    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True)
class Measurement:
    """`cutoff` is `value@wrapper.model`, empty where the gap carries none."""

    measured: tuple[Measured, ...]
    verdict: Verdict
    regime: str
    cutoff: str


def proposed(owner: Account) -> tuple[list[Proposed], list[Proposed]]:
    """Questions that were given entries, and questions that found nothing, newest first; the same one once."""
    hits: dict[str, Proposed] = {}
    misses: dict[str, Proposed] = {}
    for text, given in _asked(owner):
        key = " ".join(text.casefold().split())
        if is_placeholder(text) or key in hits or key in misses:
            continue
        entries = tuple(Entry.objects.of(owner).filter(pk__in=given[:OFFERED]).in_bulk().values()) if given else ()
        if entries and len(hits) < PROPOSED:
            hits[key] = Proposed(text, tuple(sorted(entries, key=lambda entry: given.index(entry.pk))))
        elif not given and len(misses) < PROPOSED:
            misses[key] = Proposed(text)
        if len(hits) == len(misses) == PROPOSED:
            break
    return list(hits.values()), list(misses.values())


def _asked(owner: Account) -> Iterator[tuple[str, list[int]]]:
    """Every question of the last receipts that still has its words, with the entries that it was given."""
    for receipt in Receipt.objects.of(owner).exclude(questions=[]).order_by("-number")[:RECEIPTS]:
        for place, asked in enumerate(said_of(receipt).recalls):
            told = question_of(receipt, place)
            if told and not asked.degraded:
                yield told["text"], [] if asked.nothing else [row.id for row in asked.given]


def measure(owner: Account, questions: Sequence[Question], door: Door | None = None) -> Measurement:
    """Ask each, and decide. Nothing is kept. Raises EmbeddingError where nothing is searched by meaning.

    Raises InvalidError for fewer than three questions on a side, for one that nobody wrote, and for an entry without
    vectors; UnknownError for one that is not the owner's.
    """
    _refuse(owner, questions)
    door = door or embedding.served()
    measured = [_measured(owner, question, door) for question in questions]
    found = verdict(measured)
    regime = embedding.regime(door) if door else ""
    cutoff = "" if found.suggestion is None else f"{found.suggestion:.2f}@{regime}"
    return Measurement(tuple(measured), found, regime, cutoff)


def _refuse(owner: Account, questions: Sequence[Question]) -> None:
    for question in questions:
        if is_placeholder(question.text):
            raise InvalidError(_("“%(question)s” is no question yet: fill it in.") % {"question": question.text})
    misses = sum(question.miss for question in questions)
    counts = {"hits": len(questions) - misses, "misses": misses, "least": LEAST}
    if min(counts["hits"], misses) < LEAST:
        words = _(
            "%(hits)d questions with an answer and %(misses)d without: it takes at least %(least)d of each to tell."
        )
        raise InvalidError(words % counts)
    named = {pk for question in questions for pk in question.expect}
    known = set(Entry.objects.of(owner).filter(pk__in=named).values_list("pk", flat=True))
    if unknown := sorted(named - known):
        raise UnknownError(_("There is no entry #%(id)d.") % {"id": unknown[0]})


def _measured(owner: Account, question: Question, door: Door | None) -> Measured:
    where = scope(owner_id(owner), "", None, everything=False)
    found = by_meaning.search(question.text, where, ROWS, door, True, explicit=True)
    if found.question is None:
        raise EmbeddingError(" ".join(found.notices))
    places = {row.id: place for place, row in enumerate(found.rows, start=1)}
    if question.miss:
        nearest = min(found.rows, key=lambda row: row.distance or 0.0, default=None)
        if nearest is None:
            raise InvalidError(_("Memory holds no entry with vectors: there is nothing to measure."))
        return Measured(question.text, True, nearest.id, round(nearest.distance or 0.0, 4), places[nearest.id])
    entry, distance = _closest(question, found, found.question)
    return Measured(question.text, False, entry, round(distance, 4), places.get(entry))


def _closest(question: Question, found: ByMeaning, vector: Vector) -> tuple[int, float]:
    """By the entry that was named, also where it is not among the rows."""
    made = vector_channel.made_for()
    distances = vector_scan.scanned(vector, question.expect, made[0]) if made else {}
    if not distances:
        raise InvalidError(_("Entry #%(id)d has no vectors yet: nothing can be measured.") % {"id": question.expect[0]})
    entry = min(distances, key=lambda pk: distances[pk])
    return entry, distances[entry]


def keep(owner: Account, measurement: Measurement) -> Calibration:
    """Store what was measured; where it carries a cutoff, that is in force from now on."""
    asked = [
        {
            "text": each.text,
            "side": "miss" if each.miss else "hit",
            "entry": each.entry,
            "distance": each.distance,
            "rank": each.rank,
        }
        for each in measurement.measured
    ]
    with transaction.atomic():
        made = Calibration.objects.create(
            owner=owner, cutoff=measurement.cutoff, regime=measurement.regime, asked=asked
        )
        if made.cutoff:
            use(owner, made.pk)
            made.refresh_from_db()
    return made


def use(owner: Account, pk: int | None) -> Calibration | None:
    """Put one of the owner's calibrations in force, or none. Raises UnknownError, and InvalidError without a cutoff."""
    with transaction.atomic():
        chosen = Calibration.objects.of(owner).filter(pk=pk).first() if pk is not None else None
        if pk is not None and chosen is None:
            raise UnknownError(_("There is no calibration #%(id)d.") % {"id": pk})
        if chosen and not chosen.cutoff:
            raise InvalidError(_("Calibration #%(id)d found no gap: it has no cutoff.") % {"id": chosen.pk})
        Calibration.objects.of(owner).filter(used=True).exclude(pk=pk or 0).update(used=False)
        if chosen and not chosen.used:
            chosen.used = True
            chosen.save(update_fields=["used"])
    return chosen


def in_use(owner: Account) -> Calibration | None:
    """The one whose cutoff is in force while RECALL_MAX_DISTANCE is empty."""
    return Calibration.objects.of(owner).filter(used=True).first()


def former(owner: Account) -> Calibration | None:
    """The one with a cutoff that was made before the one in use: where an undo goes. None: to none at all."""
    now = in_use(owner)
    rows = Calibration.objects.of(owner).exclude(cutoff="")
    return rows.filter(pk__lt=now.pk).first() if now else None
