"""About how large each table and index is, where this SQLite was built without dbstat: most are.

Rows are counted, and of some at the beginning, in the middle and at the end of each table the lengths are read; then
all is scaled to the pages in use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.db import DatabaseError

from memory.proof.reading import rows
from memory.store_counts import Table

COLUMNS = """
SELECT m.name, m.sql LIKE '%%WITHOUT ROWID%%', p.name FROM sqlite_master m, pragma_table_info(m.name) p
WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%%' ORDER BY m.name, p.cid
"""
INDEXES = """
SELECT m.name, m.tbl_name, m.sql, p.name FROM sqlite_master m, pragma_index_info(m.name) p WHERE m.type = 'index'
ORDER BY m.name, p.seqno
"""
#: Bytes of a page, and how many pages hold something.
PAGES = """
SELECT s.page_size, p.page_count - f.freelist_count
FROM pragma_page_count p, pragma_freelist_count f, pragma_page_size s
"""
#: Rows of each place of a table that are looked at.
SAMPLE = 40
#: What a row takes beside what it says, and each of its columns; what an index keeps of the row that it leads to; and
#: what no row of a page can have.
OF_ROW, OF_COLUMN, OF_ROWID, OF_PAGE = 4, 1, 4, 12
SHOWN = 40


@dataclass
class Indexed:
    """`where`: it holds only such rows."""

    table: str
    where: str = ""
    columns: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Sampled:
    """`lengths`: the mean of each column, in bytes."""

    count: int
    lengths: Mapping[str, float]

    def row(self, columns: Sequence[str]) -> float:
        return OF_ROW + sum(self.lengths.get(name, OF_ROWID) + OF_COLUMN for name in columns)


def estimated() -> list[Table] | None:
    """The largest first; in all as large as the pages in use. None where even that cannot be read."""
    try:
        columns, bare = _columns()
        indexes, [(page, pages)] = _indexes(), rows(PAGES)
        sampled, some = _sampled(columns, bare), _counts(indexes)
    except DatabaseError:
        return None
    sizes = {name: stored(one.count, one.row([*one.lengths]), page) for name, one in sampled.items()}
    for name, one in indexes.items():
        of = sampled[one.table]
        sizes[name] = stored(some.get(name, of.count), of.row(one.columns) + OF_ROWID, page)
    scale = page * pages / sum(sizes.values())
    found = [Table(name, round(size * scale)) for name, size in sizes.items()]
    return sorted(found, key=lambda table: (-table.size, table.name))[:SHOWN]


def stored(count: int, row: float, page: int) -> float:
    """Bytes of the pages of so many rows. A row that does not fit beside another has its page for itself."""
    room = page - OF_PAGE
    if row > room:
        return page * count * -(-row // room)
    return page * max(1.0, count / (room // row))


def _columns() -> tuple[dict[str, list[str]], set[str]]:
    """Of each table; and those that have no rowid."""
    columns, bare = dict[str, list[str]](), set[str]()
    for name, without_rowid, column in rows(COLUMNS):
        columns.setdefault(name, []).append(column)
        bare |= {name} if without_rowid else set()
    return columns, bare


def _indexes() -> dict[str, Indexed]:
    found: dict[str, Indexed] = {}
    for name, table, sql, column in rows(INDEXES):
        where = (sql or "").partition(" WHERE ")[2]
        found.setdefault(name, Indexed(table, where)).columns.append(column or "")
    return found


def _counts(indexes: Mapping[str, Indexed]) -> dict[str, int]:
    """The rows of those that hold only some; SQLite counts them in the index itself."""
    partial = [(name, one) for name, one in indexes.items() if one.where]
    counts = (
        f"SELECT '{name}', (SELECT COUNT(*) FROM {_quoted(one.table)} WHERE {one.where})" for name, one in partial
    )
    return dict(rows(" UNION ALL ".join(counts).replace("%", "%%"))) if partial else {}


def _sampled(columns: Mapping[str, Sequence[str]], bare: set[str]) -> dict[str, Sampled]:
    """One statement, however many tables there are."""
    found = rows(" UNION ALL ".join(_of_table(name, told, name not in bare) for name, told in columns.items()))
    return {name: _read(count, columns[name], told) for name, count, told in found}


def _read(count: int, columns: Sequence[str], told: str | None) -> Sampled:
    """Of a table without a row nothing is told."""
    return Sampled(count, dict(zip(columns, map(float, told.split()), strict=True)) if told else {})


def _of_table(name: str, columns: Sequence[str], has_rowid: bool) -> str:
    """Its name, its rows, and the mean lengths of its columns, as one text."""
    lengths = ", ".join(f"{_length(column)} AS c{place}" for place, column in enumerate(columns))
    means = "'' || " + " || ' ' || ".join(f"round(total(c{place}) / count(*), 1)" for place in range(len(columns)))
    table = _quoted(name)
    places = [""]
    if has_rowid:
        middle = f"WHERE rowid >= (SELECT (min(rowid) + max(rowid)) / 2 FROM {table}) ORDER BY rowid"
        places = ["ORDER BY rowid", middle, "ORDER BY rowid DESC"]
    sample = " UNION ALL ".join(
        f"SELECT * FROM (SELECT {lengths} FROM {table} {each} LIMIT {SAMPLE})" for each in places
    )
    return f"SELECT '{name}', (SELECT COUNT(*) FROM {table}), (SELECT {means} FROM ({sample}))"


def _length(column: str) -> str:
    """SQLite reads no more than the head of a blob for it."""
    quoted = _quoted(column)
    return f"CASE typeof({quoted}) WHEN 'blob' THEN length({quoted}) ELSE ifnull(length(CAST({quoted} AS BLOB)), 0) END"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
