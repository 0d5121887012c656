"""From a path to documents: files, folders, and the .zip that a product hands out. Bounded, and strict."""

from __future__ import annotations

import codecs
import json
import math
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from forgesite.errors import ForgeError, TooLargeError

#: Bytes of one export, unpacked. An export of ten years of daily use was under half of it; parsed, it takes some
#: six times its size in memory.
LIMIT = 256 * 1024 * 1024
#: JSON files looked at in one .zip.
MEMBERS = 1000
CONVERSATIONS = re.compile(r"(?:.*/)?conversations(?:-\d+)?\.json")
#: Digits of a whole number; no export needs as many.
DIGITS = 300
#: What is read of a folder or a .zip.
ENDS = (".json", ".jsonl", ".db", ".md")
#: How a SQLite database begins.
SQLITE = b"SQLite format 3\0"
#: What SQLite keeps beside a database: the newest of it may be there alone.
BESIDE = ("-wal", "-journal")


class NotAnExportError(ForgeError):
    """The file cannot be read as any export. Nothing was written."""

    code, status = "not_an_export", 422


@dataclass(frozen=True)
class Document:
    """One file, alone or inside a .zip. `beside`: of a database, what stands next to it, by the end of its name."""

    name: str
    data: bytes
    beside: Mapping[str, bytes] = field(default_factory=dict)

    def text(self) -> tuple[str, int]:
        """Its characters, and how many unreadable ones were replaced."""
        return _decoded(self.data)

    def parsed(self) -> tuple[Any, int]:
        """Its value, and how many unreadable characters were replaced. Raises NotAnExportError."""
        text, replaced = _decoded(self.data)
        try:
            value = json.loads(
                text,
                object_pairs_hook=_once,
                parse_constant=_no_constant,
                parse_int=_whole,
                parse_float=_finite,
            )
        except ValueError as error:
            raise NotAnExportError(_("%(name)s is not valid JSON: %(why)s") % _why(self.name, error)) from None
        except RecursionError:
            raise NotAnExportError(_("%(name)s is nested too deeply to be an export.") % {"name": self.name}) from None
        return value, replaced


def _why(name: str, error: Exception) -> dict[str, str]:
    return {"name": name, "why": str(error)}


def paths_in(path: Path) -> list[Path]:
    """The file, or every file below the folder that may be an export, by name."""
    if not path.is_dir():
        return [path]
    return sorted(found for found in path.rglob("*") if _may_be_read(found) and not _leads_out(found, path))


def leading_out(path: Path) -> list[Path]:
    """Links below the folder that lead to something outside of it, and would be read if they did not."""
    if not path.is_dir():
        return []
    links = (found for found in path.rglob("*") if found.is_symlink() and (found.is_dir() or _may_be_read(found)))
    return sorted(link for link in links if _leads_out(link, path))


def shown(name: str) -> str:
    """The name of a file fit for a line of a report: it may hold line ends, orders to a terminal, or no text at all."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in name)


def _may_be_read(path: Path) -> bool:
    return path.suffix.lower() in (*ENDS, ".zip") and path.is_file()


def _leads_out(path: Path, folder: Path) -> bool:
    return not path.resolve().is_relative_to(folder.resolve())


def documents(path: Path, name: str, *, limit: int = LIMIT) -> Iterator[Document]:
    """The files of an export. Raises NotAnExportError or TooLargeError, each fit to show."""
    try:
        if path.exists() and not path.is_file():
            raise NotAnExportError(_("%(name)s is no ordinary file.") % {"name": name})
        if _is_zip(path):
            yield from _from_zip(path, name, limit)
        else:
            yield _from_file(path, name, limit)
    except OSError as error:
        raise NotAnExportError(_("%(name)s cannot be read: %(why)s") % _why(name, error)) from None


def _is_zip(path: Path) -> bool:
    """A database or a note may hold a .zip, and its end is all that zipfile looks at."""
    with path.open("rb") as file:
        database = file.read(len(SQLITE)) == SQLITE
    return not database and path.suffix.lower() != ".md" and zipfile.is_zipfile(path)


def _from_file(path: Path, name: str, limit: int) -> Document:
    """Raises NotAnExportError for one that is written to meanwhile: half of two states is none."""
    paths = [path, *(beside for end in BESIDE if (beside := Path(f"{path}{end}")).is_file())]
    before = [_state(one) for one in paths]
    check_size(name, sum(size for size, _at in before), limit)
    data, *besides = (one.read_bytes() for one in paths)
    if before != [_state(one) for one in paths]:
        words = _("%(name)s is being written to. Stop what writes it, and import again.")
        raise NotAnExportError(words % {"name": name})
    ends = [str(one).removeprefix(str(path)) for one in paths[1:]]
    return Document(name, data, dict(zip(ends, besides, strict=True)))


def _state(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_size, found.st_mtime_ns


def _from_zip(path: Path, name: str, limit: int) -> Iterator[Document]:
    """`conversations.json` where there is one, else every file. What unpacks beyond the limit is refused.

    Nothing is unpacked to where a member says: its name is only told.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            left = limit
            held = {member.filename: member for member in archive.infolist()}
            for member in _members(archive, name):
                besides = {end: held[found] for end in BESIDE if (found := f"{member.filename}{end}") in held}
                data, *beside = _unpacked(archive, name, [member, *besides.values()], left, limit)
                left -= len(data) + sum(map(len, beside))
                yield Document(f"{name}/{shown(member.filename)}", data, dict(zip(besides, beside, strict=True)))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise NotAnExportError(_("%(name)s cannot be unpacked: %(why)s") % _why(name, error)) from None


def _unpacked(
    archive: zipfile.ZipFile, name: str, members: list[zipfile.ZipInfo], left: int, limit: int
) -> list[bytes]:
    """`left`: of the bytes that all members together may have."""
    found = []
    for member in members:
        with archive.open(member) as file:
            data = file.read(left + 1)
        check_size(f"{name}/{shown(member.filename)}", limit - left + len(data), limit)
        left -= len(data)
        found.append(data)
    return found


def _members(archive: zipfile.ZipFile, name: str) -> list[zipfile.ZipInfo]:
    found = [member for member in archive.infolist() if member.filename.lower().endswith(ENDS)]
    members = [member for member in found if CONVERSATIONS.fullmatch(member.filename)] or found
    if not members:
        raise NotAnExportError(_("%(name)s holds no JSON file, so it is no export.") % {"name": name})
    if len(members) > MEMBERS:
        raise TooLargeError(
            _("%(name)s holds %(size)s files; the limit is %(limit)s.")
            % {"name": name, "size": len(members), "limit": MEMBERS},
            detail={"size": len(members), "limit": MEMBERS},
        )
    return members


def check_size(name: str, size: int, limit: int) -> None:
    """Raises TooLargeError."""
    if size > limit:
        message = _("%(name)s is too large: an export may have %(limit)s MiB, unpacked.")
        raise TooLargeError(message % {"name": name, "limit": limit >> 20}, detail={"size": size, "limit": limit})


def _decoded(data: bytes) -> tuple[str, int]:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace"), 0
    text = data.decode("utf-8-sig", "replace")
    return text, text.count("\N{REPLACEMENT CHARACTER}") - data.count("\N{REPLACEMENT CHARACTER}".encode())


# -- what JSON allows and no export has


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _value in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(_("the key %(key)s stands twice in one object") % {"key": f"{twice!r:.60}"})
    return found


def _no_constant(written: str) -> Any:
    raise ValueError(_("%(value)s is no number of JSON") % {"value": written})


def _whole(written: str) -> int:
    if len(written) > DIGITS:
        raise ValueError(_("a number of %(count)s digits") % {"count": len(written)})
    return int(written)


def _finite(written: str) -> float:
    number = float(written)
    if not math.isfinite(number):
        raise ValueError(_("the number %(value)s is too large") % {"value": f"{written:.40}"})
    return number
