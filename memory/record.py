"""An entry with its history and links, now or as it was; and a commit with the entries as it left them."""

from __future__ import annotations

from django.utils.translation import gettext as _
from pydantic import Field

from forgesite.errors import UnknownError
from forgesite.models import Account
from memory import as_of
from memory.as_of import At
from memory.commits import SHORTEST, commit_of
from memory.listing import entry_of, history
from memory.models import Commit, Entry
from memory.past.entries import past, rows_of
from memory.regime.pending import is_indexed
from memory.relate import links_of
from memory.schemas import CommitOut, EntryOut, EntryWithHistory, entry_out, link_out


class CommitRecord(CommitOut):
    parent: str = Field(description="The address of the commit before it; empty of the first.")
    entries: list[EntryOut] = Field(description="The entries that it names, as it left them.")
    forgotten: int = Field(description="How many more there were that are forgotten by now.")


def record(owner: Account, ref: str, named: str = "") -> EntryWithHistory | CommitRecord:
    """The entry or the commit of this address; an entry by its number too. `named`: the entry as of that time.

    Raises UnknownError, InvalidError.
    """
    if named:
        return entry_then(owner, as_of.moment_of(owner, named), entry_id(owner, ref))
    try:
        return entry_now(owner, entry_of(owner, ref))
    except UnknownError:
        if len(ref.strip()) < SHORTEST or "#" in ref:
            raise
    try:
        return commit_record(owner, commit_of(owner, ref))
    except UnknownError:
        raise UnknownError(_("Neither an entry nor a commit has the address “%(ref)s”.") % {"ref": ref[:80]}) from None


def entry_id(owner: Account, ref: str) -> int:
    """The number of an entry that may be there no longer. Raises UnknownError."""
    number = ref.strip().removeprefix("#")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 19 else entry_of(owner, ref).pk


def entry_now(owner: Account, entry: Entry) -> EntryWithHistory:
    return EntryWithHistory(
        **entry_out(entry).model_dump(),
        history=[CommitOut.model_validate(commit) for commit in history(entry)],
        links=[link_out(link, entry) for link in links_of(owner, entry)],
        indexed=is_indexed(entry),
    )


def entry_then(owner: Account, at: At, number: int) -> EntryWithHistory:
    """Raises UnknownError where it was not there then, or is forgotten."""
    entry = as_of.entry(owner, at, number)
    return EntryWithHistory(
        **entry_out(entry).model_dump(),
        history=[CommitOut.model_validate(commit) for commit in as_of.history(owner, at, number)],
        links=[link_out(link, entry) for link in as_of.links(owner, at, number)],
        indexed=bool(entry.embedded),
    )


def commit_record(owner: Account, commit: Commit) -> CommitRecord:
    found = past(owner, commit.tick, {change["id"] for change in commit.changes})
    rows = rows_of(owner, found.stated)
    return CommitRecord(
        **CommitOut.model_validate(commit).model_dump(),
        parent=commit.parent,
        entries=[entry_out(rows[pk]) for pk in sorted(rows)],
        forgotten=found.forgotten,
    )
