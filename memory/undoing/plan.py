"""What undoing a commit takes, and what stands in its way. Nothing is written here.

An entry moved since where it differs from what the commit left, in any column but its vectors and what follows from
links; one that was replaced since moved too. A commit that was undone and done again can be undone again.
"""

from __future__ import annotations

from memory.domain.chain import FIRST, words_digest
from memory.domain.states import FORGET, NAMES, RELATE, UNRELATE, State, from_change
from memory.models import REPLACING, Commit, Entry, How, Link, LinkType
from memory.past.states import Change
from memory.store import state_of
from memory.undoing.reading import Reading, stated
from memory.undoing.rules import refuse_keys, refuse_links, refuse_rests
from memory.undoing.values import Back, HinderedError, Plan

#: Not compared: counted on, embedded late, or following from links.
APART = frozenset({"version", "embedded", "superseded_by", "superseded_how", "stale"})
COMPARED = tuple(name for name in NAMES if name not in APART)
SPEAKING = (*REPLACING, LinkType.SPEAKS_FOR)


def plan(reading: Reading, commit: Commit) -> Plan:
    """Raises HinderedError."""
    if commit.form == FIRST:
        raise HinderedError("nothing_to_undo", by=commit.tick)
    for change in commit.changes:
        if change["do"] == FORGET:
            raise HinderedError("erased", change["id"])
    backs = [_back(reading, commit, change) for change in stated(commit)]
    ended = [_made(reading, change) for change in commit.changes if change["do"] == RELATE]
    again = [_unmade(reading, commit, change) for change in commit.changes if change["do"] == UNRELATE]
    found = Plan(tuple(back for back in backs if back is not None), tuple(again), tuple(link for link in ended if link))
    if not (found.back or found.again or found.ended):
        raise HinderedError("erased" if ended else "nothing_to_undo")
    refuse_links(reading, found)
    refuse_rests(reading, found, commit.tick)
    refuse_keys(reading, found)
    return found


def hindrance(reading: Reading, commit: Commit) -> str:
    """The code that it is hindered with, empty where nothing is in its way."""
    try:
        plan(reading, commit)
    except HinderedError as hindered:
        return hindered.code
    return ""


def _back(reading: Reading, commit: Commit, change: Change) -> Back | None:
    """None where the commit moved nothing that is compared."""
    entry, then = reading.rows.get(change["id"]), from_change(change)
    if entry is None:
        raise HinderedError("erased" if change["id"] in reading.gone else "moved", change["id"])
    if _moved(entry, then):
        raise HinderedError("moved", entry.pk)
    before = reading.before(entry.pk, commit.tick)
    if before is None:
        return Back(entry)
    state = from_change(before)
    if not _differs(state, then):
        return None
    words = reading.words.get(state.digest)
    if words is None:
        raise HinderedError("erased", entry.pk)
    return Back(entry, state, words)


def _moved(entry: Entry, then: State) -> bool:
    now = state_of(entry)
    outside = now.digest != words_digest(entry.salt, entry.text, entry.project, entry.key, entry.event_words)
    by = now.superseded_how == How.REPLACED and now.superseded_by != then.superseded_by
    return outside or by or _differs(now, then)


def _differs(one: State, other: State) -> bool:
    return any(getattr(one, name) != getattr(other, name) for name in COMPARED)


def _made(reading: Reading, change: Change) -> Link | None:
    """The link that the commit made, to be ended; None where that came with the end of the other one.

    One that was ended and made again, as it was, is the same.
    """
    gone = {change["id"], change["other"]} & reading.gone
    if gone and change["type"] in SPEAKING:
        raise HinderedError("erased", min(gone))
    links = _links(reading, change)
    standing = next((link for link in links if link.until is None), None)
    if standing is not None and standing.digest == change.get("digest", ""):
        return standing
    if gone:
        return None
    by = standing.since if standing else max((link.until or 0 for link in links), default=0)
    raise HinderedError("moved", change["id"], by=by)


def _unmade(reading: Reading, commit: Commit, change: Change) -> Link:
    """One as the link that the commit ended."""
    for end in (change["id"], change["other"]):
        if end not in reading.rows:
            raise HinderedError("erased" if end in reading.gone else "moved", end)
    ended = next((link for link in _links(reading, change) if link.until == commit.tick), None)
    if ended is None:
        raise HinderedError("moved", change["id"])
    entry, other = (reading.rows[pk] for pk in (ended.entry_id, ended.other_id))
    return Link(type=ended.type, entry=entry, other=other, digest=ended.digest)


def _links(reading: Reading, change: Change) -> list[Link]:
    """All that there ever were of the change's type between its ends."""
    return reading.links.get((change["type"], change["id"], change["other"]), [])
