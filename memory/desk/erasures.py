"""Certificates of forgetting on the desk: what was removed, where it was looked for, and what is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from forgesite.owned_admin import ReadOnlyAdmin
from memory.desk.words import when
from memory.domain.chain import canonical
from memory.erasing import words as erasure_words
from memory.erasure import address_of
from memory.models import Erasure


@dataclass(frozen=True)
class Certificate:
    """`intact`: the address is what its content makes it. `found`: where the words stand still, and what that means."""

    erasure: Erasure
    ids: Sequence[int]
    removed: Sequence[tuple[str, int]]
    followed: Sequence[str]
    left: Sequence[str]
    found: Sequence[tuple[str, str]]
    scanned: str
    skipped: int
    intact: bool
    json: str


@admin.register(Erasure)
class ErasureAdmin(ReadOnlyAdmin):
    list_display = ("number", "time", "entries", "removed")
    list_display_links = ("number",)
    change_form_template = "admin/memory/erasure/change_form.html"

    @admin.display(description=_("id"), ordering="id")
    def number(self, erasure: Erasure) -> str:
        return f"#{erasure.pk}"

    @admin.display(description=_("time"), ordering="id")
    def time(self, erasure: Erasure) -> str:
        return when(erasure.at)

    @admin.display(description=_("entries"))
    def entries(self, erasure: Erasure) -> str:
        return erasure_words.named([entry["id"] for entry in erasure.report["entries"]])

    @admin.display(description=_("removed"))
    def removed(self, erasure: Erasure) -> str:
        return ", ".join(f"{words} {count}" for words, count in erasure_words.removed(erasure.report))

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        context |= {"page": certificate(kwargs["obj"])}
        answer = super().render_change_form(request, context, *args, **kwargs)
        context["title"] = gettext("Certificate #%(id)d") % {"id": kwargs["obj"].pk}
        return answer


def certificate(erasure: Erasure) -> Certificate:
    report = erasure.report
    return Certificate(
        erasure=erasure,
        ids=[entry["id"] for entry in report["entries"]],
        removed=erasure_words.removed(report),
        followed=erasure_words.followed(report),
        left=erasure_words.sentences(report),
        found=[(place["file"], erasure_words.means(place)) for place in report["found"]],
        scanned=_scanned(report["scanned"]),
        skipped=(report["scanned"] or {}).get("skipped_count", 0),
        intact=address_of(report) == erasure.address,
        json=canonical(report),
    )


def _scanned(scanned: dict[str, Any] | None) -> str:
    """Where was looked for the words afterwards; empty where that was not finished."""
    if scanned is None:
        return ""
    words = ngettext("%(files)d file looked through", "%(files)d files looked through", scanned["files"])
    return words % {"files": scanned["files"]}
