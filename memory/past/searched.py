"""What a recall goes through: the two indexes and the rows, of now or of an earlier time."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from forgesite.models import Account
from memory import word_channel
from memory.domain.scope import Scope
from memory.finding import by_meaning, by_words, plain_rows
from memory.models import Entry, How
from memory.word_channel import Said


class Searched(Protocol):
    @property
    def words(self) -> by_words.Index: ...

    @property
    def vectors(self) -> by_meaning.Index: ...

    def entries(self, ids: Collection[int]) -> dict[int, Entry]:
        """By id. One that was deleted since it was found is not in."""

    def replaced_by(self, ids: Collection[int]) -> dict[int, int]:
        """The entries that one of these replaced, each with the one that did."""

    def plain(self, channel: str, where: Scope, most: int) -> list[int]:
        """Rows that are found without a question (see plain_rows.py)."""

    def ages(self, ids: Collection[int]) -> dict[int, float]:
        """In days: since what an entry tells of happened, or since it was said; none is below 0."""

    def said(self, ids: Collection[int]) -> dict[int, Said]:
        """When each entry was said, and whether somebody chose to write it down."""

    def notices(self) -> tuple[str, ...]:
        """What is to be said of the search, once it is done."""


@dataclass(frozen=True)
class Now:
    owner: Account

    @property
    def words(self) -> by_words.Index:
        return word_channel

    @property
    def vectors(self) -> by_meaning.Index:
        return by_meaning.NOW

    def entries(self, ids: Collection[int]) -> dict[int, Entry]:
        return Entry.objects.of(self.owner).in_bulk(list(ids))

    def replaced_by(self, ids: Collection[int]) -> dict[int, int]:
        rows = Entry.objects.of(self.owner).filter(superseded_by__in=list(ids), superseded_how=How.REPLACED)
        return {pk: by for pk, by in rows.order_by("id").values_list("pk", "superseded_by") if by}

    def plain(self, channel: str, where: Scope, most: int) -> list[int]:
        return plain_rows.found(channel, where, most)

    def ages(self, ids: Collection[int]) -> dict[int, float]:
        return plain_rows.ages(self.owner, ids)

    def said(self, ids: Collection[int]) -> dict[int, Said]:
        return word_channel.said(self.owner.pk, ids)

    def notices(self) -> tuple[str, ...]:
        return ()
