"""Commands on the conversation itself: clear it, compact it, weigh it, begin another one; and on the runs in it."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from chat import history
from chat.commands.entry_lines import one_line
from chat.commands.order import MisusedError, nothing
from chat.progress import Progress, Said
from traces.models import Run
from traces.recorder import StepRecord
from traces.records import newest

LISTED = 100


def clear(progress: Progress, rest: str, step: StepRecord) -> Said:
    begun = progress.begun
    removed = history.clear(progress.owner, begun.conversation, but_run=begun.run_id)
    text = _("Messages removed: %(count)s. Pinned ones stay, and so does memory.") % {"count": removed}
    return Said(text, wrote=True, rewrote=True)


def new(progress: Progress, rest: str, step: StepRecord) -> Said:
    """The page and the terminal go there by themselves; whoever asks by the API is told its id."""
    return _begun(progress, rest, temporary=False)


def temp(progress: Progress, rest: str, step: StepRecord) -> Said:
    """As `new`."""
    return _begun(progress, rest, temporary=True)


def _begun(progress: Progress, rest: str, *, temporary: bool) -> Said:
    nothing(rest)
    talk = history.create_conversation(progress.owner, temporary=temporary)
    values = {"link": f"[`{talk.pk}`]({reverse('conversation', args=[talk.pk])})"}
    begun = _("A new conversation: %(link)s. Send your next message there.")
    kept_out = _("A temporary conversation, of which nothing enters memory: %(link)s. Send your next message there.")
    return Said((kept_out if temporary else begun) % values, wrote=True)


def trace(progress: Progress, rest: str, step: StepRecord) -> Said:
    if rest and not (rest.isascii() and rest.isdigit()):
        raise MisusedError
    runs = newest(progress.owner, min(int(rest or 5), LISTED))
    return Said("\n".join(_run(run) for run in runs) or _("No run is recorded yet."))


def _run(run: Run) -> str:
    chain = " → ".join(step.tool for step in run.steps.all()) or "-"
    why = run.not_answered or (run.error or {}).get("code", "")
    head = f"{run.mark} {run.started_at:%Y-%m-%d %H:%M:%S} {run.run_id} {run.total_ms} ms [{chain}] "
    return head + one_line(run.user_input_preview) + (f" ({why})" if why else "")
