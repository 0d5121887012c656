"""A second look where a question found nothing: the same question in other words, searched by the same rules.

Off unless RECALL_EXPANSION says `terms` (by rule) or `llm` (by a model that the caller hands over). It is of no use
without a cutoff, which is what leaves nothing, and never fires where the word channel keeps a row. Exchanges are left
out: by other words they would come in for anything.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.translation import gettext as _

from memory.domain.expansion import by_rule, within_limits
from memory.errors import EmbeddingError
from memory.finding.packing import packed
from memory.finding.searching import search
from memory.models import Entry, Kind
from memory.recalled import Query, Recalled, Row

if TYPE_CHECKING:
    from forgesite.lib.embeddings import Door
    from forgesite.models import Account

log = logging.getLogger(__name__)
#: A language model's part: other ways to put a question. It raises nothing: where it fails it gives none.
Rewrite = Callable[[str], Sequence[str]]
#: Of what a variant found, only what answers to it: open todos and the newest rows are given whatever was asked.
ANSWERING = frozenset({"vector", "lexical", "both"})


@dataclass(frozen=True)
class Ways:
    """The variants of a question; `notice` says why there are none where a person would expect some."""

    variants: tuple[str, ...] = ()
    notice: str = ""


NONE = Ways()


def rescued(owner: Account, query: Query, found: Recalled, *, door: Door | None, rewrite: Rewrite | None) -> Recalled:
    """What was found, with the rows that another way to ask it finds; each says by which. Never an error.

    Called only where no row answers and a cutoff is in force.
    """
    ways = ways_to_ask(query.text, settings.FORGE.RECALL_EXPANSION, rewrite)
    if ways == NONE:
        return found
    found = replace(found, expanded=ways.variants, notices=(*found.notices, *filter(None, [ways.notice])))
    rows = found_by(owner, query, ways.variants, door)
    log.info("rescue variants=%d rows=%d", len(ways.variants), len(rows))
    return _with(found, rows, query) if rows else found


def ways_to_ask(question: str, mode: str, rewrite: Rewrite | None) -> Ways:
    if mode == "terms":
        return Ways(by_rule(question))
    if mode == "llm" and rewrite is None:
        return Ways(notice=_("It was asked in these words alone: RECALL_EXPANSION is llm, and no model is asked here."))
    if mode == "llm" and rewrite is not None:
        return Ways(within_limits(question, rewrite(question)))
    return NONE


def found_by(owner: Account, query: Query, variants: Sequence[str], door: Door | None) -> list[Row]:
    """Each entry once, by the variant that it is nearest to, the nearest first; those without a distance last."""
    best: dict[int, Row] = {}
    for variant in variants:
        for row in _searched(owner, replace(query, text=variant, most_bytes=None), door):
            known = best.get(row.entry.pk)
            if known is None or _place(row) < _place(known):
                best[row.entry.pk] = replace(row, variant=variant)
    most = query.top_k or settings.FORGE.RECALL_TOP_K
    return sorted(best.values(), key=lambda row: (_place(row), row.rank, row.entry.pk))[:most]


def _place(row: Row) -> float:
    return float("inf") if row.distance is None else row.distance


def _searched(owner: Account, query: Query, door: Door | None) -> list[Row]:
    """Kind by kind, so that exchanges are left out inside the search; none of them where the embedder fails by now."""
    try:
        found = [search(owner, replace(query, kind=kind), door=door) for kind in _kinds(owner, query)]
    except EmbeddingError as error:
        log.warning("rescue given up: %s", error)
        return []
    return [row for each in found for row in each.rows if row.channel in ANSWERING]


def _kinds(owner: Account, query: Query) -> list[str]:
    """Those that the owner's memory has, or the one that was asked for; never exchanges."""
    wanted = Entry.objects.of(owner).exclude(kind=Kind.EXCHANGE)
    if query.kind:
        wanted = wanted.filter(kind=query.kind)
    return list(wanted.order_by("kind").values_list("kind", flat=True).distinct())


def _with(found: Recalled, rows: Sequence[Row], query: Query) -> Recalled:
    """After what is given whatever was asked, within the bytes that all rows may take."""
    ids = {row.entry.pk for row in rows}
    given = [row for row in found.rows if row.entry.pk not in ids]
    left_out = tuple(row for row in found.left_out if row.id not in ids)
    names = ", ".join(f"“{variant}”" for variant in dict.fromkeys(row.variant for row in rows))
    notice = _("Found in other words: %(variants)s.") % {"variants": names}
    whole = replace(
        found,
        rows=tuple(replace(row, rank=rank) for rank, row in enumerate([*given, *rows], 1)),
        left_out=left_out,
        nothing=found.nothing and not any(row.tells for row in rows),
        nearest=next((row for row in left_out if row.reason == "cutoff"), None),
        notices=(*found.notices, notice),
    )
    return packed(whole) if query.most_bytes is not None else whole
