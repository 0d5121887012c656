"""Entries as lines of a command's answer."""

from __future__ import annotations

from django.utils.translation import gettext as _

from chat.domain.quoting import as_typed, clip
from memory.models import LIVE, Entry
from memory.recall import Row

#: Characters of an entry in a list, and of one that was found.
LINE, FOUND = 160, 300


def one_line(text: str) -> str:
    return as_typed(" ".join(text.split()))


def found(row: Row) -> str:
    return found_line(row, one_line(clip(row.entry.text, row.matched_terms, FOUND)))


def found_line(row: Row, text: str) -> str:
    """`#id [kind/project] text (distance=0.234)`, with what replaced it, where it was."""
    entry = row.entry
    near = f"distance={row.distance:.3f}" if row.distance is not None else row.channel
    by = f" -> #{entry.superseded_by_id}" if entry.is_replaced else ""
    return f"#{entry.pk} [{entry.kind}/{entry.project or '-'}]{by} {text} ({near})"


def listed(entry: Entry) -> str:
    """`#312 [fact] -> #341 (archived) text`."""
    by = f" -> #{entry.superseded_by_id}" if entry.superseded_by_id else ""
    return f"#{entry.pk} [{entry.kind}]{by}{_state(entry)} {one_line(clip(entry.text, (), LINE))}"


def _state(entry: Entry) -> str:
    if entry.status not in LIVE:
        return f" ({entry.get_status_display()})"
    return f" ({_('stale')})" if entry.stale else ""
