"""The sets that benches read: `{name, stores: [{id, rows, facts, questions}]}`, one JSON file each."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dateutil.parser import parse


@dataclass(frozen=True)
class Exchange:
    """A person's row and what answered it, credited with the ids of all. `ends`: where each of those ends in it.

    `said_at`: the date of its rows, or of those before; None where a store has none.
    """

    text: str
    ids: tuple[str, ...]
    ends: tuple[int, ...]
    session: str
    date: str
    said_at: datetime | None = None


@dataclass(frozen=True)
class Question:
    """`gold`: the ids of the rows that answer it; empty where the store cannot."""

    id: str
    text: str
    category: str
    gold: frozenset[str]


@dataclass(frozen=True)
class Fact:
    """A sentence about rows of the store, credited with their ids."""

    text: str
    ids: frozenset[str]
    said_at: datetime | None


@dataclass(frozen=True)
class Store:
    id: str
    exchanges: tuple[Exchange, ...]
    questions: tuple[Question, ...]
    facts: tuple[Fact, ...] = ()


def files(data: Path) -> list[Path]:
    """The sets that `--data` names: one file, or those of a folder. Raises FileNotFoundError where there are none."""
    found = sorted(data.glob("*.json")) if data.is_dir() else [data]
    if not found or not found[0].is_file():
        raise FileNotFoundError(f"{data} is no set of stores, and no folder that holds some.")
    return found


def stores(path: Path) -> list[Store]:
    """The stores of one file."""
    return [_store(each) for each in json.loads(path.read_text())["stores"]]


def _store(raw: dict[str, Any]) -> Store:
    facts = tuple(map(_fact, raw.get("facts", ())))
    return Store(str(raw["id"]), tuple(_exchanges(raw["rows"])), tuple(map(_question, raw["questions"])), facts)


def _fact(raw: dict[str, Any]) -> Fact:
    return Fact(raw["text"], frozenset(map(str, raw["gold"])), said_on(str(raw["date"])))


def _question(raw: dict[str, Any]) -> Question:
    return Question(str(raw["id"]), raw["text"], str(raw["category"]), frozenset(map(str, raw["gold"])))


def _exchanges(rows: list[dict[str, Any]]) -> list[Exchange]:
    """A row with the `assistant` rows that follow it in the same session."""
    groups: list[list[dict[str, Any]]] = []
    for row in rows:
        if not groups or row["role"] != "assistant" or row["session"] != groups[-1][0]["session"]:
            groups.append([])
        groups[-1].append(row)
    found: list[Exchange] = []
    for group in groups:
        found.append(_exchange(group, found[-1].said_at if found else None))
    return found


def _exchange(group: list[dict[str, Any]], before: datetime | None) -> Exchange:
    lines = [f"{row['speaker'] or row['role']}: {row['text']}" for row in group]
    ends = tuple(len("\n".join(lines[: number + 1])) for number in range(len(lines)))
    ids = tuple(str(row["id"]) for row in group)
    date = str(group[0]["date"])
    return Exchange("\n".join(lines), ids, ends, str(group[0]["session"]), date, said_on(date) or before)


def said_on(date: str) -> datetime | None:
    """“1:56 pm on 8 May, 2023”, “March-15-2024”; None of an empty one. Read as UTC, as an account is by default."""
    spaced = date if date[:4].isdigit() else date.replace("-", " ")
    return parse(spaced).replace(tzinfo=UTC) if date else None
