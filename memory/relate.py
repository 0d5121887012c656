"""Say how two entries stand to each other, and take it back. One commit each."""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import Q
from django.utils.translation import gettext as _

from forgesite.errors import InvalidError, UnknownError
from forgesite.models import Account
from memory import keys, sources, store
from memory.drafts import refuse_names
from memory.errors import CoversError, EventError, NotLiveError, SelfLinkError, SupersededError
from memory.models import REPLACING, Entry, Kind, Link, LinkType, Status
from memory.people_first import refuse_closing, refuse_persons
from memory.sources import Rests
from memory.store import Write


def relate(owner: Account, entry_id: int, type: str, other_id: int, *, actor: str, cause: str) -> Link:
    """Link the entry to the other one; `conflicts` goes both ways. The same link again gives the one that stands.

    What a summary covers becomes a source of it too. Raises UnknownError, InvalidError, SelfLinkError, and whatever
    forbids this relation between the two: SupersededError, NotLiveError, EventError, OpenTodoError, PersonsEntryError,
    or what sources.py refuses.
    """
    with keys.transaction():
        entry, other = (Entry.objects.one_of(owner, pk=pk) for pk in (entry_id, other_id))
        if known := _known(entry, _typed(type), other):
            return known
        if entry == other:
            raise SelfLinkError(_("Entry #%(id)d cannot be related to itself.") % {"id": entry.pk})
        _REFUSALS[LinkType(type)](entry, other, actor)
        link = Link(type=type, entry=entry, other=other)
        store.commit(owner, Write(linked=[link, *_source_too(link)]), actor=actor, cause=cause)
    return link


def unrelate(owner: Account, link_id: int, *, actor: str, cause: str) -> Link:
    """End a link. What is no source any more is not covered either.

    Raises UnknownError, also for one that was ended already; KeyTakenError where both ends would hold one key; and
    PersonsEntryError of a job that would bring back what a person replaced.
    """
    with keys.transaction():
        link = Link.objects.of(owner).standing().filter(pk=link_id).first()
        if link is None:
            raise UnknownError(_("No link with id %(id)d stands.") % {"id": link_id})
        if link.type in REPLACING and (other := Entry.objects.of(owner).filter(pk=link.other_id).first()):
            refuse_persons(other, actor)
            keys.refuse_taken(other, released=True)
        store.commit(owner, Write(unlinked=[link, *_cover_too(link)]), actor=actor, cause=cause)
    return link


def links_of(owner: Account, entry: Entry) -> list[Link]:
    """The standing links of an entry, both ways, oldest first, with both ends loaded.

    An end that was forgotten is an Entry of that id without a text.
    """
    links = list(Link.objects.of(owner).standing().filter(Q(entry=entry) | Q(other=entry)).order_by("id"))
    ends = Entry.objects.of(owner).in_bulk({pk for link in links for pk in (link.entry_id, link.other_id)})
    for link in links:
        link.entry = ends.get(link.entry_id) or Entry(pk=link.entry_id)
        link.other = ends.get(link.other_id) or Entry(pk=link.other_id)
    return links


def _typed(type: str) -> LinkType:
    if type not in LinkType.values:
        raise InvalidError(
            _("“%(type)s” is no relation. Relations are: %(types)s.")
            % {"type": type[:40], "types": ", ".join(LinkType.values)}
        )
    return LinkType(type)


def _known(entry: Entry, type: LinkType, other: Entry) -> Link | None:
    same = Q(entry=entry, other=other)
    if type == LinkType.CONFLICTS:
        same |= Q(entry=other, other=entry)
    return Link.objects.standing().filter(same, type=type).first()


def _source_too(link: Link) -> list[Link]:
    """What is covered is a source."""
    if link.type != LinkType.COVERS or _known(link.entry, LinkType.SOURCE, link.other):
        return []
    return [Link(type=LinkType.SOURCE, entry=link.entry, other=link.other)]


def _cover_too(link: Link) -> list[Link]:
    if link.type != LinkType.SOURCE:
        return []
    return list(Link.objects.standing().filter(type=LinkType.COVERS, entry=link.entry_id, other=link.other_id))


def _refuse_superseding(entry: Entry, other: Entry, actor: str) -> None:
    _refuse_superseded(entry)
    _refuse_replaced(other)
    _refuse_retracted(entry, other)
    if other.kind == Kind.EVENT:
        raise EventError(
            _("Entry #%(id)d is an event: what happened is never superseded. Correct or retract it.") % {"id": other.pk}
        )
    _refuse_to_retire(other, entry, actor)


def _refuse_version(entry: Entry, other: Entry, actor: str) -> None:
    if not entry.key or keys.name_of(entry) != keys.name_of(other):
        raise InvalidError(
            _("Entries #%(id)d and #%(other)d are no versions of each other: versions have the same key and project.")
            % {"id": entry.pk, "other": other.pk}
        )
    _refuse_replaced(entry)
    _refuse_replaced(other)
    _refuse_retracted(entry)
    _refuse_to_retire(other, entry, actor)


def _refuse_fold(entry: Entry, other: Entry, actor: str) -> None:
    """No chains: neither is what speaks spoken for, nor does what is spoken for speak."""
    _refuse_superseded(entry)
    _refuse_superseded(other)
    _refuse_retracted(entry, other)
    if speaking := Link.objects.standing().filter(type=LinkType.SPEAKS_FOR, entry=other).first():
        raise SupersededError(
            _("Entry #%(id)d speaks for #%(other)d itself; unwind that first.")
            % {"id": other.pk, "other": speaking.other_id}
        )


def _refuse_source(entry: Entry, other: Entry, actor: str) -> None:
    _refuse_more(entry, LinkType.SOURCE, other)
    if entry.kind == Kind.SUMMARY:
        sources.refuse_summary(Rests(sources=(other,)))


def _refuse_cover(entry: Entry, other: Entry, actor: str) -> None:
    if entry.kind != Kind.SUMMARY:
        raise CoversError(_("Only a summary covers others; this is a %(kind)s.") % {"kind": entry.get_kind_display()})
    _refuse_more(entry, LinkType.COVERS, other)
    sources.refuse_summary(Rests(sources=(other,), covers=(other,)))
    sources.refuse_longer(entry.text, (*sources.rests_now(entry).covers, other))


def _refuse_nothing(entry: Entry, other: Entry, actor: str) -> None:
    """Any two entries may conflict."""


_REFUSALS: dict[LinkType, Callable[[Entry, Entry, str], None]] = {
    LinkType.SUPERSEDES: _refuse_superseding,
    LinkType.VERSION_OF: _refuse_version,
    LinkType.SPEAKS_FOR: _refuse_fold,
    LinkType.SOURCE: _refuse_source,
    LinkType.COVERS: _refuse_cover,
    LinkType.CONFLICTS: _refuse_nothing,
}


def _refuse_to_retire(other: Entry, by: Entry, actor: str) -> None:
    if by.kind != Kind.TODO:
        refuse_closing(other, actor)
    refuse_persons(other, actor)


def _refuse_superseded(entry: Entry) -> None:
    if entry.superseded_by_id is not None:
        raise SupersededError(
            _("Entry #%(id)d is superseded by #%(by)d already.") % {"id": entry.pk, "by": entry.superseded_by_id},
            detail={"id": entry.pk, "superseded_by": entry.superseded_by_id},
        )


def _refuse_replaced(entry: Entry) -> None:
    if entry.is_replaced:
        _refuse_superseded(entry)


def _refuse_retracted(*entries: Entry) -> None:
    for entry in entries:
        if entry.status == Status.RETRACTED:
            raise NotLiveError(_("Entry #%(id)d is retracted. Restore it first.") % {"id": entry.pk})


def _refuse_more(entry: Entry, type: LinkType, other: Entry) -> None:
    """As many as a draft may name, and no more later."""
    held = Link.objects.standing().filter(type=type, entry=entry).values_list("other", flat=True)
    refuse_names([*held, other.pk], "sources" if type == LinkType.SOURCE else "covers")
