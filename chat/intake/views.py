"""The page of importing: choose files, read what they hold, confirm."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST

from chat.importers.contents import NAMES
from chat.importers.reading import LIMIT
from chat.importing import bring_in, preview, read_or_raise
from chat.intake import uploads
from chat.intake.report import Report
from chat.intake.wording import counted
from chat.views import account_of
from forgesite.errors import ForgeError

#: Conversations listed one by one; a report may have thousands.
LISTED = 200


@login_required
@require_http_methods(["GET", "POST"])
def choose(request: HttpRequest) -> HttpResponse:
    """The form; with files, what an import of them would do. Nothing is written before it is confirmed."""
    if request.method == "GET":
        return _page(request)
    owner = account_of(request)
    token = ""
    try:
        token = uploads.keep(owner, request.FILES.getlist("file"))
        report = read_or_raise(preview(owner, uploads.kept(owner, token)))
    except ForgeError as error:
        uploads.drop(owner, token)
        return _page(request, error=error)
    return _page(request, report=report, token=token)


@login_required
@require_POST
def confirm(request: HttpRequest) -> HttpResponse:
    owner = account_of(request)
    token = request.POST.get("token", "")
    try:
        report = bring_in(owner, uploads.kept(owner, token))
    except ForgeError as error:
        return _page(request, error=error)
    uploads.drop(owner, token)
    return _page(request, report=report)


def _page(
    request: HttpRequest, *, report: Report | None = None, token: str = "", error: ForgeError | None = None
) -> HttpResponse:
    context: dict[str, Any] = {"token": token, "error": error, "limit": LIMIT >> 20, "names": ", ".join(NAMES.values())}
    if report is not None:
        conversations = report.conversations
        context |= {
            "report": report,
            "said": counted(report),
            "conversations": conversations[:LISTED],
            "more": max(len(conversations) - LISTED, 0),
        }
    return render(request, "chat/import.html", context, status=error.status if error else 200)
