"""The entries that an owner had at an earlier time, as rows that are not saved. What is forgotten is none of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from forgesite.models import Account
from forgesite.owned import owner_id
from memory.domain.states import MOMENTS, NAMES
from memory.models import Entry, TextVersion
from memory.past.states import Stated, batched, states_at
from memory.store import WORDS


@dataclass(frozen=True)
class Past:
    """How entries were, by id, and their projects by the digest of their words.

    `forgotten`: how many there were whose words are gone by now.
    """

    stated: dict[int, Stated]
    projects: dict[str, str]
    forgotten: int


def past(owner: Account, tick: int, entries: Collection[int] | None = None) -> Past:
    """After the commit of that tick. `entries`: only these."""
    if entries is None:
        return _past(owner, states_at(owner, tick), None)
    return past_of(owner, states_at(owner, tick, entries))


def past_of(owner: Account, stated: Mapping[int, Stated]) -> Past:
    """Of a few."""
    return _past(owner, stated, [one.change["words"] for one in stated.values()])


def _past(owner: Account, stated: Mapping[int, Stated], digests: Collection[str] | None) -> Past:
    """`digests` None: of whatever words."""
    projects = {digest: project for kept in _kept(owner, digests) for digest, project in kept}
    present = {pk: one for pk, one in stated.items() if one.change["words"] in projects}
    return Past(present, projects, len(stated) - len(present))


def rows_of(owner: Account, stated: Mapping[int, Stated]) -> dict[int, Entry]:
    """Unsaved rows of the states. Those whose words are gone are left out."""
    words = versions(owner, (one.change["words"] for one in stated.values()))
    return {
        pk: _row(owner, pk, one, words[one.change["words"]])
        for pk, one in stated.items()
        if one.change["words"] in words
    }


def versions(owner: Account, digests: Iterable[str]) -> dict[str, TextVersion]:
    found: dict[str, TextVersion] = {}
    for some in batched(digests):
        found.update({row.digest: row for row in TextVersion.objects.of(owner).filter(digest__in=some)})
    return found


def _kept(owner: Account, digests: Collection[str] | None) -> Iterable[QuerySet[Any, tuple[str, str]]]:
    rows = TextVersion.objects.of(owner)
    if digests is None:
        return [rows.values_list("digest", "project")]
    return (rows.filter(digest__in=some).values_list("digest", "project") for some in batched(digests))


def _row(owner: Account, pk: int, stated: Stated, words: TextVersion) -> Entry:
    state = stated.state
    said = {name: getattr(state, name) for name in NAMES if name != "superseded_by"}
    said |= {name: datetime.fromisoformat(said[name]) for name in MOMENTS if said[name]}
    said |= {name: getattr(words, name) for name in WORDS}
    return Entry(
        pk=pk,
        owner_id=owner_id(owner),
        address=stated.address,
        superseded_by_id=state.superseded_by,
        salt=words.salt,
        **said,
    )
