"""From a path to parsed JSON: files, folders, and the .zip that a product hands out. Bounded, and strict."""

from __future__ import annotations

import codecs
import json
import math
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
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


class NotAnExportError(ForgeError):
    """The file cannot be read as any export. Nothing was written."""

    code, status = "not_an_export", 422


@dataclass(frozen=True)
class Document:
    """One JSON file, alone or inside a .zip. `mended` counts the bytes that were no UTF-8."""

    name: str
    data: bytes

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
    """The file, or every .json and .zip below the folder, by name."""
    if not path.is_dir():
        return [path]
    return sorted(found for found in path.rglob("*") if found.suffix.lower() in (".json", ".zip") and found.is_file())


def documents(path: Path, name: str, *, limit: int = LIMIT) -> Iterator[Document]:
    """The JSON files of an export. Raises NotAnExportError or TooLargeError, each fit to show."""
    try:
        if zipfile.is_zipfile(path):
            yield from _from_zip(path, name, limit)
        else:
            _check(name, path.stat().st_size, limit)
            yield Document(name, path.read_bytes())
    except OSError as error:
        raise NotAnExportError(_("%(name)s cannot be read: %(why)s") % _why(name, error)) from None


def _from_zip(path: Path, name: str, limit: int) -> Iterator[Document]:
    """`conversations.json` where there is one, else every JSON file. What unpacks beyond the limit is refused."""
    try:
        with zipfile.ZipFile(path) as archive:
            left = limit
            for member in _members(archive, name):
                with archive.open(member) as file:
                    data = file.read(left + 1)
                _check(f"{name}/{member.filename}", limit - left + len(data), limit)
                left -= len(data)
                yield Document(f"{name}/{member.filename}", data)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise NotAnExportError(_("%(name)s cannot be unpacked: %(why)s") % _why(name, error)) from None


def _members(archive: zipfile.ZipFile, name: str) -> list[zipfile.ZipInfo]:
    found = [member for member in archive.infolist() if member.filename.lower().endswith(".json")]
    members = [member for member in found if CONVERSATIONS.fullmatch(member.filename)] or found
    if not members:
        raise NotAnExportError(_("%(name)s holds no JSON file, so it is no export.") % {"name": name})
    if len(members) > MEMBERS:
        raise TooLargeError(
            _("%(name)s holds %(size)s JSON files; the limit is %(limit)s.")
            % {"name": name, "size": len(members), "limit": MEMBERS},
            detail={"size": len(members), "limit": MEMBERS},
        )
    return members


def _check(name: str, size: int, limit: int) -> None:
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
