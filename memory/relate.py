"""Say how two entries stand to each other, and take it back. One commit each."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from forgesite.errors import InvalidError, UnknownError
from forgesite.models import Account
from memory import store
from memory.errors import SelfLinkError
from memory.models import Entry, Link, LinkType
from memory.store import Write


def relate(owner: Account, entry_id: int, type: str, other_id: int, *, actor: str, cause: str) -> Link:
    """Link the entry to the other one. The same link again gives the standing one, and makes no commit.

    Raises UnknownError, InvalidError for a type that does not exist, SelfLinkError.
    """
    with transaction.atomic():
        entry, other = (Entry.objects.one_of(owner, pk=pk) for pk in (entry_id, other_id))
        if type not in LinkType.values:
            raise InvalidError(
                _("“%(type)s” is no relation. Relations are: %(types)s.")
                % {"type": type[:40], "types": ", ".join(LinkType.values)}
            )
        if entry == other:
            raise SelfLinkError(_("Entry #%(id)d cannot be related to itself.") % {"id": entry.pk})
        known = Link.objects.of(owner).standing().filter(type=type, entry=entry, other=other).first()
        if known is not None:
            return known
        link = Link(type=type, entry=entry, other=other)
        store.commit(owner, Write(linked=[link]), actor=actor, cause=cause)
    return link


def unrelate(owner: Account, link_id: int, *, actor: str, cause: str) -> Link:
    """End a link. Raises UnknownError, also for one that was ended already."""
    with transaction.atomic():
        link = Link.objects.of(owner).standing().filter(pk=link_id).first()
        if link is None:
            raise UnknownError(_("No link with id %(id)d stands.") % {"id": link_id})
        store.commit(owner, Write(unlinked=[link]), actor=actor, cause=cause)
    return link


def links_of(owner: Account, entry: Entry) -> list[Link]:
    """The standing links of an entry, both ways, oldest first, with both ends loaded.

    An end that was forgotten is an Entry of that id without a text.
    """
    links = list(Link.objects.of(owner).standing().filter(Q(entry=entry) | Q(other=entry)).order_by("id"))
    ends = Entry.objects.of(owner).in_bulk({pk for link in links for pk in (link.entry_id, link.other_id)})
    for link in links:
        link.entry = ends.get(link.entry_id, Entry(pk=link.entry_id))
        link.other = ends.get(link.other_id, Entry(pk=link.other_id))
    return links
