"""The desk's words for what memory holds by codes: states, relations, causes, and what commits did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from memory.domain.causes import Cause
from memory.models import Commit, Entry, How, LinkType, Origin, Status

#: Relations as they read from each end.
OUTWARD: Mapping[str, Any] = {
    LinkType.SUPERSEDES: _("supersedes"),
    LinkType.VERSION_OF: _("is a newer version of"),
    LinkType.SPEAKS_FOR: _("speaks for"),
    LinkType.COVERS: _("covers"),
    LinkType.SOURCE: _("rests on"),
    LinkType.CONFLICTS: _("conflicts with"),
}
INWARD: Mapping[str, Any] = {
    LinkType.SUPERSEDES: _("is superseded by"),
    LinkType.VERSION_OF: _("has the newer version"),
    LinkType.SPEAKS_FOR: _("is spoken for by"),
    LinkType.COVERS: _("is covered by"),
    LinkType.SOURCE: _("is a source of"),
    LinkType.CONFLICTS: _("conflicts with"),
}
STATUS_WORDS: Mapping[str, Any] = {
    Status.ACTIVE: _("live"),
    Status.OPEN: _("open"),
    Status.CLOSED: _("closed"),
    Status.ARCHIVED: _("archived"),
    Status.RETRACTED: _("retracted"),
}
WRITERS: Mapping[str, Any] = {
    Origin.PERSON: _("you wrote it"),
    Origin.MODEL: _("the model wrote it, from what you said"),
    Origin.IMPORT: _("it was imported"),
    Origin.COMPACTION: _("compaction wrote it"),
}
ACTORS: Mapping[str, Any] = {
    "person": _("you"),
    "model": _("the model"),
    "forge": "Forge",
    "import": _("import"),
    "outside": _("outside Forge"),
}
#: What a change of a commit did to an entry.
DID: Mapping[str, Any] = {
    "create": _("written down"),
    "revise": _("changed"),
    "archive": _("archived"),
    "restore": _("restored"),
    "retract": _("retracted"),
    "reaffirm": _("still true"),
    "follow": _("moved along with another"),
    "embed": _("vectors made"),
    "adopt": _("outside edit adopted"),
    "undo": _("put back as it was"),
    "forget": _("forgotten"),
    "baseline": _("stated as a whole"),
}
#: The same, of many at once.
COUNTED: Mapping[str, Any] = {
    "create": ngettext_lazy("%(count)d created", "%(count)d created", "count"),
    "revise": ngettext_lazy("%(count)d changed", "%(count)d changed", "count"),
    "archive": ngettext_lazy("%(count)d archived", "%(count)d archived", "count"),
    "restore": ngettext_lazy("%(count)d restored", "%(count)d restored", "count"),
    "retract": ngettext_lazy("%(count)d retracted", "%(count)d retracted", "count"),
    "reaffirm": ngettext_lazy("%(count)d confirmed", "%(count)d confirmed", "count"),
    "follow": ngettext_lazy("%(count)d moved along", "%(count)d moved along", "count"),
    "embed": ngettext_lazy("%(count)d got vectors", "%(count)d got vectors", "count"),
    "adopt": ngettext_lazy("%(count)d adopted", "%(count)d adopted", "count"),
    "undo": ngettext_lazy("%(count)d put back", "%(count)d put back", "count"),
    "forget": ngettext_lazy("%(count)d forgotten", "%(count)d forgotten", "count"),
    "baseline": ngettext_lazy("%(count)d stated", "%(count)d stated", "count"),
    "relate": ngettext_lazy("%(count)d linked", "%(count)d linked", "count"),
    "unrelate": ngettext_lazy("%(count)d unlinked", "%(count)d unlinked", "count"),
}
FIELDS: Mapping[str, Any] = {
    "text": _("text"),
    "project": _("project"),
    "key": _("key"),
    "event_words": _("in the words"),
    "kind": _("kind"),
    "status": _("status"),
    "pinned": _("pinned"),
    "event_at": _("happens"),
    "said_at": _("said"),
    "spoken_for": _("spoken for"),
    "stale": _("stale summary"),
}


@dataclass(frozen=True)
class Mark:
    """A word on an entry's state, with the entry that it names. `tone`: ok, none or bad, beside the word."""

    words: str
    tone: str = "none"
    entry: int | None = None


def marks(entry: Entry) -> list[Mark]:
    """The state in words, the weightiest first. `live` stands alone."""
    found = [Mark(str(STATUS_WORDS[entry.status]))] if entry.status not in (Status.ACTIVE, Status.OPEN) else []
    if entry.superseded_by_id is not None:
        words = gettext("folded into") if entry.superseded_how == How.FOLD else gettext("replaced by")
        found.append(Mark(words, entry=entry.superseded_by_id))
    if entry.stale:
        found.append(Mark(gettext("stale summary")))
    return found or [Mark(str(STATUS_WORDS[entry.status]), "ok")]


def when(moment: datetime | None) -> str:
    """Date and time in the reader's zone; the date alone where the time is midnight's, as of a day that was named."""
    if moment is None:
        return ""
    local = timezone.localtime(moment)
    return date_format(local, "DATE_FORMAT" if local.time() == time() else "DATETIME_FORMAT")


def relation_words(relation: str, *, outward: bool = True, ended: bool = False) -> str:
    words = str((OUTWARD if outward else INWARD).get(relation, relation))
    return gettext("no longer: %(relation)s") % {"relation": words} if ended else words


def cause_words(cause: Cause) -> tuple[str, str]:
    """Why, in words, and the page of what it names (empty where there is none)."""
    words, place = CAUSES[cause.kind]
    url = place(cause.ref) if place else ""
    return str(words) % {"ref": cause.ref}, url


def undo_tag(commit: Commit | None) -> str:
    """What a message carries so that it offers to undo the commit."""
    return f"undo-{commit.address}" if commit else ""


def redo_tag(commit: Commit) -> str:
    """What a message carries so that it offers to do again what the commit took back."""
    return f"redo-{commit.address}"


def _listed(name: str, field: str) -> Any:
    return lambda ref: f"{reverse(f'admin:{name}_changelist')}?{field}={ref}"


def _commit(address: str) -> str:
    """By the beginning of its address: so much stands in the cause of the commit that undoes it."""
    return reverse("admin:memory_commit_change", args=[address])


CAUSES: Mapping[str, tuple[Any, Any]] = {
    "desk": (_("on the desk"), None),
    "kept": (_("on the desk: they look alike, and each is true"), None),
    "chat": (_("in a conversation"), _listed("traces_run", "run_id")),
    "api": (_("through the API: %(ref)s"), None),
    "import": (_("import of %(ref)s"), None),
    "refusal": (_("saved anyway, after rule %(ref)s"), _listed("memory_refusal", "id")),
    "undo": (_("undo of commit %(ref)s"), _commit),
    "vectors": (_("its vectors came later"), None),
    "baseline": (_("the ledger began to state whole entries"), None),
    "other": ("%(ref)s", None),
}
