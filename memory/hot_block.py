"""The hot block of an account, for the head of a prompt: every deliberate live entry, or past its budget an index.

The index depends on these entries alone, so it is the same to the byte while none of them changes; what a question
names of it is opened in its turn (see opening.py).
"""

from __future__ import annotations

import logging
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, time, tzinfo
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import DatabaseError
from django.utils.crypto import salted_hmac

from forgesite.language import zone_of
from forgesite.lib.tokens import estimate
from forgesite.owned import owner_id
from memory.domain import hot_index
from memory.domain.fence import MARK
from memory.domain.hot_block import Fitting, Kept, fitting, rendered, rendered_index
from memory.domain.hot_index import Index
from memory.kinds import DELIBERATE, FALLING_DUE, Kind, Status
from memory.models import Entry

if TYPE_CHECKING:
    from forgesite.models import Account

log = logging.getLogger(__name__)
FIELDS = ("pk", "kind", "project", "text", "event_at", "pinned")
#: Most tokens of what frames the entries.
FRAME = 200
#: Rows read at once: the first lot is all that most budgets hold.
LOT = 200
#: Entries of an index, the newest ones: more take longer to part into subjects than a turn should wait.
MOST_INDEXED = 3000

#: Owner → digest of the entries, and their index.
_indexes: dict[int, tuple[bytes, Index]] = {}


@dataclass(frozen=True)
class HotBlock:
    """`text` empty: none is in the prompt. `tokens` is an estimate of all of it, `texts` the entries' own by id.

    `left_out` did not fit; `newer` were saved after the entry that it was to go up to. `complete`: it is there, and
    holds every deliberate live entry that there is now. `index`: of those left out, by their subjects; the entries that
    a question names are opened up to `budget` tokens. None: nothing is left out, or there is no room for any.
    """

    text: str = ""
    ids: tuple[int, ...] = ()
    left_out: int = 0
    tokens: int = 0
    complete: bool = False
    newer: int = 0
    texts: dict[int, str] = field(default_factory=dict)
    index: Index | None = None
    budget: int = 0


NONE = HotBlock()


def hot_block(owner: Account, *, upto: int | None, most_tokens: int) -> HotBlock:
    """Up to entry `upto`; None: with all there are. The same bytes while none of these entries changes.

    `most_tokens` is for the entries; what frames them, FRAME at the most, comes to it. For less than one there is no
    block at all, and `left_out` counts them. Off, or where the store cannot be read, which the log says: `NONE`.
    """
    if not is_on():
        return NONE
    try:
        return _read(owner, upto, most_tokens)
    except DatabaseError:
        log.exception("hot_block unreadable owner=%d: the prompt goes without it", owner_id(owner))
        return NONE


def is_on() -> bool:
    return settings.FORGE.RECALL_HOT_BLOCK and settings.FORGE.MEMORY_ENABLED


def newest(owner: Account, *, but_from: int) -> int:
    """The newest entry that was not saved from message `but_from`; 0 in an empty memory."""
    found = Entry.objects.of(owner).exclude(message=but_from).order_by("-pk")
    return found.values_list("pk", flat=True).first() or 0


def _read(owner: Account, upto: int | None, most_tokens: int) -> HotBlock:
    held = _held(owner)
    ids = held if upto is None else held[: bisect_right(held, upto)]
    newer = len(held) - len(ids)
    if not ids or most_tokens < 1:
        return HotBlock(left_out=len(ids), newer=newer)
    mark = mark_of(owner)
    fits = fitting(_kept(owner, ids), mark=mark, most=most_tokens, cost=estimate)
    if len(fits.entries) < len(ids):
        return _indexed(owner, ids, most_tokens, newer)
    return _block(fits, rendered(fits.lines, mark=mark, left_out=0), rendered([""], mark=mark, left_out=0), 0, newer)


def _indexed(owner: Account, ids: Sequence[int], most: int, newer: int) -> HotBlock:
    """What is pinned stays whole, and has its room before the index of the rest."""
    mark, kept = mark_of(owner), tuple(_kept(owner, ids[-MOST_INDEXED:]))
    pinned = fitting((one for one in kept if one.pinned), mark=mark, most=most, cost=estimate)
    found = _index(owner, tuple(one for one in kept if one not in pinned.entries))
    shown = hot_index.fitting(found.topics, mark=mark, most=most - pinned.cost, cost=estimate)
    frame = partial(
        rendered_index,
        mark=mark,
        ids=shown.ids == len(shown.lines),
        left_out=shown.left_out,
        older=max(0, len(ids) - MOST_INDEXED),
    )
    left_out = len(ids) - len(pinned.entries)
    log.info(
        "hot_block owner=%d entries=%d left_out=%d subjects=%d/%d tokens=%d budget=%d",
        owner_id(owner),
        len(pinned.entries),
        left_out,
        len(shown.lines),
        len(found.topics),
        pinned.cost + shown.cost,
        most,
    )
    both = replace(pinned, cost=pinned.cost + shown.cost)
    block = _block(both, frame([*pinned.lines, *shown.lines]), frame([""]), left_out, newer)
    return replace(block, index=found, budget=most)


def _index(owner: Account, kept: tuple[Kept, ...]) -> Index:
    """Made once for the same entries: .1 s for a thousand of them. One account keeps its last one."""
    digest = blake2b(repr(kept).encode("utf-8", "replace"), digest_size=16).digest()
    known = _indexes.get(owner_id(owner))
    if known is None or known[0] != digest:
        known = _indexes[owner_id(owner)] = digest, hot_index.index(kept)
    return known[1]


def _held(owner: Account) -> list[int]:
    """The deliberate live entries, oldest first.

    A look-up of the index for each kind: over all kinds at once SQLite reads every row of the owner, 40 ms for 50,000
    exchanges.
    """
    live = Entry.objects.of(owner).live().order_by()
    first, *rest = [
        live.filter(kind=kind, status=_live_status(kind)).values_list("pk", flat=True) for kind in DELIBERATE
    ]
    return sorted(first.union(*rest, all=True))


def _live_status(kind: Kind) -> Status:
    return Status.OPEN if kind == Kind.TODO else Status.ACTIVE


def _block(fits: Fitting, text: str, frame: str, left_out: int, newer: int) -> HotBlock:
    return HotBlock(
        text,
        tuple(entry.id for entry in fits.entries),
        left_out,
        fits.cost + estimate(frame),
        complete=not (left_out or newer),
        newer=newer,
        texts={entry.id: entry.text for entry in fits.entries},
    )


def mark_of(owner: Account) -> str:
    """The same for an account at any time, and known to nobody who writes an entry."""
    return salted_hmac("memory.hot_block", str(owner_id(owner)), algorithm="sha256").hexdigest()[:MARK]


def _kept(owner: Account, ids: Sequence[int]) -> Iterator[Kept]:
    """No more of them are read than are asked for. One that went meanwhile is passed over."""
    zone = zone_of(owner.time_zone)
    for start in range(0, len(ids), LOT):
        rows = Entry.objects.of(owner).live().filter(pk__in=ids[start : start + LOT]).order_by("pk")
        for pk, kind, project, text, at, pinned in rows.values_list(*FIELDS):
            yield Kept(pk, kind, project, text, _when(kind, at, zone), pinned)


def _when(kind: str, at: datetime | None, zone: tzinfo) -> str:
    """In the owner's time; the hour only where it is not midnight."""
    if at is None:
        return ""
    local = at.astimezone(zone)
    day = f"{local:%Y-%m-%d}" if local.time() == time() else f"{local:%Y-%m-%d %H:%M}"
    return f"{'due' if kind in FALLING_DUE else 'on'} {day}"
