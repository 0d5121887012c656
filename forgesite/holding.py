"""Rows that may quote a forgotten text, found by the database: to read every message takes seconds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import reduce
from operator import and_, or_
from typing import Any

from django.db.models import Q, QuerySet

from forgesite.lib.masking import FEW, Texts


def holding(rows: QuerySet[Any], fields: Sequence[str], texts: Texts, more: Sequence[str] = ()) -> Iterator[Any]:
    """(id, *fields, *more) of the rows of which any field may quote any of the texts, as text or as JSON writes it.

    No model is made of them: of a store of tens of thousands they can be most. Of many texts all rows are read, and
    looked at one by one. All of them are given where a text begins without letters.
    """
    values = rows.order_by("pk").values_list("pk", *fields, *more)
    if not texts:
        return
    if not all(text.probes for text in texts):
        yield from values.iterator()
        return
    if len(texts) <= FEW:
        yield from values.filter(reduce(or_, (_quoting(field, text.probes) for field in fields for text in texts)))
        return
    for row in values.iterator():
        if any(_may_quote(value, texts) for value in row[1 : 1 + len(fields)]):
            yield row


def _quoting(field: str, probes: Sequence[str]) -> Q:
    """It holds every run of letters that the text begins with."""
    return reduce(and_, (_holding(field, probe) for probe in probes))


def _holding(field: str, probe: str) -> Q:
    escaped = json.dumps(probe)[1:-1]
    plain = Q(**{f"{field}__contains": probe})
    return plain if escaped == probe else plain | Q(**{f"{field}__contains": escaped})


def _may_quote(value: Any, texts: Texts) -> bool:
    """JSON that escapes letters is unescaped before it is asked."""
    written = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return bool(texts.may_be_in(written)) or ("\\u" in written and bool(texts.may_be_in(_unescaped(written))))


def _unescaped(written: str) -> str:
    return written.encode("ascii", "backslashreplace").decode("unicode_escape", "replace")
