"""Other names of subjects: proposed from corrections, decided by a person, and searched once they are accepted."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from forgesite.errors import InvalidError
from forgesite.owned import owner_id
from memory import word_channel
from memory.domain.aliases import proposed
from memory.domain.names_asked import Pair, held, holds, key, others, with_others
from memory.domain.naming import LONGEST
from memory.domain.scope import scope
from memory.domain.words import terms
from memory.models import DELIBERATE, Alias, AliasState, Entry, Link, LinkType

if TYPE_CHECKING:
    from forgesite.models import Account


@dataclass(frozen=True)
class Widened:
    """The question as it is searched, and the names that came to it; `notices` say so."""

    text: str
    aliases: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


def widened(owner: Account, text: str, *, then: bool = False) -> Widened:
    """The text with the other names of each subject that it names; the text itself where there are none.

    They stand after the name that it holds, and instead of one that no row of the owner holds: it would be the rarest
    word of the question, and memory would seem to hold nothing on it. Both channels search by them. Measured, of
    fourteen questions nine seemed to have no answer before, five with words alone, three with both, and none so.
    `then`: memory is searched as it was at another time, and every name stays.
    """
    pairs = [Pair(*names) for names in _accepted(owner)]
    named = [each.name for each in held(text, [name for pair in pairs for name in (pair.name, pair.other)])]
    found: list[str] = []
    for name in sorted(named, key=len, reverse=True):
        more = [other for other in others([name], pairs) if not holds(text, other)]
        for place in held(text, [name]) if more else ():  # none where a longer name made room
            text = with_others(text, place, more, instead=not then and not _in_store(owner, name))
            found += more
    if not found:
        return Widened(text)
    notice = _("Searched by other names too: %(names)s.") % {"names": ", ".join(found)}
    return Widened(text, tuple(found), (notice,))


def _accepted(owner: Account) -> list[tuple[str, str]]:
    rows = Alias.objects.of(owner).filter(state=AliasState.ACCEPTED).order_by("id")
    return list(rows.values_list("name", "other"))


def _in_store(owner: Account, name: str) -> bool:
    """Does any row hold a word of it, whatever its state?"""
    where = scope(owner_id(owner), "", None, everything=True)
    word_channel.sync()
    return any(len(word_channel.holders(term, where)) for term in terms(name).content)


def propose(owner: Account, entry: Entry, before: str = "") -> None:
    """Keep what an entry shows to be two names of one thing, for a person to decide; nothing is searched by it yet.

    `before`: the text that it took the place of. A pair that is there is proposed no more, in whichever order: what was
    rejected stays so. It goes with the entry. Call it in the transaction that writes the entry.
    """
    pairs = proposed(before, entry.text) if entry.kind in DELIBERATE else ()
    if not pairs:
        return
    known = _known(owner)
    Alias.objects.bulk_create(
        Alias(owner_id=owner_id(owner), name=pair.name, other=pair.other, entry=entry)
        for pair in pairs
        if _both(pair.name, pair.other) not in known
    )


def propose_all(owner: Account, entries: Sequence[Entry]) -> None:
    """The same of entries that were written together, each with what its key stood for before."""
    links = Link.objects.of(owner).filter(type=LinkType.VERSION_OF, entry__in=[entry.pk for entry in entries])
    before = dict(links.values_list("entry", "other__text"))
    for entry in entries:
        propose(owner, entry, before.get(entry.pk, ""))


def that_came_from(owner: Account, entries: Collection[int]) -> list[int]:
    """The aliases that go with these entries: proposed from one of them, or from the version that followed one, which
    by itself does not hold both names."""
    followed = (
        Link.objects.of(owner).filter(type=LinkType.VERSION_OF, other__in=entries).values_list("entry", flat=True)
    )
    later = Alias.objects.of(owner).filter(entry__in=list(followed)).select_related("entry")
    told = [row.pk for row in later if not (row.entry and _tells(row.entry.text, row))]
    return sorted({*Alias.objects.of(owner).filter(entry__in=entries).values_list("pk", flat=True), *told})


def _tells(text: str, alias: Alias) -> bool:
    return holds(text, alias.name) and holds(text, alias.other)


def add(owner: Account, name: str, other: str) -> Alias:
    """A person's own pair, accepted at once. Raises InvalidError for names that are none or one, or a pair there is."""
    name, other = " ".join(name.split()), " ".join(other.split())
    _refuse_no_pair(name, other)
    with transaction.atomic():
        if _both(name, other) in _known(owner):
            raise InvalidError(_("“%(name)s” and “%(other)s” are there already.") % {"name": name, "other": other})
        return Alias.objects.create(
            owner_id=owner_id(owner), name=name, other=other, state=AliasState.ACCEPTED, decided_at=timezone.now()
        )


def decide(owner: Account, ids: Collection[int], state: AliasState) -> int:
    """Accept or reject what is proposed. How many were; one that is decided already stays as it is."""
    rows = Alias.objects.of(owner).filter(pk__in=ids, state=AliasState.PROPOSED)
    return rows.update(state=state, decided_at=timezone.now())


def undo(owner: Account, ids: Collection[int]) -> int:
    """What was decided is a proposal again. How many were."""
    rows = Alias.objects.of(owner).filter(pk__in=ids).exclude(state=AliasState.PROPOSED)
    return rows.update(state=AliasState.PROPOSED, decided_at=None)


def _known(owner: Account) -> set[frozenset[str]]:
    return {_both(name, other) for name, other in Alias.objects.of(owner).values_list("name", "other")}


def _both(name: str, other: str) -> frozenset[str]:
    return frozenset((key(name), key(other)))


def _refuse_no_pair(name: str, other: str) -> None:
    for each in (name, other):
        if not key(each) or len(each) > LONGEST:
            raise InvalidError(
                _("“%(name)s” is no name: it takes letters or digits, and %(most)d characters at most.")
                % {"name": each[:40], "most": LONGEST}
            )
    if key(name) == key(other):
        raise InvalidError(
            _("A search takes “%(name)s” and “%(other)s” for one name already.") % {"name": name, "other": other}
        )
