"""What the doors say about an import: the page, the terminal and the API in the same words."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from django.utils.translation import gettext as _

from chat.importers.contents import NAMES
from chat.intake.report import BroughtEntries, Counts, Report
from memory.golden_words import worse_line
from memory.models import Kind


def format_name(key: str) -> str:
    return NAMES.get(key, key)


def counted(report: Report) -> str:
    """The last line of a report."""
    new = [*_new(report), *_entries(report)] or [_("Nothing new.")]
    return " ".join([*new, *_waiting(report.waiting), *_forgotten(report.forgotten), *_golden(report)])


def _golden(report: Report) -> list[str]:
    if report.golden is None:
        return [report.untold] if report.untold else []
    line = worse_line(report.golden, foreseen=not report.written)
    none = [] if report.written else [_("No golden question that was asked would find less.")]
    return [*([line] if line else none), *([report.untold] if report.untold else [])]


def by_kind(brought: BroughtEntries) -> str:
    """`fact 3, decision 1`; empty for nothing new."""
    return ", ".join(f"{Kind(kind).label} {count}" for kind, count in brought.kinds)


def _new(report: Report) -> list[str]:
    if replace(report.new, entries=0) == Counts():
        return []
    line = (
        _("Imported: conversations %(conversations)s, messages %(messages)s, exchanges %(exchanges)s.")
        if report.written
        else _("Would import: conversations %(conversations)s, messages %(messages)s, exchanges %(exchanges)s.")
    )
    return [line % vars(report.new)]


def _entries(report: Report) -> list[str]:
    if not report.new.entries:
        return []
    total: Counter[str] = sum((brought.new for brought in report.entries), Counter())
    line = _("Imported entries: %(kinds)s.") if report.written else _("Would import entries: %(kinds)s.")
    return [line % {"kinds": by_kind(BroughtEntries("", total))}]


def _waiting(count: int) -> list[str]:
    if not count:
        return []
    words = _("Found by their words only, until the embedding server is back: exchanges %(count)s.")
    return [words % {"count": count}]


def _forgotten(count: int) -> list[str]:
    return [_("Forgotten here, and not brought back: exchanges %(count)s.") % {"count": count}] if count else []
