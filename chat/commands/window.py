"""Commands on the window: compact what it holds, and what the next prompt would take of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.commands.order import nothing
from chat.leaving.compaction import Compacted
from chat.leaving.compaction import compact as compacted
from chat.progress import Progress, Said
from chat.prompting.context import forecast
from forgesite.language import number

if TYPE_CHECKING:
    from chat.domain.frames import Context
    from traces.recorder import StepRecord


def compact(progress: Progress, rest: str, step: StepRecord) -> Said:
    nothing(rest)
    done = compacted(progress.owner, progress.begun.conversation, forced=True)
    if not done.removed:
        return Said(_nothing_done(done.kept))
    return Said(f"{_counts(done)}\n\n{done.pointer}", wrote=True)


def _nothing_done(kept: int) -> str:
    words = ngettext(
        "Nothing to compact: the window holds %(n)s message, and the newest %(recent)s stay, as pinned ones do.",
        "Nothing to compact: the window holds %(n)s messages, and the newest %(recent)s stay, as pinned ones do.",
        kept,
    )
    return words % {"n": kept, "recent": settings.FORGE.COMPACTION_KEEP_RECENT}


def _counts(done: Compacted) -> str:
    return _(
        "Messages that left the window: %(removed)s · that stay in it: %(kept)s · new entries: %(stored)s · in memory "
        "already: %(duplicates)s · messages left out of memory: %(dropped)s"
    ) % {
        "removed": done.removed,
        "kept": done.kept,
        "stored": done.stored,
        "duplicates": done.duplicates,
        "dropped": done.dropped,
    }


def context(progress: Progress, rest: str, step: StepRecord) -> Said:
    nothing(rest)
    return Said("\n\n".join(_weighed(forecast(progress.owner, progress.begun.conversation))))


def _weighed(found: Context) -> list[str]:
    """The whole against the window, where that is known; its three parts; what finds no room."""
    tokens, limit = found.prompt_tokens, found.context_limit
    values = {
        "tokens": number(tokens),
        "limit": number(limit or 0),
        "share": round(100 * tokens / limit) if limit else 0,
    }
    known = _("The next prompt takes about %(tokens)s of %(limit)s tokens (%(share)s %%), without your message.")
    unknown = _("The next prompt would take about %(tokens)s tokens; no model’s window is known here.")
    parts = _("memory %(memory)s · history %(history)s (messages: %(messages)s) · rest %(rest)s") % {
        "memory": number(found.hot_block_tokens),
        "history": number(found.history_tokens),
        "messages": found.history_messages,
        "rest": number(tokens - found.hot_block_tokens - found.history_tokens),
    }
    left = _("Older messages that do not fit: %(count)s. `!compact` moves them into memory.") % {
        "count": found.left_out
    }
    return [(known if limit else unknown) % values, parts, *([left] if found.left_out else [])]
