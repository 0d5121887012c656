"""Verify on the desk: what differs from the chain, and the two ways out, each with a page that asks first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext

from forgesite.errors import ForgeError
from forgesite.models import Account
from memory import adopt, rebuild, verify
from memory.desk.forms import CAUSE, owner_of
from memory.desk.verified import note
from memory.desk.words import undo_tag
from memory.models import CommitEntry, Entry, Link, TextVersion, Vector
from memory.proof.findings import BROKEN
from memory.verify import Finding, Report

#: A chain of receipts that is broken hinders nothing.
COMMITS = "memory_commit"
#: Most findings that a page lists.
LISTED = 200


#: A table, and the id of a row of it.
Row = tuple[str, int | None]
#: Tables whose rows are of an entry, and the column that names it.
OF_ENTRIES: dict[str, tuple[type[Model], str]] = {
    "memory_entry": (Entry, "pk"),
    "memory_link": (Link, "entry"),
    "memory_vector": (Vector, "entry"),
    "memory_textversion": (TextVersion, "entry"),
    "memory_commitentry": (CommitEntry, "entry"),
}


@dataclass(frozen=True)
class Found:
    """A finding, with the entry that it is of where there is one still."""

    finding: Finding
    entry: int | None


@dataclass(frozen=True)
class Verified:
    """`outside`: how many findings are edits that can be adopted. `broken`: the chain is, and nothing can be mended."""

    report: Report
    found: Sequence[Found]
    more: int
    outside: int
    broken: bool


def verify_page(model_admin: Any, request: HttpRequest) -> HttpResponse:
    """The button *Verify*."""
    if request.method != "POST":
        return redirect("admin:memory_commit_changelist")
    _refuse(request)
    shown = _verified(owner_of(request))
    note(owner_of(request), shown.report)
    return _page(model_admin, request, "verify", gettext("Verify"), shown=shown)


def _verified(owner: Account) -> Verified:
    report = verify.verify(owner)
    findings = report.findings[:LISTED]
    entries = _entries(owner, findings)
    return Verified(
        report=report,
        found=[Found(finding, entries.get((finding.table, finding.row))) for finding in findings],
        more=len(report.findings[LISTED:]) + report.more,
        outside=sum(finding.outside for finding in report.findings),
        broken=any(finding.code == BROKEN and finding.table == COMMITS for finding in report.findings),
    )


def _entries(owner: Account, findings: Sequence[Finding]) -> dict[Row, int]:
    """The entry that each row is of, where it has a page still."""
    named: dict[Row, int] = {}
    for table in {finding.table for finding in findings} & OF_ENTRIES.keys():
        rows = [finding.row for finding in findings if finding.table == table and finding.row is not None]
        model, column = OF_ENTRIES[table]
        found = model._default_manager.filter(pk__in=rows).values_list("pk", column)
        named |= {(table, row): entry for row, entry in found}
    there = set(Entry.objects.of(owner).filter(pk__in=named.values()).values_list("pk", flat=True))
    return {row: entry for row, entry in named.items() if entry in there}


def adopt_page(model_admin: Any, request: HttpRequest) -> HttpResponse:
    """*Adopt outside edits*: what the rows say becomes what the chain says, by a commit."""
    _refuse(request)
    owner = owner_of(request)
    if request.method != "POST":
        return _page(model_admin, request, "adopt", gettext("Adopt outside edits?"), shown=_verified(owner))
    try:
        done = adopt.adopt(owner, cause=CAUSE)
    except ForgeError as error:
        messages.error(request, error.message)
    else:
        count = len(done.entries) + len(done.forgotten)
        words = ngettext("%(count)d entry adopted.", "%(count)d entries adopted.", count) % {"count": count}
        messages.success(request, words, extra_tags="" if done.forgotten else undo_tag(done.commit))
        for finding in done.left[:LISTED]:
            messages.warning(request, finding.message)
    return redirect("admin:memory_commit_changelist")


def rebuild_page(model_admin: Any, request: HttpRequest) -> HttpResponse:
    """*Restore from the chain*: the rows become what the chain says. The chain does not move."""
    _refuse(request)
    owner = owner_of(request)
    try:
        if request.method != "POST":
            plan = rebuild.plan(owner)
            return _page(model_admin, request, "rebuild", gettext("Restore from the chain?"), plan=plan)
        rebuild.rebuild(owner)
    except ForgeError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, gettext("Memory is again what the chain says."))
    return redirect("admin:memory_commit_changelist")


def _refuse(request: HttpRequest) -> None:
    if not request.user.has_perm("memory.change_entry"):
        raise PermissionDenied(gettext("You may not change entries."))


def _page(model_admin: Any, request: HttpRequest, name: str, title: str, **more: Any) -> HttpResponse:
    context = model_admin.admin_site.each_context(request) | {"title": title, "opts": model_admin.opts, **more}
    return render(request, f"admin/memory/commit/{name}.html", context)
