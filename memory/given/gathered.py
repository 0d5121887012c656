"""What a run was given of memory since its last receipt, and how a receipt says it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from django.db import connection

from forgesite.models import Account
from forgesite.owned import owner_id
from memory import change_log
from memory.domain.chain import words_digest
from memory.domain.receipt import Asked, Block, Given, Left, Prompt, Said, pairs_digest, past, salted
from memory.finding.opening import INDEX
from memory.hot_block import NONE as NO_BLOCK
from memory.hot_block import HotBlock
from memory.models import Entry, TextVersion
from memory.past.states import batched
from memory.recalled import Head, LeftOut, Recalled, Row

#: Rows that a search shows, but that cover too little of what was asked to be given as an answer.
NOTHING = "nothing"
#: Of a query what stands elsewhere in a receipt, or beside it.
ELSEWHERE = ("text", "policy", "project")
# Plain SQL, as in ledger.py: of each turn.
NOW = """
SELECT id, version, digest, salt, text, project, key, event_words FROM memory_entry
WHERE owner_id = %s AND id IN ({ids})
"""
#: Values of one query.
AT_ONCE = 500


@dataclass(frozen=True)
class Found:
    """One recall of a run. `tool`: what asked for it."""

    tool: str
    recalled: Recalled


@dataclass
class Gathered:
    """Written by the run's own task alone. `read`: the texts of entries that were read by their number, by id."""

    found: list[Found] = field(default_factory=list)
    hot: HotBlock = NO_BLOCK
    read: dict[int, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.found or self.hot.texts or self.hot.left_out or self.read)

    @property
    def known(self) -> frozenset[int]:
        """The entries whose words were given, but those that were read."""
        return frozenset(self.hot.texts) | {row.entry.pk for each in self.found for row in each.recalled.given}


@dataclass(frozen=True)
class Now:
    """An entry as it is while a receipt is sealed. `outside`: its words are not what the last commit says."""

    version: int
    digest: str
    text: str
    outside: bool


def said(owner: Account, gathered: Gathered, salt: str, prompt: Prompt | None, head: Head) -> Said:
    """Call it in the transaction that seals it: what the block holds, and what was read, is as of its head."""
    outside = change_log.changed_outside("memory_entry")
    now = _now(owner, {*gathered.hot.texts, *gathered.read}, outside)
    return Said(
        recalls=tuple(_asked(each, salt, outside, head) for each in gathered.found),
        read=tuple(_given_now(owner, pk, text, now, "read") for pk, text in gathered.read.items()),
        block=_block(owner, gathered.hot, now),
        prompt=prompt,
    )


def questions(gathered: Gathered) -> list[dict[str, Any]]:
    """The words beside a body, one for each of its recalls."""
    return [_question(each.recalled) for each in gathered.found]


def left_out(found: Recalled) -> Iterable[LeftOut]:
    """All that was found and not given. Where memory holds nothing on it, that is every row."""
    given = found.given
    unfit = (row for row in found.rows if row not in given)
    return (
        *(LeftOut(row.entry.pk, NOTHING, row.distance, row.score, row.channel, row.rank) for row in unfit),
        *found.left_out,
    )


def _question(found: Recalled) -> dict[str, Any]:
    query = found.query
    told = {"project": query.project, "aliases": list(found.aliases), "expanded": list(found.expanded)}
    return {"text": query.text, **{name: value for name, value in told.items() if value}}


def _asked(each: Found, salt: str, outside: Collection[int], head: Head) -> Asked:
    """Where memory was not searched, and the block's index opened what the turn names, it is as of now."""
    found = each.recalled
    query, at = found.query, found.head if found.head.tick else head
    filters = {name: value for name, value in asdict(query).items() if name not in ELSEWHERE and value}
    if query.project is not None:
        filters["project"] = salted(salt, query.project)
    return Asked(
        tool=each.tool,
        question=salted(salt, query.text),
        tick=at.tick,
        head=at.address,
        policy=found.policy,
        filters=filters,
        budgets=found.budgets,
        candidates=found.candidates,
        cutoff=found.cutoff,
        cutoff_named=found.cutoff_named,
        regime=found.regime,
        aliases=tuple(salted(salt, alias) for alias in found.aliases),
        expanded=tuple(salted(salt, other) for other in found.expanded),
        nothing=found.nothing,
        degraded=found.degraded,
        given=tuple(_given(row, salt, outside, moved=row.channel == INDEX and at != head) for row in found.given),
        left_out=tuple(_left(row, found) for row in left_out(found)),
    )


def _given(row: Row, salt: str, outside: Collection[int], *, moved: bool) -> Given:
    """As the recall read it, which is as of its own head. What the index opened may have been read after that."""
    entry = row.entry
    digest = _digest(entry) if entry.pk in outside else entry.digest
    return Given(
        entry.pk,
        entry.version,
        digest,
        row.channel,
        row.distance,
        row.score,
        row.rank,
        variant=salted(salt, row.variant) if row.variant else "",
        moved=moved,
        outside=digest != entry.digest,
    )


def _left(row: LeftOut, found: Recalled) -> Left:
    by = past(row.reason, row.rank, row.distance, found.cutoff, found.budgets)
    return Left(row.id, row.reason, row.channel, row.distance, row.score, row.rank, by)


def _block(owner: Account, hot: HotBlock, now: Mapping[int, Now]) -> Block | None:
    if not (hot.texts or hot.left_out):
        return None
    rows = [_given_now(owner, pk, text, now) for pk, text in hot.texts.items()]
    return Block(
        entries=tuple(hot.texts),
        digest=pairs_digest((row.id, row.digest) for row in rows),
        left_out=hot.left_out,
        tokens=hot.tokens,
        complete=hot.complete,
        apart=tuple(row for row in rows if row.moved or row.outside),
    )


def _given_now(owner: Account, pk: int, text: str, now: Mapping[int, Now], channel: str = "") -> Given:
    """What the row says now; where it says something else than what was given, the version that did."""
    row = now.get(pk)
    if row and row.text == text:
        return Given(pk, row.version, row.digest, channel, outside=row.outside)
    kept = TextVersion.objects.of(owner).filter(entry=pk, text=text).order_by("-id").first()
    return Given(pk, None, kept.digest if kept else "", channel, moved=True)


def _now(owner: Account, ids: Collection[int], outside: Collection[int]) -> dict[int, Now]:
    found = {}
    with connection.cursor() as cursor:
        for some in batched(sorted(ids), AT_ONCE):
            cursor.execute(NOW.format(ids=", ".join(["%s"] * len(some))), [owner_id(owner), *some])
            for pk, version, digest, salt, text, *rest in cursor.fetchall():
                told = words_digest(salt, text, *rest) if pk in outside else digest
                found[pk] = Now(version, told, text, told != digest)
    return found


def _digest(entry: Entry) -> str:
    return words_digest(entry.salt, entry.text, entry.project, entry.key, entry.event_words)
