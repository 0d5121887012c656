"""The vectors of an earlier time, for the vector channel: each is measured, none is looked up.

Vectors are kept of the words of now. Entries that had others then are embedded for the one search, if they are few.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils.translation import ngettext

from forgesite.lib.embeddings import Door
from forgesite.lib.vectors import Vector
from forgesite.models import Account
from memory import embedding
from memory.domain.scope import Scope
from memory.embedding import Embedded
from memory.finding import vector_scan
from memory.models import Entry
from memory.past.entries import Past, versions
from memory.past.states import batched
from memory.past.words import in_scope
from memory.regime import states as regimes
from memory.vector_channel import Near

#: Entries that one search embeds: with the bundled embedder, and with a server that others wait for too.
MOST, MOST_SERVED = 300, 32


@dataclass
class PastVectors:
    """An index of vectors as by_meaning.py asks one. `same`: the entries whose words did not change since."""

    owner: Account
    past: Past
    states: Mapping[int, str]
    same: frozenset[int]
    where: Scope
    notices: list[str] = field(default_factory=list)
    _regime: str = ""
    _kept: tuple[int, ...] = ()
    _embedded: dict[int, Embedded] = field(default_factory=dict)
    _near: dict[bytes, list[Near]] = field(default_factory=dict)

    def ready(self, door: Door) -> None:
        """Embed what has no vectors of the words of then. Raises EmbeddingError."""
        self._regime = regimes.of_vectors(door).regime
        asked = in_scope(self.past, self.states, self.where)
        had = [pk for pk in asked if self.past.stated[pk].change.get("vectors")]
        self._kept = self._with_vectors(had, door.dim)
        missing = sorted(set(had) - set(self._kept), reverse=True)
        most = MOST if door.name == "bundled" else MOST_SERVED
        self._embed(door, missing[:most])
        self._say(len(asked) - len(had), len(missing) - most)

    def nearest(self, vector: Vector, scope: Scope, states: Sequence[str], budget: int) -> list[Near]:
        shown = in_scope(self.past, self.states, replace(scope, tiers=(tuple(states),)))
        return [near for near in self._all(vector) if near.id in shown][:budget]

    def distances(self, vector: Vector, entries: Sequence[int]) -> dict[int, float]:
        wanted = frozenset(entries)
        return {near.id: near.distance for near in self._all(vector) if near.id in wanted}

    def _all(self, vector: Vector) -> list[Near]:
        key = vector.tobytes()
        if key not in self._near:
            self._near[key] = self._measured(vector)
        return self._near[key]

    def _with_vectors(self, entries: Collection[int], dim: int) -> tuple[int, ...]:
        """Those whose text is still that of then, and has vectors of the model that is served."""
        texts = self.same.intersection(entries) | self._of_same_text(set(entries) - self.same)
        found: set[int] = set()
        for some in batched(sorted(texts)):
            found |= vector_scan.having(some, self._regime, dim)
        return tuple(sorted(found))

    def _of_same_text(self, entries: Collection[int]) -> set[int]:
        """Of other words all the same: another project, or a key."""
        then = versions(self.owner, (self.past.stated[pk].change["words"] for pk in entries))
        now = Entry.objects.of(self.owner).only("text").in_bulk(list(entries))
        return {pk for pk in now if now[pk].text == then[self.past.stated[pk].change["words"]].text}

    def _embed(self, door: Door, entries: Sequence[int]) -> None:
        then = versions(self.owner, (self.past.stated[pk].change["words"] for pk in entries))
        texts = [then[self.past.stated[pk].change["words"]].text for pk in entries]
        made = embedding.embedded(door, texts) if texts else []
        self._embedded = {pk: each for pk, each in zip(entries, made, strict=True) if each.vectors}

    def _measured(self, vector: Vector) -> list[Near]:
        found: dict[int, float] = {}
        for some in batched(self._kept):
            found.update(vector_scan.scanned(vector, some, self._regime))
        found.update({pk: vector_scan.closest(vector, each.vectors) for pk, each in self._embedded.items()})
        return sorted((Near(pk, distance) for pk, distance in found.items()), key=lambda near: (near.distance, near.id))

    def _say(self, without: int, too_many: int) -> None:
        if without > 0:
            self.notices.append(
                ngettext(
                    "%(count)d entry had no vectors then: its words alone find it.",
                    "%(count)d entries had no vectors then: their words alone find them.",
                    without,
                )
                % {"count": without}
            )
        if too_many > 0:
            self.notices.append(
                ngettext(
                    "%(count)d entry that changed since is found by its words alone.",
                    "%(count)d entries that changed since are found by their words alone: too many to embed for one "
                    "search.",
                    too_many,
                )
                % {"count": too_many}
            )
