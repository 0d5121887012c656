"""What stands folded: who speaks for whom, which entries were written for that, and when a fold no longer holds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.utils import timezone

from forgesite.models import Account
from forgesite.owned import owner_id
from memory.domain.chain import text_digest
from memory.domain.states import CREATE, RELATE
from memory.models import LIVE, REPLACING, Commit, CommitEntry, Entry, Link, LinkQuerySet, LinkType, Status


@dataclass(frozen=True)
class Broken:
    """The links that end with a write, and the entries that are taken back since they speak for nobody any more."""

    links: tuple[Link, ...] = ()
    entries: tuple[Entry, ...] = ()


def speaking(owner: Account) -> LinkQuerySet:
    return Link.objects.of(owner).standing().filter(type=LinkType.SPEAKS_FOR)


def broken(owner: Account, moved: Sequence[Entry], linked: Sequence[Link], unlinked: Sequence[Link]) -> Broken:
    """The folds that a write breaks: nobody speaks for what says other words now, nor once they are put away.

    A line that was written for a fold says what all of its sources said: where one of them is edited, put away, taken
    back or replaced, it is taken back whole. An entry that absorbed others lets go of those alone that were edited.
    One that speaks, and is edited or put away itself, lets go of all.
    """
    replaced = {link.other.pk for link in linked if link.type in REPLACING}
    rows = {entry.pk: entry for entry in moved}
    if not rows and not replaced:
        return Broken()
    links = _links(owner, {*rows, *replaced}, {link.pk for link in unlinked})
    if not links:
        return Broken()
    made = written_for(owner, {link.entry_id for link in links})
    ending = _speechless([rows[pk] for pk in {link.entry_id for link in links} & rows.keys()])
    whole = {link.entry_id for link in links if link.entry_id in made and _breaks(link, rows, replaced)}
    all_of = _links(owner, ending | whole, {link.pk for link in unlinked}) if ending | whole else []
    over = {link.pk: link for link in all_of if link.entry_id in ending | whole}
    over |= {link.pk: link for link in links if link.other_id in rows and _says_other(rows[link.other_id], link)}
    back = Entry.objects.filter(pk__in=whole - rows.keys(), status__in=LIVE).order_by("pk")
    return Broken(tuple(over[pk] for pk in sorted(over)), tuple(back))


def _links(owner: Account, ends: Collection[int], without: Collection[int]) -> list[Link]:
    """Those to and from these entries."""
    both = speaking(owner).filter(entry__in=ends) | speaking(owner).filter(other__in=ends)
    return [link for link in both.order_by("id") if link.pk not in without]


def _speechless(speakers: Sequence[Entry]) -> set[int]:
    """Those that are put away now, or say other words than they did."""
    texts = dict(Entry.objects.filter(pk__in=[each.pk for each in speakers]).values_list("pk", "text"))
    return {each.pk for each in speakers if each.status not in LIVE or texts.get(each.pk) != each.text}


def _breaks(link: Link, rows: dict[int, Entry], replaced: Collection[int]) -> bool:
    source = rows.get(link.other_id)
    return link.other_id in replaced or (
        source is not None and (source.status not in LIVE or _says_other(source, link))
    )


def _says_other(source: Entry, link: Link) -> bool:
    """Other words than when it was folded."""
    return link.digest != text_digest(source.salt, source.text)


def lines_of(owner: Account, ids: Collection[int]) -> frozenset[int]:
    """The entries that were written for a fold of any of these: they hold their words. Also of one that ended."""
    if not ids:
        return frozenset()
    links = Link.objects.of(owner).filter(type=LinkType.SPEAKS_FOR, other__in=ids)
    return written_for(owner, links.values_list("entry", flat=True)) - frozenset(ids)


def take_back(entry: Entry) -> str:
    """Set the row of an entry that a fold wrote, and say what that does to it.

    Nobody's words are lost with a line that arithmetic made; with what somebody made of it since they would be.
    """
    untouched = entry.version == 1
    entry.status = Status.RETRACTED if untouched else Status.ARCHIVED
    entry.version, entry.updated_at = entry.version + 1, timezone.now()
    return "retract" if untouched else "archive"


def written_for(owner: Account, ids: Iterable[int]) -> frozenset[int]:
    """Those that were created by the commit of a fold: it links them to what they speak for."""
    wanted = set(ids)
    if not wanted:
        return frozenset()
    touched = CommitEntry.objects.filter(commit__owner=owner_id(owner), entry__in=wanted, states=True)
    firsts: dict[int, int] = {}
    for entry, tick in touched.order_by("commit__tick").values_list("entry", "commit__tick"):
        firsts.setdefault(entry, tick)
    commits = Commit.objects.of(owner).filter(tick__in=set(firsts.values()))
    return frozenset(pk for commit in commits for pk in _made_by(commit) if pk in wanted)


def _made_by(commit: Commit) -> frozenset[int]:
    created = {change["id"] for change in commit.changes if change["do"] == CREATE}
    speaking = (change for change in commit.changes if change["do"] == RELATE and change["type"] == LinkType.SPEAKS_FOR)
    return frozenset(created & {change["id"] for change in speaking})
