"""The names and values of an `.env` file, with a difference that python-dotenv does not make: empty, or `""`."""

from __future__ import annotations

from pathlib import Path

from dotenv import dotenv_values
from dotenv.parser import parse_stream

#: An empty string in quotes; in the environment the two quotes themselves, where no shell takes them away.
QUOTED_NOTHING = ('""', "''")


def values_in(file: Path) -> dict[str, str]:
    """Values that are not empty; of those that are empty in quotes, the quotes. No file has no values."""
    # No interpolation: a token may hold a dollar sign.
    found = {name: value for name, value in dotenv_values(file, interpolate=False).items() if value is not None}
    if not found:
        return {}
    with file.open(encoding="utf-8") as lines:
        raw = {line.key: line.original.string.partition("=")[2].strip() for line in parse_stream(lines) if line.key}
    quoted = {name: QUOTED_NOTHING[0] for name, value in found.items() if not value and raw[name][:2] in QUOTED_NOTHING}
    return {name: value for name, value in found.items() if value} | quoted
