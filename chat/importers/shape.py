"""Typed looks into parsed JSON: a value of another shape is damage, a missing one is not."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, TypeAlias

from django.utils.translation import gettext as _

from chat.importers.imported import DamagedError

Json: TypeAlias = Any
Fields: TypeAlias = Mapping[str, Any]


def fields(value: Json, name: str) -> Fields:
    if not isinstance(value, dict):
        raise DamagedError(_("%(name)s is %(found)s, not an object") % {"name": name, "found": _shown(value)})
    return value


def fields_or_none(holder: Fields, name: str) -> Fields:
    """The object under `name`; empty where there is none."""
    value = holder.get(name)
    return {} if value is None else fields(value, name)


def items(holder: Fields, name: str) -> list[Json]:
    """The list under `name`; empty where there is none."""
    value = holder.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise DamagedError(_("%(name)s is %(found)s, not a list") % {"name": name, "found": _shown(value)})
    return value


def text(holder: Fields, *names: str) -> str:
    """The first of these that is a text with something in it, or empty. A number is taken as its digits."""
    for name in names:
        value = holder.get(name)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    return ""


def words(holder: Fields, name: str) -> str:
    """The text under `name`; missing is empty, anything but a text is damage."""
    value = holder.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise DamagedError(_("%(name)s is %(found)s, not a text") % {"name": name, "found": _shown(value)})
    return value


def _shown(value: Json) -> str:
    return f"{value!r:.40}"


# Scales of an epoch: seconds up to the year 5138, then milliseconds, microseconds, nanoseconds.
_SCALES = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3))
_LARGEST = 1e19
_LATEST = datetime(2200, 1, 1, tzinfo=UTC).timestamp()


def moment(value: Json) -> datetime | None:
    """A date as exports write it: epoch number or digits, ISO 8601, or MongoDB's `$date`. None where it is none."""
    while isinstance(value, dict):
        value = value.get("$date", value.get("$numberLong"))
    if isinstance(value, str):
        return _from_text(value.strip())
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _from_epoch(value)
    return None


def _from_text(written: str) -> datetime | None:
    try:
        return _from_epoch(float(written))
    except ValueError:
        pass
    try:
        found = datetime.fromisoformat(written)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _from_epoch(number: float) -> datetime | None:
    if not 0 < number < _LARGEST:
        return None
    seconds = number / next((scale for above, scale in _SCALES if number > above), 1)
    return datetime.fromtimestamp(seconds, UTC) if seconds < _LATEST else None
