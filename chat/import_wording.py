"""What the doors say about an import: the page, the terminal and the API in the same words."""

from __future__ import annotations

from django.utils.translation import gettext as _

from chat.import_report import Counts, Report
from chat.importers.formats import FORMATS

NAMES = {form.key: form.name for form in FORMATS}


def format_name(key: str) -> str:
    return NAMES.get(key, key)


def counted(report: Report) -> str:
    """The last line of a report."""
    return " ".join([_new(report), *_waiting(report.waiting), *_forgotten(report.forgotten)])


def _new(report: Report) -> str:
    if report.new == Counts():
        return _("Nothing new.")
    line = (
        _("Imported: conversations %(conversations)s, messages %(messages)s, exchanges %(exchanges)s.")
        if report.written
        else _("Would import: conversations %(conversations)s, messages %(messages)s, exchanges %(exchanges)s.")
    )
    return line % vars(report.new)


def _waiting(count: int) -> list[str]:
    if not count:
        return []
    words = _("Found by their words only, until the embedding server is back: exchanges %(count)s.")
    return [words % {"count": count}]


def _forgotten(count: int) -> list[str]:
    return [_("Forgotten here, and not brought back: exchanges %(count)s.") % {"count": count}] if count else []
