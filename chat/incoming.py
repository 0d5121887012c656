"""What a person sent, made fit to keep, or refused with its size."""

from __future__ import annotations

import re

from django.utils.translation import gettext as _

from forgesite.errors import EmptyError, TooLargeError
from forgesite.language import number

LIMIT = 1024 * 1024
#: NUL ends a string for SQLite's own functions, and half a surrogate pair has no UTF-8 form.
UNFIT = re.compile("[\x00\ud800-\udfff]")


def fit(text: str) -> str:
    """The text with unfit characters as U+FFFD. Raises EmptyError for a blank one, TooLargeError past 1 MiB."""
    if not text.strip():
        raise EmptyError(_("The message is empty."))
    size = len(text.encode("utf-8", "replace"))
    if size > LIMIT:
        message = _("The message has %(size)s bytes, and %(limit)s is the most. Shorten it, or send it in parts.")
        raise TooLargeError(
            message % {"size": number(size), "limit": number(LIMIT)}, detail={"size": size, "limit": LIMIT}
        )
    return UNFIT.sub("\ufffd", text)
