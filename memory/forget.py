"""Delete entries at once and for good: rows, words, vectors, refusals, quotations, and every text that commits name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from django.db import transaction
from django.utils.translation import gettext as _

from forgesite.erasing import Eraser, Taker
from forgesite.errors import InvalidError, UnknownError
from forgesite.lib.masking import gone
from forgesite.models import Account
from memory import change_log, erasure, store
from memory.erasing.plan import Going, plan
from memory.erasing.words import followed, sentences
from memory.folds import folded
from memory.ledger import head
from memory.models import Entry, Erasure, Tombstone
from memory.past.states import states_at

_erasers: list[Eraser] = []
_takers: list[Taker] = []


@dataclass(frozen=True)
class Forgotten:
    """`left`: what still holds the words. `notes`: what it meant for other entries. Both in sentences fit to show."""

    ids: tuple[int, ...]
    left: tuple[str, ...]
    certificate: Erasure
    notes: tuple[str, ...] = ()


def register_eraser(erase: Eraser) -> None:
    """An app's own erasing. Call it in AppConfig.ready."""
    if erase not in _erasers:
        _erasers.append(erase)


def register_taker(take: Taker) -> None:
    """How an app takes away what a person typed, where they ask for that too. Call it in AppConfig.ready."""
    if take not in _takers:
        _takers.append(take)


def forget(owner: Account, entry_ids: Sequence[int], *, actor: str, cause: str, my_message: bool = False) -> Forgotten:
    """Delete the owner's entries in one transaction and one commit. Raises UnknownError if one is not theirs.

    `my_message`: also the messages that they were saved from, which stay otherwise. The certificate is completed when
    the transaction is over; called inside another one, that is after it.
    """
    with change_log.ours():
        entries = named(owner, entry_ids)
        if my_message:
            for take in _takers:
                take(owner, [entry.message for entry in entries if entry.message is not None])
        return _carried_out(plan(owner, entries, _erasers), actor=actor, cause=cause, my_message=my_message)


def forget_deleted(owner: Account, entry_ids: Sequence[int], *, actor: str, cause: str) -> Forgotten | None:
    """The same for rows that were deleted outside Forge: whatever else holds their texts loses them, by one commit.

    Ids that are no deleted rows of the owner are passed over; None where no other is left.
    """
    with change_log.ours():
        entries = _deleted(owner, entry_ids)
        if not entries:
            return None
        lines = Entry.objects.of(owner).filter(pk__in=folded.lines_of(owner, [entry.pk for entry in entries]))
        return _carried_out(plan(owner, [*entries, *lines], _erasers), actor=actor, cause=cause)


def forget_again(owner: Account, given: Mapping[int, str]) -> None:
    """Take the quotations of those texts, by entry, of which the entry was forgotten by now.

    A turn that read an entry while it was there stores what it made of it only afterwards. Call it in that transaction.
    """
    buried = Tombstone.objects.of(owner).filter(entry__in=given).values_list("entry", flat=True) if given else ()
    texts = gone((entry, given[entry]) for entry in buried)
    if texts:
        for erase in _erasers:
            erase(owner, texts).write()


def planned(owner: Account, entry_ids: Sequence[int]) -> Going:
    """What would go with these entries: nothing is changed. Raises as `forget` does."""
    return plan(owner, named(owner, entry_ids), _erasers)


def named(owner: Account, entry_ids: Sequence[int]) -> list[Entry]:
    """With them go the lines that folds made of them. Raises UnknownError if one is not theirs, InvalidError where none
    is named."""
    wanted = list(dict.fromkeys(entry_ids))
    if not wanted:
        raise InvalidError(_("No entry is named that could be forgotten."))
    known = set(Entry.objects.of(owner).filter(pk__in=wanted).values_list("pk", flat=True))
    if missing := sorted(set(wanted) - known):
        raise UnknownError(_("No entry with id %(id)s.") % {"id": ", ".join(map(str, missing))})
    return list(Entry.objects.of(owner).filter(pk__in=known | folded.lines_of(owner, known)).order_by("id"))


def _deleted(owner: Account, entry_ids: Sequence[int]) -> list[Entry]:
    """Rows as the chain knows them. Their texts are where the chain's texts are kept, if those were left."""
    there = set(Entry.objects.filter(pk__in=entry_ids).values_list("pk", flat=True))
    last = head(owner)
    states = states_at(owner, last.tick, set(entry_ids) - there) if last else {}
    return [
        Entry(pk=pk, owner=owner, address=stated.address, message=stated.state.message, source=stated.state.source)
        for pk, stated in sorted(states.items())
    ]


def _carried_out(going: Going, *, actor: str, cause: str, my_message: bool = False) -> Forgotten:
    going.take_texts()
    made = store.commit(going.owner, going.write(), actor=actor, cause=cause)
    assert made is not None  # there is an entry to forget
    going.take_elsewhere()
    certificate = erasure.certify(going.owner, going, made)
    # Outside the transaction: whoever looks through a data folder holds no lock meanwhile.
    transaction.on_commit(partial(erasure.complete, certificate, going.owner, going.texts), robust=True)
    left = sentences(certificate.report, my_message=my_message)
    return Forgotten(tuple(going.ids), left, certificate, followed(certificate.report))
