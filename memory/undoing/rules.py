"""What would not be allowed once a commit is undone: then it is not undone."""

from __future__ import annotations

from collections.abc import Iterable

from memory.domain.chain import text_digest
from memory.domain.states import State
from memory.models import LIVE, REPLACING, Entry, How, Kind, Link, LinkType, Status, TextVersion
from memory.undoing.reading import Reading
from memory.undoing.values import Back, HinderedError, Plan


def refuse_links(reading: Reading, found: Plan) -> None:
    """Where another link stands now in the place of one that is to stand again."""
    if not found.again:
        return
    _refuse_unfit(reading, found)
    ending = {link.pk for link in found.ended}
    standing: dict[int, list[Link]] = {}
    for link in (link for links in reading.links.values() for link in links):
        if link.until is None and link.pk not in ending:
            standing.setdefault(link.other_id, []).append(link)
    for link in found.again:
        for other in standing.get(link.other_id, []):
            if _excludes(link, other):
                raise HinderedError("moved", link.other_id, by=other.since)


def _refuse_unfit(reading: Reading, found: Plan) -> None:
    """Where an end of a link that is to stand again is by now what such a link is never made with."""
    backs = {back.entry.pk: back.state or back.entry for back in found.back}
    after: dict[int, Entry | State] = {**reading.rows, **backs}
    for link in found.again:
        entry, other = after[link.entry_id], after[link.other_id]
        unfit = {
            link.entry_id: link.type == LinkType.COVERS and entry.kind != Kind.SUMMARY,
            link.other_id: (link.type == LinkType.COVERS and other.status == Status.OPEN)
            or (link.type == LinkType.SOURCE and entry.kind == other.kind == Kind.SUMMARY)
            or (link.type == LinkType.SUPERSEDES and other.kind == Kind.EVENT)
            or (link.type == LinkType.SPEAKS_FOR and not _still_said(reading, found, link)),
        }
        for end in (end for end, is_so in unfit.items() if is_so):
            raise HinderedError("moved", end)


def _still_said(reading: Reading, found: Plan, link: Link) -> bool:
    """Does the source of a fold say what it said then, and is it there?"""
    entry = reading.rows[link.other_id]
    back = next((back for back in found.back if back.entry.pk == entry.pk), None)
    text = back.words.text if back and back.words else entry.text
    status = back.state.status if back and back.state else entry.status
    return status in LIVE and link.digest == text_digest(entry.salt, text)


def _excludes(one: Link, other: Link) -> bool:
    """May they not both stand, which have the same end?"""
    for group in (REPLACING, (LinkType.SPEAKS_FOR,)):
        if one.type in group and other.type in group:
            return True
    return (one.type, one.entry_id) == (other.type, other.entry_id)


def refuse_rests(reading: Reading, found: Plan, tick: int) -> None:
    """Where a later link rests on the entry as the commit left it: what it is, how long, or that it is done."""
    backs = {back.entry.pk: back for back in found.back}
    ending = {link.pk for link in found.ended}
    for link in (link for links in reading.links.values() for link in links):
        if link.until is None and link.since > tick and link.pk not in ending:
            for end in (link.entry_id, link.other_id):
                if end in backs and _rests_on(link, backs[end]):
                    raise HinderedError("moved", end, by=link.since)


def _rests_on(link: Link, back: Back) -> bool:
    """Would the link not have been made with the entry as it was?"""
    entry, state, text = back.entry, back.state, back.new_text
    if state is None or link.type not in (LinkType.COVERS, LinkType.SOURCE):
        return False
    covers, covered = link.type == LinkType.COVERS, link.other_id == entry.pk
    longer = text is not None and len(text.encode()) > len(entry.text.encode())
    shorter = text is not None and len(text.encode()) < len(entry.text.encode())
    opened = state.status == Status.OPEN and entry.status != Status.OPEN
    return state.kind != entry.kind or (covers and (opened or shorter if covered else longer))


def refuse_keys(reading: Reading, found: Plan) -> None:
    """Where two entries would hold one key."""
    held: dict[tuple[str, str], int] = {}
    for pk, place in _keys_after(reading, found):
        if held.setdefault(place, pk) != pk:
            raise HinderedError("key_taken", pk, by=held[place])
    if not held:
        return
    concerned = {back.entry.pk for back in found.back} | {link.other_id for link in (*found.again, *found.ended)}
    holders = Entry.objects.of(reading.owner).holding_keys().filter(key__in={key for _project, key in held})
    for entry in holders.exclude(pk__in=concerned).order_by("id"):
        if (entry.project, entry.key) in held:
            raise HinderedError("key_taken", held[entry.project, entry.key], by=entry.pk)


def _keys_after(reading: Reading, found: Plan) -> Iterable[tuple[int, tuple[str, str]]]:
    """The entries in it that will be the current one of a key, and its project and name."""
    freed = {link.other_id for link in found.ended if link.type in REPLACING}
    replaced = {pk for pk, entry in reading.rows.items() if entry.superseded_how == How.REPLACED} - freed
    replaced |= {link.other_id for link in found.again if link.type in REPLACING}
    backs = {back.entry.pk: back for back in found.back}
    for pk in sorted((freed | backs.keys()) - replaced):
        words: Entry | TextVersion | None = reading.rows.get(pk)
        status = words.status if isinstance(words, Entry) else ""
        if back := backs.get(pk):
            words, status = back.words, back.state.status if back.state else Status.RETRACTED
        if words is not None and words.key and status != Status.RETRACTED:
            yield pk, (words.project, words.key)
