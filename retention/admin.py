"""The review inbox on the desk: what passes proposed, side by side, to accept, reject and take back; one or many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from forgesite.models import Account
from forgesite.owned_admin import ReadOnlyAdmin
from memory.desk.forms import owner_of
from retention import cards, desk_calibration, review
from retention.domain.calibration import LEAST
from retention.models import Action, Pass, Proposal, Status

#: Proposals of a page, and of one act.
AT_ONCE, MOST = 10, 100
TABS = (
    (Status.PROPOSED, _("Waiting")),
    (Status.APPLIED, _("Accepted")),
    (Status.REJECTED, _("Rejected")),
    (Status.DISMISSED, _("Kept")),
)
Decide = Callable[[Account, int], Proposal]


@admin.register(Proposal)
class ProposalAdmin(ReadOnlyAdmin):
    def waiting(self, request: HttpRequest) -> int:
        return self.get_queryset(request).filter(status=Status.PROPOSED).count()

    def may_decide(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perms(["retention.change_proposal", "memory.change_entry"]))

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        status = _status(request.GET)
        return self._shown(request, review.proposals(owner_of(request), status=status), status)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """One by itself, as it is shown among its like."""
        proposal = self.get_object(request, object_id)
        if proposal is None or not self.has_view_permission(request, proposal):
            raise PermissionDenied
        some = review.proposals(owner_of(request), status=proposal.status)
        return self._shown(request, some.filter(pk=proposal.pk), proposal.status)

    def _shown(self, request: HttpRequest, some: QuerySet[Proposal], status: str) -> HttpResponse:
        owner = owner_of(request)
        page = Paginator(some, AT_ONCE).get_page(request.GET.get("p"))
        context = self.admin_site.each_context(request) | {
            "title": capfirst(str(self.opts.verbose_name_plural)),
            "opts": self.opts,
            "tabs": [(name, words, name == status) for name, words in TABS],
            "status": status,
            "page": page,
            "cards": cards.cards(owner, list(page)),
            "may_decide": self.may_decide(request),
            "just": _numbers(request.GET.getlist("just")[:1])[:MOST],
            "last": Pass.objects.of(owner).first() if status == Status.PROPOSED else None,
        }
        return render(request, "admin/retention/proposal/inbox.html", context)

    def calibration(self, request: HttpRequest) -> HttpResponse:
        """How often each judge was right, by one's own decisions, and whether it knew."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        context = self.admin_site.each_context(request) | {
            "title": gettext("Judges by your decisions"),
            "opts": self.opts,
            "judges": desk_calibration.judges(owner_of(request)),
            "least": LEAST,
        }
        return render(request, "admin/retention/proposal/calibration.html", context)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        own = [
            path("calibration/", view(self.calibration), name="retention_proposal_calibration"),
            path("decide/", view(self.decide), name="retention_proposal_decide"),
            path("decide-many/", view(self.decide_many), name="retention_proposal_decide_many"),
        ]
        return [*own, *super().get_urls()]

    def decide(self, request: HttpRequest) -> HttpResponse:
        """The button of a card; or what takes back what was just decided."""
        if request.method != "POST":
            return redirect(_inbox())
        self._refuse(request)
        return self._decided(request, _numbers([request.POST.get("ids", "")]))

    def decide_many(self, request: HttpRequest) -> HttpResponse:
        """Asked first: how many of each, and which golden questions name their entries."""
        if request.method != "POST":
            return redirect(_inbox())
        self._refuse(request)
        ids = _numbers(request.POST.getlist("id"))[:MOST]
        if request.POST.get("sure") or not ids:
            return self._decided(request, ids)
        owner = owner_of(request)
        some = list(review.proposals(owner).filter(pk__in=ids))
        used = review.uses(owner, some)
        context = self.admin_site.each_context(request) | {
            "title": gettext("Decide on several"),
            "opts": self.opts,
            "do": "reject" if request.POST.get("do") == "reject" else "accept",
            "some": some,
            "counts": [(Action(name).label, count) for name, count in Counter(one.action for one in some).items()],
            "golden": sorted({text for each in used.values() for text in each.golden}),
            "answers": sum(each.receipts for each in used.values()),
        }
        return render(request, "admin/retention/proposal/sure.html", context)

    def _refuse(self, request: HttpRequest) -> None:
        if not self.may_decide(request):
            raise PermissionDenied(gettext("You may not decide on proposals."))

    def _decided(self, request: HttpRequest, ids: Sequence[int]) -> HttpResponse:
        do = request.POST.get("do", "")
        settled = review.decide_many(owner_of(request), ids[:MOST], _verb(do, request.POST))
        for why in dict.fromkeys(settled.refused.values()):
            messages.error(request, why)
        if settled.done:
            messages.success(request, _said(do, len(settled.done)))
        elif not settled.refused:
            messages.warning(request, gettext("Nothing was chosen."))
        done = "-".join(str(one.pk) for one in settled.done) if do != "undo" else ""
        status = _status(request.POST)
        return redirect(f"{_inbox()}?status={status}" + (f"&just={done}" if done else ""))


def _verb(do: str, given: QueryDict) -> Decide:
    if do == "undo":
        return review.take_back
    if do == "reject":
        return review.reject
    if do != "accept":
        raise PermissionDenied(gettext("There is no such decision."))
    return partial(
        review.accept,
        resolution=given.get("resolution", ""),
        text=given.get("text", ""),
        kind=given.get("kind", ""),
    )


def _said(do: str, count: int) -> str:
    words = {
        "accept": ngettext("%(count)d proposal accepted.", "%(count)d proposals accepted.", count),
        "reject": ngettext("%(count)d proposal rejected.", "%(count)d proposals rejected.", count),
        "undo": ngettext("%(count)d decision taken back.", "%(count)d decisions taken back.", count),
    }
    return words[do] % {"count": count}


def _status(given: QueryDict) -> str:
    named = given.get("status", "")
    return named if named in Status.values else Status.PROPOSED


def _numbers(named: Sequence[str]) -> list[int]:
    """Ids in what a form or an address names: `12`, or `12-13`. What is none is passed over."""
    parts = (part for each in named for part in each.split("-"))
    return list(dict.fromkeys(int(part) for part in parts if part.isascii() and part.isdigit() and len(part) < 19))


def _inbox() -> str:
    return reverse("admin:retention_proposal_changelist")
