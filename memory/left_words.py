"""Why a row of memory was not given, in a few words: the page, the terminal and the desk say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from forgesite.language import told_apart

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

    from memory.domain.receipt import Left

#: By the rule of a row that was left out.
REASONS: dict[str, _StrOrPromise] = {
    "cutoff": gettext_lazy("too far"),
    "nothing": gettext_lazy("says too little of it"),
    "budget": gettext_lazy("past the number of rows"),
    "items": gettext_lazy("past the number of rows of a prompt"),
    "bytes": gettext_lazy("does not fit into the bytes"),
    "candidates": gettext_lazy("past what a channel may find"),
    "prompt": gettext_lazy("no room in the prompt"),
    "hot": gettext_lazy("at the head already"),
    "saved": gettext_lazy("saved just now"),
}


def reason_words(reason: str) -> str:
    return str(REASONS.get(reason, reason))


def by_how_much(row: Left, cutoff: float | None) -> str:
    """`1.36 > 1.22`, or its rank; empty where neither tells."""
    if row.reason == "cutoff" and row.distance is not None and cutoff is not None:
        return " > ".join(told_apart(row.distance, cutoff))
    return _("row %(rank)d") % {"rank": row.rank} if row.rank is not None else ""
