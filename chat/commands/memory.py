"""Commands on memory: save, find, list, forget, take back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from chat import answer
from chat.commands import entry_lines
from chat.commands.entry_lines import listed
from chat.commands.order import MisusedError, number
from chat.domain.commands import remember_parts
from chat.domain.quoting import as_typed
from chat.progress import Progress, Said
from chat.prompting.given import given_frame, keep_in
from chat.receipts import cause_of
from chat.saving import save
from memory import undo as undoing
from memory.commit_lines import line
from memory.commits import NAMED, commit_of
from memory.forget import forget as forgotten
from memory.ledger import LINKING
from memory.listing import entry_of, listing
from memory.models import DELIBERATE, KIND_SYNONYMS, Commit, Entry, Kind
from memory.recall import Query
from memory.recall import recall as recalled
from memory.undo import Newest
from traces.recorder import StepRecord

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forgesite.models import Account

#: Entries that a list shows, and that an undo names.
LISTED, PUT_BACK = 100, 5


def remember(progress: Progress, rest: str, step: StepRecord) -> Said:
    parts = remember_parts(rest)
    if parts is None:
        raise MisusedError
    kind = KIND_SYNONYMS.get(parts.kind, parts.kind)
    if kind not in DELIBERATE:
        return _no_kind(parts.kind, DELIBERATE)
    notes = _new_project(progress.owner, parts.project)
    return save(progress, parts.content, step, kind=kind, project=parts.project, notes=notes)


def _new_project(owner: Account, project: str) -> tuple[str, ...]:
    """Whoever leaves the project out finds the first word of the text taken for one."""
    if not project or Entry.objects.of(owner).filter(project=project).exists():
        return ()
    return (_("“%(project)s” is a new project; “-” in its place is none.") % {"project": project},)


def recall(progress: Progress, rest: str, step: StepRecord) -> Said:
    if not rest:
        raise MisusedError
    found = recalled(progress.owner, Query(rest, explicit=True))
    keep_in(progress, step, found)
    text = "\n".join(entry_lines.found(row) for row in found.rows) if found.rows else answer.nothing_found(found)
    if found.rows and found.degraded:
        text = "\n\n".join([text, *found.notices])
    frames = (given_frame(found),)
    return Said(text, frames, "no memory" if found.nothing else "", found.degraded)


def memory(progress: Progress, rest: str, step: StepRecord) -> Said:
    kind = KIND_SYNONYMS.get(rest.casefold(), rest.casefold())
    if kind and kind not in Kind.values:
        return _no_kind(rest, Kind.values)
    found = listing(progress.owner, kind=kind, limit=LISTED)
    counts = ", ".join(f"{name} {count}" for name, count in found.by_kind.items())
    head = _("Entries: %(total)s") % {"total": found.total} + (f" ({counts})" if counts else "")
    more = found.total - len(found.entries)
    tail = [_("… and %(count)s older ones.") % {"count": more}] if more > 0 else []
    return Said("\n".join([head, "", *(listed(entry) for entry in found.entries), *tail]))


def _no_kind(kind: str, kinds: Sequence[str]) -> Said:
    values = {"kind": as_typed(kind[:40]), "kinds": ", ".join(kinds)}
    return Said(_("There is no kind “%(kind)s”. Kinds: %(kinds)s.") % values)


def forget(progress: Progress, rest: str, step: StepRecord) -> Said:
    entry = entry_of(progress.owner, number(rest))
    gone = forgotten(progress.owner, [entry.pk], actor="person", cause=cause_of(progress))
    left = "\n".join(f"- {what}" for what in gone.left)
    certificate = _("Certificate: %(address)s") % {"address": f"`{gone.certificate.address[:12]}`"}
    parts = [_("Forgotten: #%(id)s.") % {"id": entry.pk}, *gone.notes, _("Left:"), left, certificate]
    return Said("\n\n".join(parts), wrote=True, rewrote=True)


def undo(progress: Progress, rest: str, step: StepRecord) -> Said:
    newest = Newest(commit_of(progress.owner, rest), ()) if rest else undoing.newest(progress.owner)
    final = [_("Forgotten for good, and not undone: %(did)s.") % {"did": line(commit)} for commit in newest.final]
    if newest.commit is None:
        return Said("\n\n".join([_("There is nothing to undo."), *final]))
    if final:  # whoever says “undo” now means the forgetting, and not what was done before it
        before = {"did": line(newest.commit), "command": f"`!undo {newest.commit.address[:NAMED]}`"}
        return Said(
            "\n\n".join([*final, _("Nothing was undone. To undo what came before, %(did)s: %(command)s") % before])
        )
    made = undoing.undo(progress.owner, newest.commit.address, actor="person", cause=cause_of(progress))
    head = _("Undone: %(did)s.") % {"did": line(newest.commit)}
    again = _("To have it again: %(command)s") % {"command": f"`!undo {made.address[:NAMED]}`"}
    return Said("\n\n".join([head, _now(progress.owner, made), again]), wrote=True, rewrote=True)


def _now(owner: Account, made: Commit) -> str:
    """The entries that a commit stated, as they are."""
    ids = [change["id"] for change in made.changes if change["do"] not in LINKING]
    rows = Entry.objects.of(owner).in_bulk(ids[:PUT_BACK])
    more = [_("… and %(count)s more.") % {"count": len(ids) - PUT_BACK}] if len(ids) > PUT_BACK else []
    return "\n".join([*(f"- {listed(rows[pk])}" for pk in ids[:PUT_BACK] if pk in rows), *more])
