"""What goes when entries are forgotten, as one value: the preview counts it, and `forget` carries it out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from forgesite.erasing import Eraser, Plan
from forgesite.lib.masking import Texts, gone, masked_prose
from forgesite.models import Account
from memory import word_channel
from memory.domain.chain import FIRST
from memory.domain.sameness import folded, sameness
from memory.erasing.links import Parted, parted
from memory.erasing.quotes import Quotes, quotes
from memory.models import Commit, Entry, Kind, Refusal, TextVersion, Vector
from memory.store import Write

#: Entries with the same words that are named; there are more of them only in a store that was filled by a script.
NAMED = 50


@dataclass
class Going:
    """`removed` and `left` by place. `texts`: every text that the entries ever had, with their ids; `versions`: in so
    many rows."""

    owner: Account
    entries: Sequence[Entry]
    texts: Texts
    versions: int
    links: Parted
    quotes: Quotes
    refusals: list[int]
    plans: list[Plan]
    removed: dict[str, int] = field(default_factory=dict)
    left: dict[str, Any] = field(default_factory=dict)

    @property
    def ids(self) -> list[int]:
        return [entry.pk for entry in self.entries]

    def write(self) -> Write:
        """What the commit is to say."""
        moved = {each.entry.pk: each for each in (*self.links.moved, *self.quotes.moved)}
        return Write(
            moved=list(moved.values()),
            linked=self.links.linked,
            unlinked=self.links.unlinked,
            gone=list(self.entries),
        )

    def take_texts(self) -> None:
        """Before the commit: what it leaves no words of."""
        Refusal.objects.of(self.owner).filter(pk__in=self.refusals).delete()
        TextVersion.objects.of(self.owner).filter(pk__in=[version.pk for version in self.quotes.versions]).delete()

    def take_elsewhere(self) -> None:
        """After it: what the apps planned. Files are written last."""
        for plan in self.plans:
            plan.write()


def plan(owner: Account, entries: Sequence[Entry], erasers: Sequence[Eraser]) -> Going:
    """Nothing is changed yet. Call it in the transaction that carries it out, or for a preview."""
    ids = {entry.pk for entry in entries}
    versions = list(TextVersion.objects.of(owner).filter(entry__in=ids))
    texts = _texts(owner, entries, versions)
    going = Going(
        owner,
        entries,
        texts,
        len(versions),
        parted(owner, ids),
        quotes(owner, ids, texts),
        _refusals(owner, texts),
        [erase(owner, texts) for erase in erasers],
    )
    going.removed, going.left = _removed(going), _left(going)
    return going


def _texts(owner: Account, entries: Sequence[Entry], versions: Sequence[TextVersion]) -> Texts:
    first = any(version.form == FIRST for version in versions)
    projects = _projects(owner, [entry.pk for entry in entries]) if first else frozenset()
    kept = [(version.entry, version.text) for version in versions if version.digest not in projects]
    return gone([*((entry.pk, entry.text) for entry in entries), *kept])


def _projects(owner: Account, ids: Sequence[int]) -> frozenset[str]:
    """In the first form a project's name has a row of its own beside the texts: no text, and said in many places."""
    commits = Commit.objects.of(owner).filter(form=FIRST, touched__entry__in=ids).distinct()
    return frozenset(change.get("project", "") for commit in commits.iterator() for change in commit.changes)


def _refusals(owner: Account, texts: Texts) -> list[int]:
    """Refused writes that say the same, or quote it."""
    said = {folded(text.text) for text in texts}
    rows = Refusal.objects.of(owner).only("id", "text").order_by("id")
    return [row.pk for row in rows if folded(row.text) in said or masked_prose(row.text, texts) != row.text]


def _removed(going: Going) -> dict[str, int]:
    ids = going.ids
    counts = Counter(
        entries=len(ids),
        versions=going.versions + len(going.quotes.versions),
        words=word_channel.rows_of(ids),
        vectors=Vector.objects.filter(entry__in=ids).count(),
        refusals=len(going.refusals),
        summaries=going.quotes.count(Kind.SUMMARY),
        exchanges=going.quotes.count(Kind.EXCHANGE),
    )
    for each in going.plans:
        counts.update(each.removed)
    return dict(counts)


def _left(going: Going) -> dict[str, Any]:
    counts: Counter[str] = Counter()
    for each in going.plans:
        counts.update(each.left)
    same = _same(going.owner, going.ids, going.texts)
    quoting = [pk for pk in going.quotes.left if pk not in same]
    return dict(counts) | {"same_words": same, "quoting": quoting[:NAMED]}


def _same(owner: Account, ids: Collection[int], texts: Texts) -> list[int]:
    said = {sameness(text.text) for text in texts}
    rows = Entry.objects.of(owner).filter(sameness__in=said).exclude(pk__in=ids).order_by("id")
    return list(rows.values_list("pk", flat=True)[:NAMED])
