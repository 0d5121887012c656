"""The vector channel of a recall: embed the question, bring the index up to date, take the nearest rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from typing import Protocol

from django.utils import timezone
from django.utils.translation import gettext as _

from forgesite.lib.embeddings import Door
from forgesite.lib.vectors import Vector
from memory import embedding, jobs, vector_channel
from memory.domain.cutoff import Cutoff, State, admits, parse
from memory.domain.nothing import NEAR_EXCHANGE, NEAR_FACT, Near
from memory.domain.scope import Scope
from memory.domain.union import Found
from memory.errors import BadAnswerError, EmbeddingError, ReembedError
from memory.finding import vector_cache, vector_scan
from memory.regime import outage, pending
from memory.regime.outage import Down

#: Rows fetched for the rows shown: the rest is named as left out.
FETCHED = 64
#: Entries without a vector that one search embeds itself, with the bundled embedder; more are a job's.
EMBEDDED_BY_A_SEARCH = 32
UNMEASURED = Near(None, None)


@dataclass(frozen=True)
class ByMeaning:
    """`near`: how close a row must be to count as an answer. `question`: its vector, where rows were searched.

    `degraded` names why nothing was searched: `no_embedder`, `no_extension`, `embedding`.
    `named`: the cutoff in force with its regime, `regime`: of the vectors; both empty where nothing was searched.
    `across`: the nearest row is in another language than the question; `standing`: it answers (see across.py).
    """

    rows: tuple[Found, ...]
    cutoff: float | None
    near: Near
    notices: tuple[str, ...]
    degraded: str
    question: Vector | None = None
    named: str = ""
    regime: str = ""
    across: bool = False
    standing: int | None = None

    @property
    def reach(self) -> float | None:
        """How far a row may be to be shown: the cutoff, and the distance of the one that stands out past it."""
        past = [row.distance for row in self.rows if row.id == self.standing and row.distance is not None]
        return None if self.cutoff is None else max(self.cutoff, *(round(distance, 4) for distance in past), 0.0)


class Index(Protocol):
    """What holds the vectors: the index of now, or those of an earlier time."""

    def ready(self, door: Door) -> None:
        """Be ready for questions that this door embeds. Raises EmbeddingError."""

    def nearest(
        self, vector: Vector, scope: Scope, states: Sequence[str], budget: int
    ) -> list[vector_channel.Near]: ...

    def distances(self, vector: Vector, entries: Sequence[int]) -> dict[int, float]: ...


def search(
    text: str,
    where: Scope,
    budget: int,
    door: Door | None,
    wanted: bool,
    *,
    explicit: bool = False,
    zone: tzinfo = UTC,
    index: Index | None = None,
    bare: str = "",
) -> ByMeaning:
    """Rows by rising distance, live ones first, also those past the cutoff. Says so when it cannot search.

    `explicit`: raises EmbeddingError while the embedder is down; otherwise it is not asked again at once. A bad vector
    of the question raises nothing. `zone`: whose clock tells since when. `index`: None for the one of now. `bare`: what
    rows are looked for and ordered by, where that is not the whole text; how far each is from the text is said all the
    same.
    """
    index = index or NOW
    if not wanted:
        return ByMeaning((), None, UNMEASURED, (), "")
    if door is None:
        return off("no_embedder", _("Search by meaning is off: no embedder is set. Only words were searched."))
    if not vector_channel.available():
        return off("no_extension", _("Search by meaning is off: this SQLite cannot load sqlite-vec."))
    known = outage.paused(door)
    if known and not explicit:
        return off("embedding", since(known, zone))
    try:
        question = embedding.embedded_query(door, text)
        looked_for = embedding.embedded_query(door, bare) if bare and bare != text else None
        index.ready(door)
        cutoff = embedding.cutoff_in_force(door, where.owner)
    except ReembedError as error:
        jobs.catch_up()
        return off("embedding", error.message)
    except BadAnswerError as error:
        return off("embedding", _("The search by meaning failed: %(why)s Only words were searched.") % {"why": error})
    except EmbeddingError as error:
        if explicit:
            raise
        known = outage.down(door)
        return off("embedding", since(known, zone) if known else error.message)
    sought = Sought(question.vector, looked_for.vector if looked_for else None)
    rows = nearest(index, sought, where, budget, cutoff.value)
    near = Near(parse(NEAR_FACT, cutoff.regime).value, parse(NEAR_EXCHANGE, cutoff.regime).value)
    said = notices(question.characters < len(text), question.characters, cutoff)
    named = "" if cutoff.value is None else cutoff.named
    return ByMeaning(rows, cutoff.value, near, said, "", question.vector, named, cutoff.regime)


def since(known: Down, zone: tzinfo) -> str:
    """By the clock alone on the day it began, with the date after it."""
    began, now = timezone.localtime(known.since, zone), timezone.localtime(timezone=zone)
    when = f"{began:%H:%M}" if began.date() == now.date() else f"{began:%Y-%m-%d %H:%M}"
    words = _("Search by meaning is off since %(when)s; only words were searched. %(why)s")
    return words % {"when": when, "why": embedding.said(known.error)}


def off(reason: str, notice: str) -> ByMeaning:
    return ByMeaning((), None, UNMEASURED, (notice,), reason)


class _Now:
    def ready(self, door: Door) -> None:
        """Bring the index up to date. A few entries that still wait for a vector the bundled embedder does here.

        It takes less time than a person notices; a server is never waited for on their account, and the worker asks it.
        """
        pending.sync_index(door)
        if door.name != "bundled":
            jobs.catch_up()
        elif embedded := pending.embed_some(door, EMBEDDED_BY_A_SEARCH):
            pending.sync_index(door)
            if embedded == EMBEDDED_BY_A_SEARCH:
                jobs.catch_up()

    def nearest(self, vector: Vector, scope: Scope, states: Sequence[str], budget: int) -> list[vector_channel.Near]:
        return vector_cache.COPIES.nearest(vector, scope, states, budget)

    def distances(self, vector: Vector, entries: Sequence[int]) -> dict[int, float]:
        made = vector_channel.made_for()
        return vector_scan.scanned(vector, entries, made[0]) if made and entries else {}


NOW: Index = _Now()


@dataclass(frozen=True)
class Sought:
    """The vector of a question, and of it without what tells no row from another, where that is another one."""

    whole: Vector
    bare: Vector | None = None


def nearest(index: Index, sought: Sought, where: Scope, budget: int, cutoff: float | None) -> tuple[Found, ...]:
    """Rows of a later tier are looked for only where the earlier ones do not fill the budget."""
    rows: list[Found] = []
    admitted = 0
    for tier, states in enumerate(where.tiers):
        if admitted < budget:
            found = _found(index, sought, where, states, max(FETCHED, budget))
            rows += [replace(each, tier=tier) for each in found]
            admitted += sum(admits(cutoff, each.distance or 0.0) for each in found)
    return tuple(rows)


def _found(index: Index, sought: Sought, where: Scope, states: Sequence[str], most: int) -> list[Found]:
    """By how near they are to what is sought; `distance` is from the whole question."""
    near = index.nearest(sought.whole if sought.bare is None else sought.bare, where, states, most)
    if sought.bare is None:
        return [Found(each.id, 0, each.distance, None) for each in near]
    whole = index.distances(sought.whole, [each.id for each in near])
    found = [Found(each.id, 0, whole[each.id], None, near=each.distance) for each in near if each.id in whole]
    return sorted(found, key=lambda each: (each.distance or 0.0, each.id))


def notices(cut: bool, characters: int, cutoff: Cutoff) -> tuple[str, ...]:
    said = []
    if cut:
        said.append(_("The first %(count)d characters were searched by meaning.") % {"count": characters})
    if cutoff.state is State.STALE:
        said.append(
            _("The cutoff %(named)s is off: it was measured in another regime than %(regime)s.")
            % {"named": cutoff.named, "regime": cutoff.regime}
        )
    return tuple(said)
