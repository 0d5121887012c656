"""The rows of an earlier time that are found without a question, as plain_rows.py has those of now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from forgesite.models import Account
from memory.as_of import At
from memory.domain.scope import CURRENT, HIDDEN, Scope
from memory.domain.todo_order import ToDo, in_turn
from memory.finding.plain_rows import PROCEDURES, RECENT, TASKS, days
from memory.finding.procedures import KINDS
from memory.kinds import FALLING_DUE, LIVE, LinkType, Status
from memory.models import DELIBERATE, Link
from memory.past.entries import Past
from memory.past.states import Change
from memory.past.words import in_scope
from memory.word_channel import Said


@dataclass(frozen=True)
class PastRows:
    """`states`: what a search goes by of each entry."""

    owner: Account
    at: At
    past: Past
    states: Mapping[int, str]

    def found(self, channel: str, where: Scope, most: int) -> list[int]:
        return CHANNELS[channel](self, where, most)

    def ages(self, ids: Iterable[int]) -> dict[int, float]:
        changes = {pk: self.change(pk) for pk in ids if pk in self.past.stated}
        dates = {pk: change.get("event") or change["said"] for pk, change in changes.items()}
        return {pk: days(datetime.fromisoformat(date), self.at.at) for pk, date in dates.items()}

    def said(self, ids: Iterable[int]) -> dict[int, Said]:
        changes = {pk: self.change(pk) for pk in ids if pk in self.past.stated}
        return {
            pk: Said(datetime.fromisoformat(change["said"]), change["kind"] in DELIBERATE)
            for pk, change in changes.items()
        }

    def change(self, pk: int) -> Change:
        return self.past.stated[pk].change

    def newest(self, ids: Iterable[int], most: int) -> list[int]:
        return sorted(ids, key=lambda pk: (self.change(pk)["said"], pk), reverse=True)[:most]

    def standing(self, where: Scope) -> list[int]:
        shown = in_scope(self.past, self.states, Scope(where.owner, where.kind, where.project, (CURRENT,)))
        return [pk for pk in shown if self.change(pk)["status"] in LIVE]

    def covered(self) -> set[int]:
        """By a summary that still held then."""
        links = Link.objects.of(self.owner).filter(type=LinkType.COVERS, since__lte=self.at.tick)
        of_then = links.exclude(until__lte=self.at.tick).values_list("entry", "other")
        standing = {pk for pk, state in self.states.items() if state in LIVE}
        return {other for entry, other in of_then if entry in standing}


def _recent(rows: PastRows, where: Scope, most: int) -> list[int]:
    if set(HIDDEN) <= set(where.states):
        return rows.newest(in_scope(rows.past, rows.states, where), most)
    covered = rows.covered()
    return rows.newest((pk for pk in rows.standing(where) if pk not in covered), most)


def _tasks(rows: PastRows, where: Scope, _most: int) -> list[int]:
    changes = {pk: rows.change(pk) for pk in rows.standing(where) if rows.change(pk)["kind"] in FALLING_DUE}
    return in_turn((_to_do(pk, change) for pk, change in sorted(changes.items())), rows.at.at)


def _to_do(pk: int, change: Change) -> ToDo:
    due = datetime.fromisoformat(change["event"]) if change.get("event") else None
    return ToDo(pk, change["status"] == Status.OPEN, datetime.fromisoformat(change["said"]), due)


def _procedures(rows: PastRows, where: Scope, most: int) -> list[int]:
    return rows.newest((pk for pk in rows.standing(where) if rows.change(pk)["kind"] in KINDS), most)


CHANNELS: dict[str, Callable[[PastRows, Scope, int], list[int]]] = {
    RECENT: _recent,
    TASKS: _tasks,
    PROCEDURES: _procedures,
}
