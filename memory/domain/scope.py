"""Which rows a search may return, and in which order of states."""

from __future__ import annotations

from dataclasses import dataclass

#: What a search goes by: the status, or that the row is replaced or a stale summary, whatever its status.
REPLACED, STALE = "replaced", "stale"
#: Shown first, then the archived ones; the rest only where everything is asked for.
CURRENT = ("active", "open", "closed")
LATER = ("archived",)
HIDDEN = ("retracted", REPLACED, STALE)


@dataclass(frozen=True)
class Scope:
    """One owner's rows of a kind and project (None: of any). `tiers` of states: rows of the first come first."""

    owner: int
    kind: str = ""
    project: str | None = None
    tiers: tuple[tuple[str, ...], ...] = (CURRENT, LATER)

    @property
    def states(self) -> tuple[str, ...]:
        return tuple(state for tier in self.tiers for state in tier)


def scope(owner: int, kind: str, project: str | None, *, everything: bool) -> Scope:
    hidden = (HIDDEN,) if everything else ()
    return Scope(owner, kind, project, (CURRENT, LATER, *hidden))


def state_shown(status: str, superseded_how: str, stale: bool) -> str:
    """What a search goes by of an entry; the two channels say it in SQL."""
    if superseded_how == REPLACED:
        return REPLACED
    return STALE if stale else status
