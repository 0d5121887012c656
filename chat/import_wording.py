"""What the doors say about an import: the page, the terminal and the API in the same words."""

from __future__ import annotations

from django.utils.translation import gettext as _

from chat.import_report import Counts
from chat.importers.formats import FORMATS

NAMES = {form.key: form.name for form in FORMATS}


def format_name(key: str) -> str:
    return NAMES.get(key, key)


def counted(new: Counts, *, dry_run: bool, waiting: int = 0) -> str:
    """The last line of a report."""
    if new == Counts():
        return _("Nothing new.")
    line = (
        _("Would import: conversations %(conversations)s, messages %(messages)s, exchanges %(exchanges)s.")
        if dry_run
        else _("Imported: conversations %(conversations)s, messages %(messages)s, exchanges %(exchanges)s.")
    )
    return " ".join([line % vars(new), *_waiting(waiting)])


def _waiting(count: int) -> list[str]:
    if not count:
        return []
    words = _("Found by their words only, until the embedding server is back: exchanges %(count)s.")
    return [words % {"count": count}]
