"""The `!` commands, answered here and never sent to a model: one table, one function a command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat import answer, history
from chat.domain.commands import remember_parts, usage_line
from chat.domain.quoting import as_typed, clip
from chat.domain.route import Command
from chat.given import given_frame, keep_in
from chat.progress import Progress, Said
from chat.saving import save
from forgesite.errors import ForgeError
from memory import undo
from memory.commit_lines import line
from memory.commits import NAMED, commit_of
from memory.forget import forget
from memory.ledger import LINKING
from memory.listing import entry_of, listing
from memory.models import DELIBERATE, KIND_SYNONYMS, LIVE, Commit, Entry, Kind
from memory.recall import Query, Row, recall
from memory.undo import Newest
from traces.models import Run
from traces.recorder import StepRecord
from traces.records import newest

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

    from forgesite.models import Account

LISTED = 100
#: Entries that an undo names.
PUT_BACK = 5
#: Characters of an entry in a list, and of one that was found.
LINE, FOUND = 160, 300


@dataclass(frozen=True)
class Order:
    """`takes` is what follows the name; `about` one line of `!help`."""

    takes: str
    about: _StrOrPromise
    do: Callable[[Progress, str, StepRecord], Said]
    writes: bool = False


def carry_out(progress: Progress, command: Command, step: StepRecord) -> Said:
    """What a command says. Its errors are its answer, and the step is marked failed."""
    order = ORDERS.get(command.name)
    if order is None:
        return Said(
            _("There is no command `!%(name)s`; nothing was sent.") % {"name": command.name[:40]} + f"\n\n{_list()}"
        )
    try:
        return order.do(progress, command.rest, step)
    except ForgeError as error:
        step.fail(error.message)
        return Said(error.message)


def _list() -> str:
    return "\n".join(f"- `{usage_line(name, order.takes)}`: {order.about}" for name, order in ORDERS.items())


def _help(progress: Progress, rest: str, step: StepRecord) -> Said:
    return Said(_("Commands are answered by Forge itself and never sent to a model.") + f"\n\n{_list()}")


def _remember(progress: Progress, rest: str, step: StepRecord) -> Said:
    parts = remember_parts(rest)
    if parts is None:
        return _usage("remember")
    kind = KIND_SYNONYMS.get(parts.kind, parts.kind)
    if kind not in DELIBERATE:
        return _no_kind(parts.kind, DELIBERATE)
    return save(progress, parts.content, step, kind=kind, project=parts.project)


def _recall(progress: Progress, rest: str, step: StepRecord) -> Said:
    if not rest:
        return _usage("recall")
    found = recall(progress.owner, Query(rest, explicit=True))
    keep_in(progress, step, found)
    text = "\n".join(_found(row) for row in found.rows) if found.rows else answer.nothing_found(found)
    if found.rows and found.degraded:
        text = "\n\n".join([text, *found.notices])
    frames = (given_frame(found),)
    return Said(text, frames, "no memory" if found.nothing else "", found.degraded)


def _found(row: Row) -> str:
    return found_line(row, _line(clip(row.entry.text, row.matched_terms, FOUND)))


def found_line(row: Row, text: str) -> str:
    """`#id [kind/project] text (distance=0.234)`, with what replaced it, where it was."""
    entry = row.entry
    near = f"distance={row.distance:.3f}" if row.distance is not None else row.channel
    by = f" -> #{entry.superseded_by_id}" if entry.is_replaced else ""
    return f"#{entry.pk} [{entry.kind}/{entry.project or '-'}]{by} {text} ({near})"


def _line(text: str) -> str:
    return as_typed(" ".join(text.split()))


def _memory(progress: Progress, rest: str, step: StepRecord) -> Said:
    kind = KIND_SYNONYMS.get(rest.casefold(), rest.casefold())
    if kind and kind not in Kind.values:
        return Said(
            _("There is no kind “%(kind)s”. Kinds: %(kinds)s.") % {"kind": rest[:40], "kinds": ", ".join(Kind.values)}
        )
    found = listing(progress.owner, kind=kind, limit=LISTED)
    counts = ", ".join(f"{name} {count}" for name, count in found.by_kind.items())
    head = _("Entries: %(total)s") % {"total": found.total} + (f" ({counts})" if counts else "")
    more = found.total - len(found.entries)
    tail = [_("… and %(count)s older ones.") % {"count": more}] if more > 0 else []
    return Said("\n".join([head, "", *(_listed(entry) for entry in found.entries), *tail]))


def _listed(entry: Entry) -> str:
    by = f" -> #{entry.superseded_by_id}" if entry.superseded_by_id else ""
    return f"#{entry.pk} [{entry.kind}]{by}{_state(entry)} {_line(clip(entry.text, (), LINE))}"


def _state(entry: Entry) -> str:
    if entry.status not in LIVE:
        return f" ({entry.get_status_display()})"
    return f" ({_('stale')})" if entry.stale else ""


def _forget(progress: Progress, rest: str, step: StepRecord) -> Said:
    number = rest.removeprefix("#")
    if not number.isascii() or not number.isdigit():
        return _usage("forget")
    entry = entry_of(progress.owner, int(number))
    gone = forget(progress.owner, [entry.pk], actor="person", cause=f"chat {progress.begun.run_id}")
    left = "\n".join(f"- {what}" for what in gone.left)
    certificate = _("Certificate: %(address)s") % {"address": f"`{gone.certificate.address[:12]}`"}
    parts = [_("Forgotten: #%(id)s.") % {"id": number}, *gone.notes, _("Left:"), left, certificate]
    return Said("\n\n".join(parts), wrote=True, rewrote=True)


def _undo(progress: Progress, rest: str, step: StepRecord) -> Said:
    newest = Newest(commit_of(progress.owner, rest), ()) if rest else undo.newest(progress.owner)
    final = [_("Forgotten for good, and not undone: %(did)s.") % {"did": line(commit)} for commit in newest.final]
    if newest.commit is None:
        return Said("\n\n".join([_("There is nothing to undo."), *final]))
    made = undo.undo(progress.owner, newest.commit.address, actor="person", cause=f"chat {progress.begun.run_id}")
    head = _("Undone: %(did)s.") % {"did": line(newest.commit)}
    again = _("To have it again: %(command)s") % {"command": f"`!undo {made.address[:NAMED]}`"}
    return Said("\n\n".join([head, _now(progress.owner, made), again, *final]), wrote=True, rewrote=True)


def _now(owner: Account, made: Commit) -> str:
    """The entries that a commit stated, as they are."""
    ids = [change["id"] for change in made.changes if change["do"] not in LINKING]
    rows = Entry.objects.of(owner).in_bulk(ids[:PUT_BACK])
    more = [_("… and %(count)s more.") % {"count": len(ids) - PUT_BACK}] if len(ids) > PUT_BACK else []
    return "\n".join([*(f"- {_listed(rows[pk])}" for pk in ids[:PUT_BACK] if pk in rows), *more])


def _trace(progress: Progress, rest: str, step: StepRecord) -> Said:
    if rest and not (rest.isascii() and rest.isdigit()):
        return _usage("trace")
    runs = newest(progress.owner, min(int(rest or 5), LISTED))
    return Said("\n".join(_run(run) for run in runs) or _("No run is recorded yet."))


def _run(run: Run) -> str:
    chain = " → ".join(step.tool for step in run.steps.all()) or "-"
    why = run.not_answered or (run.error or {}).get("code", "")
    line = f"{run.mark} {run.started_at:%Y-%m-%d %H:%M:%S} {run.run_id} {run.total_ms} ms [{chain}] "
    return line + _line(run.user_input_preview) + (f" ({why})" if why else "")


def _clear(progress: Progress, rest: str, step: StepRecord) -> Said:
    begun = progress.begun
    removed = history.clear(progress.owner, begun.conversation, but_run=begun.run_id)
    text = _("Messages removed: %(count)s. Pinned ones stay, and so does memory.") % {"count": removed}
    return Said(text, wrote=True, rewrote=True)


def _no_kind(kind: str, kinds: Sequence[str]) -> Said:
    values = {"kind": as_typed(kind[:40]), "kinds": ", ".join(kinds)}
    return Said(_("There is no kind “%(kind)s”. Kinds: %(kinds)s.") % values)


def _usage(name: str) -> Said:
    return Said(_("Usage: %(usage)s") % {"usage": f"`{usage_line(name, ORDERS[name].takes)}`"})


ORDERS: dict[str, Order] = {
    "help": Order("", gettext_lazy("this list"), _help),
    "remember": Order(
        "<kind> <project|-> <content>", gettext_lazy("save an entry, word for word"), _remember, writes=True
    ),
    "recall": Order("<query>", gettext_lazy("what memory gives for a query, with distances"), _recall),
    "search": Order("<query>", gettext_lazy("the same as !recall"), _recall),
    "memory": Order("[kind]", gettext_lazy("what memory holds, newest first"), _memory),
    "forget": Order("<id>", gettext_lazy("delete an entry for good, from every index"), _forget, writes=True),
    "undo": Order("[commit]", gettext_lazy("take the last change of memory back; not a !forget"), _undo, writes=True),
    "trace": Order("[n]", gettext_lazy("the last runs: ✓ answered, ∅ answered nothing, ✗ failed"), _trace),
    "clear": Order("", gettext_lazy("empty this conversation; pinned messages stay"), _clear, writes=True),
}
WRITING = frozenset(name for name, order in ORDERS.items() if order.writes)
