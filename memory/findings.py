"""What a verification finds: one difference each, by table, row and column, fit to show."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """`outside`: triggers saw the change, so that it was made with SQL; else it is damage. No word of an entry is in it.

    `row`: its id, None where it is of a table as a whole. `column`: empty where it is of the whole row.
    """

    code: str
    table: str
    row: int | None
    column: str
    outside: bool
    message: str
