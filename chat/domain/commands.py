"""What follows a command's name, taken apart."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RememberParts:
    kind: str
    project: str
    content: str


def remember_parts(rest: str) -> RememberParts | None:
    """`<kind> <project|-> <content>`; None where one of the three is missing. `-` is no project."""
    parts = rest.split(None, 2)
    if len(parts) < 3:
        return None
    kind, project, content = parts
    return RememberParts(kind.casefold(), "" if project == "-" else project, content.strip())


def usage_line(name: str, takes: str) -> str:
    return f"!{name} {takes}".strip()
