"""What the ledger's hashes are made of. A text, key or project enters by salted digest, so that it can be erased.

Changing any of these functions breaks every chain there is: a new form of commit gets a number of its own (`v`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from json.encoder import encode_basestring as quoted
from typing import Any

#: 1: changes hold what moved. 2: each change holds the entry's whole state after it.
FIRST, PRESENT = 1, 2


class Canonical(json.JSONEncoder):
    """Compact JSON with sorted keys, not escaped: one text for one value."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**{**given, "ensure_ascii": False, "separators": (",", ":"), "sort_keys": True})


_compact = Canonical()


def canonical(value: Any) -> str:
    return _compact.encode(value)


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def commit_address(
    *, form: int, parent: str, owner: int, tick: int, at: str, actor: str, cause: str, changes: str
) -> str:
    """SHA-256 of the commit's canonical JSON. `at` as `moment` writes it, `changes` canonical already."""
    return sha256(
        f'{{"actor":{quoted(actor)},"at":"{at}","cause":{quoted(cause)},"changes":{changes},"owner":{owner},'
        f'"parent":"{parent}","tick":{tick},"v":{form}}}'
    )


def entry_address(commit: str, position: int) -> str:
    """The address of the entry that the change at `position` of a commit created."""
    return sha256(f"{commit}:{position}")


def words_digest(salt: str, text: str, project: str, key: str, event_words: str) -> str:
    """What a commit says of the words of an entry."""
    return sha256(f"{salt}{canonical([text, project, key, event_words])}")


def text_digest(salt: str, text: str) -> str:
    """What a link says of the text that it leaned on."""
    return sha256(f"{salt}{text}")


def vectors_digest(salt: str, regime: str, parts: Iterable[bytes]) -> str:
    """`regime/parts/digest` of an entry's vectors, each float32 little-endian, in order; empty where it has none.

    Salted too: whoever can embed could try texts against a plain one.
    """
    said, count = hashlib.sha256(salt.encode()), 0
    for part in parts:
        said.update(part)
        count += 1
    return f"{regime}/{count}/{said.hexdigest()}" if count else ""


def moment(at: datetime | None) -> str | None:
    return at.astimezone(UTC).isoformat(timespec="microseconds") if at else None
