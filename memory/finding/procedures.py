"""The channel `procedures`: how things are done, and what is to be thought of when the occasion comes."""

from __future__ import annotations

from memory.domain.scope import Scope
from memory.finding.recent import of
from memory.kinds import Kind

KINDS = (Kind.PROCEDURE, Kind.PROSPECTIVE)


def newest(where: Scope, most: int) -> list[int]:
    rows = of(where).standing().filter(kind__in=KINDS)
    return list(rows.order_by("-said_at", "-id").values_list("pk", flat=True)[:most])
