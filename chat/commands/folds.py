"""Commands on folds: what could be folded, fold it, and take a fold back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from chat.commands.entry_lines import one_line
from chat.commands.order import MisusedError, number
from chat.progress import Progress, Said
from chat.receipts import cause_of
from memory.fold import apply
from memory.folds import lines as fold_lines
from memory.folds.plan import planned
from memory.unfold import unwind

if TYPE_CHECKING:
    from forgesite.models import Account
    from traces.recorder import StepRecord

APPLY, FORCE = "apply", "apply force"
#: Subjects of a preview; the rest is counted.
SHOWN = 20


def fold(progress: Progress, rest: str, step: StepRecord) -> Said:
    if not rest:
        return Said(_preview(progress.owner))
    order = " ".join(rest.casefold().split())
    if order not in (APPLY, FORCE):
        raise MisusedError
    done = apply(progress.owner, actor="person", cause=cause_of(progress), guard=order != FORCE)
    how = [_("`!fold apply force` does it all the same.")] if done.losses else []
    said = "\n\n".join([_listed(fold_lines.applied(done)), *how])
    return Said(said, wrote=bool(done.commit), rewrote=bool(done.commit))


def unfold(progress: Progress, rest: str, step: StepRecord) -> Said:
    done = unwind(progress.owner, number(rest), actor="person", cause=cause_of(progress))
    lines = [_("These speak for themselves again: %(entries)s.") % {"entries": fold_lines.named(done.released)}]
    if done.retracted:
        lines.append(_("#%(id)d, which had been written for them, is taken back.") % {"id": done.id})
    return Said("\n\n".join(lines), wrote=True, rewrote=True)


def _preview(owner: Account) -> str:
    found = planned(owner)
    subjects = [fold_lines.lines(each) for each in found.plan.folds]
    if more := subjects[SHOWN:]:
        subjects[SHOWN:] = [[_("… and %(count)s more.") % {"count": len(more)}]]
    how = _("`!fold apply` does it.") if found.plan.accepted else _("Nothing to fold.")
    lines = [line for some in subjects for line in some]
    return "\n\n".join(filter(None, [_listed(lines), *fold_lines.left_alone(found), fold_lines.totals(found), how]))


def _listed(lines: list[str]) -> str:
    """What hangs below a line is indented as it was."""
    return "\n".join(f"{'  ' if line.startswith('  ') else ''}- {one_line(line)}" for line in lines)
