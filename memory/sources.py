"""What an entry rests on, and what a summary may be made from and stand for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from forgesite.errors import UnknownError
from forgesite.models import Account
from memory.domain.wording import size
from memory.drafts import Draft
from memory.errors import (
    CoversError,
    CoversOpenTodoError,
    LongerSummaryError,
    NeedsSourceError,
    NotCurrentError,
    RecursiveSummaryError,
)
from memory.models import Entry, Kind, Link, LinkType, Origin, Status

LARGEST_ID = 2**63 - 1


@dataclass(frozen=True)
class Rests:
    """What an entry rests on. What it covers is among its `sources` too."""

    sources: tuple[Entry, ...] = ()
    covers: tuple[Entry, ...] = ()

    def links(self, entry: Entry) -> list[Link]:
        """Those that make the entry rest on all this."""
        named = {LinkType.SOURCE: self.sources, LinkType.COVERS: self.covers}
        return [Link(type=type, entry=entry, other=other) for type, others in named.items() for other in others]


def rests_now(entry: Entry) -> Rests:
    """What a stored entry rests on, as far as that is there still."""
    links = Link.objects.standing().filter(entry=entry, type__in=[LinkType.SOURCE, LinkType.COVERS]).order_by("id")
    found = [(link.type, link.other) for link in links.select_related("other")]
    return Rests(
        tuple(other for type, other in found if type == LinkType.SOURCE),
        tuple(other for type, other in found if type == LinkType.COVERS),
    )


def rests_of(owner: Account, drafts: Sequence[Draft], replaced: Collection[int] = ()) -> list[Rests]:
    """What each draft rests on. `replaced`: ids of entries that the same write replaces.

    Raises UnknownError for an id that is not an entry of the owner's, and what `refuse` raises.
    """
    held = _named(owner, {pk for draft in drafts for pk in (*draft.sources, *draft.covers)})
    found = []
    for draft in drafts:
        every = dict.fromkeys((*draft.sources, *draft.covers))
        rests = Rests(tuple(held[pk] for pk in every), tuple(held[pk] for pk in draft.covers))
        refuse(draft.kind, draft.origin, draft.text, rests, replaced)
        found.append(rests)
    return found


def _named(owner: Account, ids: set[int]) -> dict[int, Entry]:
    storable = [pk for pk in ids if 0 < pk <= LARGEST_ID]
    held = Entry.objects.of(owner).in_bulk(storable) if storable else {}
    if missing := sorted(ids - held.keys()):
        raise UnknownError(
            _("No entry with id %(id)s to rest on. A source is there before what rests on it is written.")
            % {"id": ", ".join(map(str, missing))},
            detail={"ids": missing},
        )
    return held


def refuse(kind: str, origin: str, text: str, rests: Rests, replaced: Collection[int] = ()) -> None:
    """Raises what an entry of this kind, from there, may not rest on."""
    if kind == Kind.SUMMARY:
        refuse_summary(rests, replaced)
        refuse_longer(text, rests.covers)
        if origin in (Origin.MODEL, Origin.COMPACTION) and not rests.sources:
            raise NeedsSourceError(_("A summary names the entries that it was made from, as `sources`."))
    elif rests.covers:
        raise CoversError(_("Only a summary covers others; this is a %(kind)s.") % {"kind": Kind(kind).label})
    if kind == Kind.PROCEDURE and (rests.sources or origin != Origin.PERSON):
        _refuse_procedure(rests.sources)


def refuse_summary(rests: Rests, replaced: Collection[int] = ()) -> None:
    """A summary is made from what is current and no summary, and covers nothing that is still to be done."""
    for source in rests.sources:
        refuse_recursion(source.pk, source.kind)
        if source.pk in replaced or source.is_replaced or source.status == Status.RETRACTED:
            raise NotCurrentError(
                _("Entry #%(id)d is retracted or replaced, and a summary is built on what is current.")
                % {"id": source.pk}
            )
    for covered in rests.covers:
        if covered.status == Status.OPEN:
            raise CoversOpenTodoError(
                _("Todo #%(id)d is open, and no summary covers what is still to be done.") % {"id": covered.pk}
            )


def refuse_recursion(source: int, kind: str) -> None:
    """What a summary is built on, is of that kind or would be."""
    if kind == Kind.SUMMARY:
        raise RecursiveSummaryError(_("No summary is built on summaries, and #%(id)d would be one.") % {"id": source})


def refuse_longer(text: str, covers: Sequence[Entry]) -> None:
    covered = sum(size(entry.text) for entry in covers)
    if covers and size(text) >= covered:
        raise LongerSummaryError(
            _("The summary has %(size)d bytes, and what it covers (%(ids)s) has %(limit)d: it must be shorter.")
            % {"size": size(text), "limit": covered, "ids": _ids(covers)},
            detail={"size": size(text), "limit": covered},
        )


def _refuse_procedure(sources: Sequence[Entry]) -> None:
    if not any(source.kind != Kind.SUMMARY and source.status != Status.RETRACTED for source in sources):
        message = _("A procedure needs a source that is neither a summary nor retracted.")
        raise NeedsSourceError(
            f"{message} {_('Named were: %(ids)s.') % {'ids': _ids(sources)}}" if sources else message
        )


def _ids(entries: Sequence[Entry]) -> str:
    return ", ".join(f"#{entry.pk}" for entry in entries)
