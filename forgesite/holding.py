"""Rows that may quote a forgotten text, found by the database: reading every message takes seconds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_
from typing import TypeVar

from django.db.models import Model, Q, QuerySet

from forgesite.lib.masking import Gone

M = TypeVar("M", bound=Model)
#: Conditions of one query: SQLite refuses an expression of more than a thousand, and is slow well before.
AT_ONCE = 200


def holding(rows: QuerySet[M], fields: Sequence[str], texts: Sequence[Gone]) -> Iterator[M]:
    """The rows of which any field holds what any text begins with, as text or as JSON writes it; each once.

    All of them where a text begins with no letter.
    """
    probes = {text.probe for text in texts}
    forms = sorted(probes | {json.dumps(probe)[1:-1] for probe in probes})
    if "" in probes:
        yield from rows
        return
    seen: set[object] = set()
    each = max(1, AT_ONCE // len(fields))
    for start in range(0, len(forms), each):
        for row in rows.filter(_any(fields, forms[start : start + each])):
            if row.pk not in seen:
                seen.add(row.pk)
                yield row


def _any(fields: Sequence[str], forms: Sequence[str]) -> Q:
    return reduce(or_, (Q(**{f"{field}__contains": form}) for field in fields for form in forms))
