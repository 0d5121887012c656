"""Find commits: one by its address, the newest ones, and which of them are undone."""

from __future__ import annotations

import re

from django.utils.translation import gettext as _

from forgesite.errors import InvalidError, UnknownError
from forgesite.models import Account
from memory.models import Commit, CommitEntry

#: So much of an address names a commit where nothing else begins like it.
SHORTEST, WHOLE = 8, 64
#: How much of an address stands in the cause of the commit that undoes it.
NAMED = 12
ADDRESS = re.compile(rf"[0-9a-f]{{{SHORTEST},{WHOLE}}}")
UNDOES = re.compile(rf"undo ([0-9a-f]{{{NAMED}}})(?: |$)")


def commit_of(owner: Account, ref: str) -> Commit:
    """The owner's commit by its address, or by the first 8 digits of it or more. Raises UnknownError, InvalidError."""
    name = ref.strip().lower()
    if not ADDRESS.fullmatch(name):
        raise UnknownError(_("No commit “%(ref)s”: one is named by its address.") % {"ref": ref[:80]})
    found = list(Commit.objects.of(owner).filter(address__gte=name, address__lt=f"{name}g").order_by("address")[:2])
    if not found:
        raise UnknownError(_("No commit “%(ref)s”.") % {"ref": name})
    if len(found) > 1:
        raise InvalidError(_("Several commits begin with %(ref)s: give more of the address.") % {"ref": name})
    return found[0]


def commits(
    owner: Account, *, limit: int = 50, before: int | None = None, entry: int | None = None
) -> tuple[Commit, ...]:
    """The newest first: those of ticks below `before`, and those that touched the entry, where these are given."""
    found = Commit.objects.of(owner)
    if before is not None:
        found = found.filter(tick__lt=before)
    if entry is not None:
        found = found.filter(pk__in=CommitEntry.objects.filter(entry=entry).values("commit"))
    return tuple(found.order_by("-tick")[:limit])


def undo_cause(address: str, cause: str) -> str:
    """The cause of a commit that undoes this one, and why that was done."""
    return f"undo {address[:NAMED]} {cause}".rstrip()


def undoes(cause: str) -> str:
    """The first 12 digits of what a commit with this cause undoes; empty where it undoes none."""
    found = UNDOES.match(cause)
    return found.group(1) if found else ""


def undone(owner: Account, since: int) -> dict[str, str]:
    """The commits after that tick, or of it, that are undone now: their first 12 digits → the address of the undo.

    A commit whose undo was undone stands again.
    """
    found: dict[str, str] = {}
    later = Commit.objects.of(owner).filter(tick__gte=since, cause__startswith="undo ").order_by("-tick")
    for address, cause in later.values_list("address", "cause"):
        if address[:NAMED] not in found and (of := undoes(cause)):
            found[of] = address
    return found
