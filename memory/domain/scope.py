"""Which rows a search may return, and in which order of states."""

from __future__ import annotations

from dataclasses import dataclass

#: Shown first, then the archived ones; a retracted row is shown only where everything is asked for.
CURRENT = ("active", "open", "closed")
LATER = ("archived",)
HIDDEN = ("retracted",)


@dataclass(frozen=True)
class Scope:
    """One owner's rows of a kind and project (None: of any). `tiers` of statuses: rows of the first come first."""

    owner: int
    kind: str = ""
    project: str | None = None
    tiers: tuple[tuple[str, ...], ...] = (CURRENT, LATER)

    @property
    def statuses(self) -> tuple[str, ...]:
        return tuple(status for tier in self.tiers for status in tier)


def scope(owner: int, kind: str, project: str | None, *, everything: bool) -> Scope:
    hidden = (HIDDEN,) if everything else ()
    return Scope(owner, kind, project, (CURRENT, LATER, *hidden))
