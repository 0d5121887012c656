"""Commands on todos: write one down, list what is open and due, close one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone
from django.utils.translation import gettext as _

from chat.commands.entry_lines import LINE, one_line
from chat.commands.order import MisusedError, number
from chat.domain.quoting import clip
from chat.progress import Progress, Said
from chat.receipts import cause_of
from chat.saving import save
from memory.listing import entry_of
from memory.models import Entry, Kind
from memory.todos import done as closed
from memory.todos import due, todos, when
from traces.recorder import StepRecord

if TYPE_CHECKING:
    from forgesite.models import Account


def todo(progress: Progress, rest: str, step: StepRecord) -> Said:
    """Text is written down; without any the open ones are listed."""
    return save(progress, rest, step, kind=Kind.TODO) if rest else Said(_open(progress.owner))


def _open(owner: Account) -> str:
    """Those that are due first, the longest due of them first; then the others."""
    overdue, waiting = due(owner, timezone.now()), todos(owner)
    known = {entry.pk for entry in overdue}
    rest = [entry for entry in waiting if entry.pk not in known]
    if not overdue and not rest:
        return _("Nothing is to be done. `!todo` and a text writes something down.")
    head = _("Open: %(open)s · due: %(due)s") % {"open": len(waiting), "due": len(overdue)}
    marked = [_("**due** %(line)s") % {"line": _line(owner, entry)} for entry in overdue]
    lines = [*marked, *(_line(owner, entry) for entry in rest)]
    return "\n".join([head, "", *(f"- {line}" for line in lines), "", _("`!done <id>` closes one.")])


def _line(owner: Account, entry: Entry) -> str:
    """`#312 [todo] text (12 March 2027)`."""
    at = when(owner, entry)
    return f"#{entry.pk} [{entry.kind}] {one_line(clip(entry.text, (), LINE))}" + (f" ({at})" if at else "")


def done(progress: Progress, rest: str, step: StepRecord) -> Said:
    if not rest:
        raise MisusedError
    entry = entry_of(progress.owner, number(rest))
    entry = closed(progress.owner, entry.pk, actor="person", cause=cause_of(progress))
    what = f"#{entry.pk} [{entry.kind}] {one_line(clip(entry.text, (), LINE))}"
    text = _("Done: %(what)s") % {"what": what} + "\n\n" + _("`!undo` takes it back.")
    return Said(text, wrote=True)
