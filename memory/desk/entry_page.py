"""What stands around the form on an entry's page: its state and verbs, links, evidence and history."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from forgesite.models import Account
from memory.desk.acts import Act, fitting
from memory.desk.graph import Graph, graph
from memory.desk.relate import CHOICES
from memory.desk.story import Told, story
from memory.desk.words import INWARD, OUTWARD, WRITERS, Mark, marks, when
from memory.evidence import Quote, quote
from memory.models import Entry, Link, LinkType
from memory.regime import pending
from memory.relate import links_of
from memory.written import notes_on

#: Most links that are listed of one relation.
LISTED = 20


@dataclass(frozen=True)
class Related:
    """One link, as it reads from the entry of the page."""

    link: int
    other: Entry


@dataclass(frozen=True)
class Relation:
    """The links of one relation in one direction. `more`: how many are not listed."""

    words: str
    links: Sequence[Related]
    more: int


@dataclass(frozen=True)
class EntryPage:
    """`waiting`: why it has no vectors yet, empty where nobody tried; None where it waits for none.

    `answers`: in how many it was found or read; to have had it at the head of the prompt does not count.
    `hints`: what may be misspelt in its text, and that a search will hardly reach it.
    """

    entry: Entry
    marks: Sequence[Mark]
    times: Sequence[tuple[str, str]]
    writer: str
    waiting: str | None
    acts: Sequence[Act]
    relations: Sequence[Relation]
    sources: Relation | None
    quote: Quote | None
    told: Told
    answers: int
    graph: Graph | None
    hints: Sequence[str]
    choices: Sequence[tuple[str, Any]] = CHOICES


def entry_page(owner: Account, entry: Entry) -> EntryPage:
    links = links_of(owner, entry)
    sources = [link for link in links if link.type == LinkType.SOURCE and link.entry_id == entry.pk]
    others = [link for link in links if link not in sources]
    return EntryPage(
        entry=entry,
        marks=marks(entry),
        times=_times(entry),
        writer=str(WRITERS[entry.origin]),
        waiting=pending.why(entry) if getattr(entry, "waits", True) else None,
        acts=fitting(entry),
        relations=_relations(entry, others),
        sources=next(iter(_relations(entry, sources)), None),
        quote=quote(owner, entry.message),
        told=story(owner, entry.pk),
        answers=getattr(entry, "answers", None) or 0,
        graph=graph(entry, links),
        hints=notes_on(owner, entry),
    )


def _times(entry: Entry) -> list[tuple[str, str]]:
    """Said, happens, recorded, confirmed: what there is of them."""
    happens = when(entry.event_at)
    if entry.event_words:
        happens = gettext("“%(words)s” → %(time)s") % {"words": entry.event_words, "time": happens}
    named = (
        (gettext("Said"), when(entry.said_at)),
        (gettext("Happens"), happens),
        (gettext("Recorded"), when(entry.recorded_at)),
        (gettext("Still true on"), when(entry.last_reviewed_at)),
    )
    return [(name, words) for name, words in named if words]


def _relations(entry: Entry, links: Iterable[Link]) -> list[Relation]:
    groups: dict[str, list[Related]] = {}
    for link in links:
        outward = link.entry_id == entry.pk
        words = str((OUTWARD if outward else INWARD)[link.type])
        groups.setdefault(words, []).append(Related(link.pk, link.other if outward else link.entry))
    return [Relation(words, of[:LISTED], len(of[LISTED:])) for words, of in groups.items()]
