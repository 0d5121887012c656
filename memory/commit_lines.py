"""What a commit did, in a line for a terminal or a chat."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from memory.ledger import LINKING
from memory.models import Commit, LinkType

#: By what a change does: what is said of the entries that it did it to.
SAID = {
    "create": gettext_lazy("created %(entries)s"),
    "revise": gettext_lazy("changed %(entries)s"),
    "archive": gettext_lazy("archived %(entries)s"),
    "restore": gettext_lazy("restored %(entries)s"),
    "retract": gettext_lazy("retracted %(entries)s"),
    "reaffirm": gettext_lazy("confirmed %(entries)s"),
    "embed": gettext_lazy("added the vectors of %(entries)s"),
    "adopt": gettext_lazy("recorded an edit from outside of %(entries)s"),
    "undo": gettext_lazy("put back %(entries)s"),
    "forget": gettext_lazy("forgot %(entries)s"),
    "baseline": gettext_lazy("stated %(entries)s as they were"),
}
FOLLOW = "follow"
#: Entries named one by one, and links told.
NAMED, TOLD = 4, 4


def line(commit: Commit) -> str:
    """“created #12, now: #12 supersedes #10”. Never empty."""
    said = [*_acts(commit.changes), *_links(commit.changes)]
    return ", ".join(said) or _("changed nothing of its own")


def _acts(changes: list[dict[str, Any]]) -> Iterator[str]:
    acts = [(change["do"], change["id"]) for change in changes if change["do"] not in (*LINKING, FOLLOW)]
    for do, group in groupby(acts, key=lambda act: act[0]):
        entries = _named([pk for _do, pk in group])
        yield SAID[do] % {"entries": entries} if do in SAID else f"{do} {entries}"


def _named(ids: list[int]) -> str:
    if len(ids) > NAMED:
        said = ngettext("%(count)d entry", "%(count)d entries", len(ids)) % {"count": len(ids)}
        return f"{said} (#{min(ids)}–#{max(ids)})"
    return ", ".join(f"#{pk}" for pk in ids)


def _links(changes: list[dict[str, Any]]) -> list[str]:
    said = [_link(change) for change in changes if change["do"] in LINKING]
    more = len(said) - TOLD
    return said if more <= 0 else [*said[:TOLD], ngettext("%d more link", "%d more links", more) % more]


def _link(change: dict[str, Any]) -> str:
    words = _("now: %(link)s") if change["do"] == "relate" else _("no longer: %(link)s")
    type_ = LinkType(change["type"]).label if change["type"] in LinkType.values else change["type"]
    return words % {"link": f"#{change['id']} {type_} #{change['other']}"}
