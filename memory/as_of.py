"""Memory as it was at an earlier commit or time: states from the chain, words by their digest."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from forgesite.errors import InvalidError, UnknownError
from forgesite.language import zone_of
from forgesite.models import Account
from memory import ledger
from memory.commits import NAMED, commit_of
from memory.domain.chain import FIRST
from memory.domain.naming_times import named
from memory.listing import Listing, touching
from memory.models import Commit, Entry, Link
from memory.past.entries import past, rows_of

#: The cause of the commits that state all entries of a chain of the first form (migration 0005).
BASELINE = "the ledger states whole entries from here on"


@dataclass(frozen=True)
class At:
    """A point in the owner's chain: after the commit `tick`, which was made `at` that time or before it.

    `address`: that commit's; empty before the first.
    """

    tick: int
    at: datetime
    address: str = ""


def moment_of(owner: Account, text: str) -> At:
    """What a person names: a commit's address (or its first 8 digits), its tick (`12`, `#12`), an ISO date or time.

    A date means its end, and a time without an offset is one of the account's zone. Raises InvalidError for what is
    none of these and for a time before the first that is known, UnknownError for a commit that is not the owner's.
    """
    asked = named(text, zone_of(owner.time_zone))
    if asked is None:
        raise InvalidError(
            _("“%(text)s” is no time: name a commit, a date (2026-03-31) or a time (2026-03-31T18:00).")
            % {"text": text[:80]}
        )
    if asked.at is not None:
        found = _at_time(owner, asked.at)
    else:
        found = _at_tick(owner, asked.tick) if asked.tick is not None else _at_address(owner, asked.address)
    earliest = _earliest(owner)
    if earliest is not None and found.tick < earliest.tick:
        raise InvalidError(
            _("The ledger tells how memory was from %(when)s on (commit #%(tick)d), and not before.")
            % {"when": shown(owner, earliest.at), "tick": earliest.tick},
            detail={"tick": earliest.tick, "at": earliest.at.isoformat()},
        )
    return found


def shown(owner: Account, at: datetime) -> str:
    """The time by the account's clock."""
    return f"{timezone.localtime(at, zone_of(owner.time_zone)):%Y-%m-%d %H:%M:%S}"


def said(owner: Account, at: At) -> str:
    """“2026-03-31 18:00:00 (commit #12, 0123456789ab)”."""
    when = shown(owner, at.at)
    if not at.address:
        return when
    return _("%(when)s (commit #%(tick)d, %(commit)s)") % {
        "when": when,
        "tick": at.tick,
        "commit": at.address[:NAMED],
    }


def listing(
    owner: Account,
    at: At,
    *,
    kind: str = "",
    status: str = "",
    project: str | None = None,
    limit: int = 50,
    offset: int = 0,
) -> Listing:
    """The entries that there were, as they were then, newest first: unsaved rows. Forgotten ones are none of them."""
    found = past(owner, at.tick)
    wanted = {
        pk: one
        for pk, one in found.stated.items()
        if kind in ("", one.change["kind"])
        and status in ("", one.change["status"])
        and project in (None, found.projects[one.change["words"]])
    }
    by_kind = Counter(one.change["kind"] for one in wanted.values())
    page = sorted(wanted, reverse=True)[offset : offset + limit]
    rows = rows_of(owner, {pk: wanted[pk] for pk in page})
    entries = tuple(rows[pk] for pk in page if pk in rows)
    return Listing(len(wanted), dict(sorted(by_kind.items())), entries, found.forgotten)


def entry(owner: Account, at: At, entry_id: int) -> Entry:
    """The entry as it was then, an unsaved row. Raises UnknownError where it was not there yet or is forgotten."""
    found = past(owner, at.tick, [entry_id])
    rows = rows_of(owner, found.stated)
    if entry_id in rows:
        return rows[entry_id]
    if found.forgotten:
        raise UnknownError(_("What entry #%(id)d said then is forgotten, at any time.") % {"id": entry_id})
    raise UnknownError(_("There was no entry #%(id)d then.") % {"id": entry_id})


def history(owner: Account, at: At, entry_id: int) -> list[Commit]:
    """The commits that had touched the entry, oldest first, each with those of its changes that are of it."""
    return touching(owner, entry_id, at.tick)


def links(owner: Account, at: At, entry_id: int) -> list[Link]:
    """The links that the entry had, both ways, oldest first, both ends as they were.

    An end that was forgotten is an Entry of that id without a text.
    """
    made = Link.objects.of(owner).filter(since__lte=at.tick).filter(Q(until=None) | Q(until__gt=at.tick))
    found = list(made.filter(Q(entry=entry_id) | Q(other=entry_id)).order_by("id"))
    ids = {pk for link in found for pk in (link.entry_id, link.other_id)}
    rows = rows_of(owner, past(owner, at.tick, ids).stated)
    for link in found:
        link.entry = rows.get(link.entry_id, Entry(pk=link.entry_id))
        link.other = rows.get(link.other_id, Entry(pk=link.other_id))
    return found


def _at_time(owner: Account, at: datetime) -> At:
    last = Commit.objects.of(owner).filter(at__lte=at).order_by("-tick").defer("changes").first()
    return At(last.tick, at, last.address) if last else At(0, at)


def _at_tick(owner: Account, tick: int) -> At:
    found = Commit.objects.of(owner).filter(tick=tick).defer("changes").first()
    if found is None:
        head = ledger.head(owner)
        raise UnknownError(
            _("There is no commit #%(tick)d; the last is #%(head)d.") % {"tick": tick, "head": head.tick if head else 0}
        )
    return At(found.tick, found.at, found.address)


def _at_address(owner: Account, address: str) -> At:
    found = commit_of(owner, address)
    return At(found.tick, found.at, found.address)


def _earliest(owner: Account) -> At | None:
    """From where on commits state entries as a whole; None: from the first one on."""
    chain = Commit.objects.of(owner).defer("changes")
    if not chain.filter(tick=1, form=FIRST).exists():
        return None
    last = chain.filter(form=FIRST).order_by("-tick")[0]
    stated = chain.filter(tick__gt=last.tick, cause=BASELINE).order_by("-tick").first() or last
    return At(stated.tick, stated.at, stated.address)
