"""What of an account's memory could be folded, as a value: the preview, the command, the job, the desk and the bench
look at the same one."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from django.conf import settings

from forgesite.language import zone_of
from forgesite.lib.tokens import estimate
from forgesite.models import Account
from memory.domain import folding
from memory.domain.fold_values import Plan, Source
from memory.domain.hot_block import Kept, lined
from memory.domain.subjects import CORPUS, Rarity, rarity, tokens
from memory.folds.suggestions import decided, pair_of
from memory.hot_block import mark_of
from memory.models import Entry, Link, LinkType


@dataclass(frozen=True)
class Planned:
    """`sources`: the entries as the plan saw them, by id. `before` and `after`: tokens of all that could be folded,
    now and once the plan is applied."""

    plan: Plan
    sources: dict[int, Source]
    before: int
    after: int


def planned(
    owner: Account, *, max_df: float | None = None, min_sources: int | None = None, job: bool = False
) -> Planned:
    """Nothing is changed. `max_df` and `min_sources`: as set, where none are given.

    `job`: what nobody asked for lets alone what somebody edited.
    """
    forge = settings.FORGE
    found = pool(owner)
    sources = [each for each in found if each.version == 1] if job else found
    price = _Price(mark_of(owner))
    made = folding.plan(
        sources,
        rare_words(owner, forge.COMPACTION_AGGREGATE_MAX_DF if max_df is None else max_df),
        min_sources=forge.COMPACTION_AGGREGATE_MIN_SOURCES if min_sources is None else min_sources,
        cost=price,
    )
    before = sum(map(price, sources))
    saved = sum(fold.tokens[1] for fold in made.accepted)
    if edited := len(found) - len(sources):
        made = replace(made, left_alone={**made.left_alone, "edited": edited})
    return Planned(_undecided(owner, made), {each.id: each for each in sources}, before, before - saved)


def _undecided(owner: Account, made: Plan) -> Plan:
    """Without the pairs that a person has settled."""
    settled = decided(owner, {pair_of(each.entries) for fold in made.folds for each in fold.suggestions})
    folds = (
        replace(fold, suggestions=tuple(each for each in fold.suggestions if pair_of(each.entries) not in settled))
        for fold in made.folds
    )
    return replace(made, folds=tuple(folds)) if settled else made


@dataclass(frozen=True)
class _Price:
    """What an entry costs in the block."""

    mark: str

    def __call__(self, source: Source) -> int:
        return estimate(lined(Kept(source.id, source.kind, source.project, source.text), self.mark)) + 1


def pool(owner: Account) -> list[Source]:
    """The deliberate entries that are live, oldest first."""
    rows = Entry.objects.of(owner).live().deliberate().order_by("pk")
    return sources_of(owner, rows)


def sources_of(owner: Account, rows: Iterable[Entry]) -> list[Source]:
    """The entries as folding sees them."""
    entries, zone = list(rows), zone_of(owner.time_zone)
    speaking = _speaking(owner, {entry.pk for entry in entries})
    return [
        Source(
            id=entry.pk,
            text=entry.text,
            kind=entry.kind,
            project=entry.project,
            day=f"{entry.said_at.astimezone(zone):%Y-%m-%d}",
            version=entry.version,
            pinned=entry.pinned,
            keyed=bool(entry.key),
            dated=entry.event_at is not None,
            speaks=entry.pk in speaking,
        )
        for entry in entries
    ]


def _speaking(owner: Account, ids: Collection[int]) -> frozenset[int]:
    links = Link.objects.of(owner).standing().filter(type=LinkType.SPEAKS_FOR)
    return frozenset(links.values_list("entry", flat=True)) & frozenset(ids)


def rare_words(owner: Account, max_df: float) -> Rarity:
    """Over the newest entries of the whole store, whatever their kind and state."""
    texts = Entry.objects.of(owner).order_by("-pk").values_list("text", flat=True)[:CORPUS]
    return rarity((frozenset(tokens(text)) for text in texts.iterator()), max_df=max_df)
