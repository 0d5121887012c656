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

#: One query of the columns of each table, with whether it has no rowid; of those of each index, with its SQL; and of
#: the bytes of a page, with how many pages hold something.
LAYOUT = """
SELECT 'table', m.name, m.sql LIKE '%%WITHOUT ROWID%%', p.cid, p.name, ''
FROM sqlite_master m, pragma_table_info(m.name) p
WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%%'
UNION ALL
SELECT 'index', m.name, m.tbl_name, p.seqno, p.name, m.sql FROM sqlite_master m, pragma_index_info(m.name) p
WHERE m.type = 'index'
UNION ALL
SELECT 'pages', '', s.page_size, p.page_count - f.freelist_count, '', ''
FROM pragma_page_count p, pragma_freelist_count f, pragma_page_size s
ORDER BY 1, 2, 4
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


@dataclass(frozen=True)
class Layout:
    """`bare`: tables without a rowid. `page`: bytes of one; `pages`: how many hold something."""

    columns: Mapping[str, Sequence[str]]
    bare: frozenset[str]
    indexes: Mapping[str, Indexed]
    page: int
    pages: int


def estimated() -> list[Table] | None:
    """The largest first; in all as large as the pages in use. None where even that cannot be read."""
    try:
        layout = _layout()
        sampled, some = _sampled(layout)
    except DatabaseError:
        return None
    sizes = {name: stored(one.count, one.row([*one.lengths]), layout.page) for name, one in sampled.items()}
    for name, one in layout.indexes.items():
        of = sampled[one.table]
        sizes[name] = stored(some.get(name, of.count), of.row(one.columns) + OF_ROWID, layout.page)
    scale = layout.page * layout.pages / sum(sizes.values())
    found = [Table(name, round(size * scale)) for name, size in sizes.items()]
    return sorted(found, key=lambda table: (-table.size, table.name))[:SHOWN]


def stored(count: int, row: float, page: int) -> float:
    """Bytes of the pages of so many rows. A row that does not fit beside another has its page for itself."""
    room = page - OF_PAGE
    if row > room:
        return page * count * -(-row // room)
    return page * max(1.0, count / (room // row))


def _layout() -> Layout:
    columns, bare, indexes, page = dict[str, list[str]](), set[str](), dict[str, Indexed](), (0, 0)
    for what, name, of, place, column, sql in rows(LAYOUT):
        if what == "table":
            columns.setdefault(name, []).append(column)
            bare |= {name} if of else set()
        elif what == "index":
            where = (sql or "").partition(" WHERE ")[2]
            indexes.setdefault(name, Indexed(of, where)).columns.append(column or "")
        else:
            page = (of, place)
    return Layout(columns, frozenset(bare), indexes, *page)


def _sampled(layout: Layout) -> tuple[dict[str, Sampled], dict[str, int]]:
    """Each table, and how many rows those indexes have that hold only some: SQLite counts them in the index itself. One
    statement, however many there are."""
    tables = [_of_table(name, told, name not in layout.bare) for name, told in layout.columns.items()]
    partial = [_of_index(name, one) for name, one in layout.indexes.items() if one.where]
    found = {name: (count, told) for name, count, told in rows(" UNION ALL ".join([*tables, *partial]))}
    counts = {name: count for name, (count, _told) in found.items() if name in layout.indexes}
    return {name: _read(*found[name], columns) for name, columns in layout.columns.items()}, counts


def _read(count: int, told: str | None, columns: Sequence[str]) -> Sampled:
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


def _of_index(name: str, one: Indexed) -> str:
    where = one.where.replace("%", "%%")
    return f"SELECT '{name}', (SELECT COUNT(*) FROM {_quoted(one.table)} WHERE {where}), NULL"


def _length(column: str) -> str:
    """SQLite reads no more than the head of a blob for it."""
    quoted = _quoted(column)
    return f"CASE typeof({quoted}) WHEN 'blob' THEN length({quoted}) ELSE ifnull(length(CAST({quoted} AS BLOB)), 0) END"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
