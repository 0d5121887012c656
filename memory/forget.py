"""Delete entries at once and for good: rows, words, vectors, refusals, and every text that commits name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from django.utils.translation import gettext as _

from forgesite.errors import UnknownError
from forgesite.models import Account
from memory import change_log, store
from memory.domain.sameness import folded, sameness
from memory.models import Entry, Refusal, TextVersion
from memory.store import Write

Eraser: TypeAlias = Callable[[Account, Sequence[str], Sequence[int]], None]
#: Takes the person's own messages with these ids away.
Taker: TypeAlias = Callable[[Account, Sequence[int]], None]
_erasers: list[Eraser] = []
_takers: list[Taker] = []


@dataclass(frozen=True)
class Forgotten:
    """`left`: what still holds the words, in sentences fit to show."""

    ids: tuple[int, ...]
    left: tuple[str, ...]


def register_eraser(erase: Eraser) -> None:
    """An app's own erasing of (owner, texts, ids), called inside the transaction. Call it in AppConfig.ready."""
    if erase not in _erasers:
        _erasers.append(erase)


def register_taker(take: Taker) -> None:
    """How an app takes away what a person typed, where they ask for that too. Call it in AppConfig.ready."""
    if take not in _takers:
        _takers.append(take)


def forget(owner: Account, entry_ids: Sequence[int], *, actor: str, cause: str, my_message: bool = False) -> Forgotten:
    """Delete the owner's entries from every index in one transaction. Raises UnknownError if one is not theirs.

    `my_message`: also the messages that they were saved from, which stay otherwise.
    """
    wanted = list(dict.fromkeys(entry_ids))
    with change_log.ours():
        entries = list(Entry.objects.of(owner).filter(pk__in=wanted).order_by("id"))
        if missing := sorted(set(wanted) - {entry.pk for entry in entries}):
            raise UnknownError(_("No entry with id %(id)s.") % {"id": ", ".join(map(str, missing))})
        if not entries:
            return Forgotten((), ())
        ids = [entry.pk for entry in entries]
        texts = _erase(owner, entries)
        store.commit(owner, Write(gone=entries), actor=actor, cause=cause)
        for erase in _erasers:
            erase(owner, texts, ids)
        if my_message:
            for take in _takers:
                take(owner, [entry.message for entry in entries if entry.message is not None])
        return Forgotten(tuple(ids), _left(owner, texts, my_message))


def _erase(owner: Account, entries: Sequence[Entry]) -> list[str]:
    """Remove refusals that say the same. Returns every text that the entries had."""
    ids = [entry.pk for entry in entries]
    kept = TextVersion.objects.of(owner).filter(entry__in=ids)
    texts = list(dict.fromkeys([*(entry.text for entry in entries), *kept.values_list("text", flat=True)]))
    said = {folded(text) for text in texts}
    same = [row.pk for row in Refusal.objects.of(owner).only("id", "text") if folded(row.text) in said]
    Refusal.objects.of(owner).filter(pk__in=same).delete()
    return texts


def _left(owner: Account, texts: Sequence[str], my_message: bool) -> tuple[str, ...]:
    same = Entry.objects.of(owner).filter(sameness__in=[sameness(text) for text in texts])
    named = ", ".join(f"#{pk}" for pk in same.order_by("id").values_list("pk", flat=True)[:10])
    typed = (
        _("Other messages of yours that say it too.") if my_message else _("What you typed yourself in conversations.")
    )
    left = [typed, _("Backups made before.")]
    return (*((_("Entries with the same words: %(ids)s.") % {"ids": named},) if named else ()), *left)
