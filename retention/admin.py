"""The review inbox on the desk: what passes proposed, side by side, to accept, reject and take back; one or many."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Page, Paginator
from django.db.models import Count, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.http import urlencode
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from forgesite.errors import ForgeError
from forgesite.models import Account
from forgesite.owned_admin import ReadOnlyAdmin
from memory.desk.forms import owner_of
from memory.desk.words import undo_tag
from memory.histories import newest
from memory.kinds import DELIBERATE, Kind
from memory.models import Alias, AliasState
from retention import cards, desk_calibration, inbox_panels, review
from retention.domain.calibration import LEAST
from retention.models import Action, Pass, Proposal, Status
from retention.uses import uses

#: Proposals of a page, and of one act.
AT_ONCE, MOST = 10, 100
TABS = (
    (Status.PROPOSED, _("Waiting")),
    (Status.APPLIED, _("Accepted")),
    (Status.REJECTED, _("Rejected")),
    (Status.DISMISSED, _("Kept")),
)
#: What a new entry may be saved as: a procedure would need a source.
KINDS = [(kind.value, kind.label) for kind in DELIBERATE if kind != Kind.PROCEDURE]
#: An entry and its version, in what a card sends back.
SEEN = re.compile(r"([0-9]{1,18}):([0-9]{1,9})")
Decide = Callable[[Account, int], Proposal]


@admin.register(Proposal)
class ProposalAdmin(ReadOnlyAdmin):
    def counted(self, request: HttpRequest) -> QuerySet[Any]:
        return self.get_queryset(request).filter(status=Status.PROPOSED)

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
        proposal = self._own(request, object_id)
        some = review.proposals(owner_of(request), status=proposal.status)
        return self._shown(request, some.filter(pk=proposal.pk), proposal.status, alone=True)

    def _shown(
        self, request: HttpRequest, some: QuerySet[Proposal], status: str, *, alone: bool = False
    ) -> HttpResponse:
        owner = owner_of(request)
        counts = dict(Proposal.objects.of(owner).values_list("status").annotate(Count("id")).order_by())
        page = _paged(some, 1 if alone else counts.get(status, 0), request.GET.get("p", ""))
        shown = cards.cards(owner, list(page))
        waits = status == Status.PROPOSED
        context = self.admin_site.each_context(request) | {
            "title": capfirst(str(self.opts.verbose_name_plural)),
            "opts": self.opts,
            "tabs": [(name, words, name == status, counts.get(name, 0)) for name, words in TABS],
            "status": status,
            "page": page,
            "cards": shown,
            "may_decide": self.may_decide(request),
            "just": _numbers(request.GET.getlist("just")[:1])[:MOST],
            "focus": _focused(request.GET, shown),
            "kinds": KINDS,
            "last": Pass.objects.of(owner).first() if waits else None,
            "aliases": Alias.objects.of(owner).filter(state=AliasState.PROPOSED).count() if waits else 0,
        }
        return render(request, "admin/retention/proposal/inbox.html", context)

    def effects(self, request: HttpRequest, pk: int) -> HttpResponse:
        """What a yes to it would change in answers: the questions are asked again, so it is read when it is opened."""
        self._own(request, str(pk))
        return inbox_panels.effects_page(self, request, [review.proposal_of(owner_of(request), pk)])

    def effects_of_many(self, request: HttpRequest) -> HttpResponse:
        """The same of a yes to several at once: `?id=`, each."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        some = review.proposals(owner_of(request)).filter(pk__in=_numbers(request.GET.getlist("id"))[:MOST])
        return inbox_panels.effects_page(self, request, list(some))

    def _own(self, request: HttpRequest, named: str) -> Proposal:
        """Raises PermissionDenied, and Http404 where there is none, or it is another's."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        proposal = self.get_object(request, named)
        if not isinstance(proposal, Proposal):
            raise Http404(gettext("No proposal #%(id)s.") % {"id": named[:20]})
        return proposal

    def alike(self, request: HttpRequest) -> HttpResponse:
        """Pairs that look alike and that no fold takes for the same: the plan of folds is made for it."""
        if not self.has_view_permission(request) or not request.user.has_perm("memory.view_entry"):
            raise PermissionDenied
        return inbox_panels.alike_page(self, request)

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
            path("edit/", view(self.edit), name="retention_proposal_edit"),
            path("alike/", view(require_safe(self.alike)), name="retention_proposal_alike"),
            path("effects/", view(require_safe(self.effects_of_many)), name="retention_proposal_effects_of_many"),
            path("<int:pk>/effects/", view(require_safe(self.effects)), name="retention_proposal_effects"),
        ]
        return [*own, *super().get_urls()]

    def decide(self, request: HttpRequest) -> HttpResponse:
        """The button of a card; or what takes back what was just decided."""
        if request.method != "POST":
            return redirect(_inbox())
        self._refuse(request)
        return self._decided(request, _numbers([request.POST.get("ids", "")]))

    def edit(self, request: HttpRequest) -> HttpResponse:
        """Other words for an entry of a card, and back to the card."""
        if request.method != "POST":
            return redirect(_inbox())
        self._refuse(request)
        owner, given = owner_of(request), request.POST
        pk, entry, version = (next(iter(_numbers([given.get(name, "")])), 0) for name in ("ids", "entry", "version"))
        try:
            done = review.edited(owner, pk, entry, text=given.get("text", ""), version=version)
        except ForgeError as error:
            messages.error(request, error.message)
            return redirect(_back(given, near=pk))
        words = gettext("#%(id)d is changed. The card shows how it reads now.") % {"id": done.pk}
        messages.success(request, words, extra_tags=undo_tag(newest(owner, done.pk)))
        return redirect(_back(given, near=pk))

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
        used = uses(owner, some)
        used = {one.memory_id: used[one.memory_id] for one in some if one.memory_id}
        context = self.admin_site.each_context(request) | {
            "title": gettext("Decide on several"),
            "opts": self.opts,
            "do": "reject" if request.POST.get("do") == "reject" else "accept",
            "some": some,
            "counts": [(Action(name).label, count) for name, count in Counter(one.action for one in some).items()],
            "golden": sorted({text for each in used.values() for text in each.golden}),
            "answers": sum(each.receipts for each in used.values()),
            "effects": f"{reverse('admin:retention_proposal_effects_of_many')}?{urlencode({'id': ids}, doseq=True)}",
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
        if do == "undo":
            return redirect(_back(request.POST, near=next(iter(ids), 0)))
        just = "-".join(str(one.pk) for one in settled.done)
        return redirect(_back(request.POST, **{"just": just} if just else {}))


def _verb(do: str, given: QueryDict) -> Decide:
    resolution = given.get("resolution", "")
    if do == "undo":
        return review.take_back
    if do == "reject":
        return partial(review.reject, resolution=resolution)
    if do != "accept":
        raise PermissionDenied(gettext("There is no such decision."))
    text, kind = given.get("text", ""), given.get("kind", "")
    return partial(review.accept, resolution=resolution, text=text, kind=kind, seen=_seen(given.get("seen", "")))


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


def _seen(named: str) -> dict[int, int] | None:
    """The versions that a card showed: `12:1-13:4`."""
    return {int(pk): int(version) for pk, version in SEEN.findall(named)} or None


def _focused(given: QueryDict, shown: Sequence[cards.Card]) -> int:
    """The card that has the keyboard: the one named, or what stands now where a decided one stood."""
    near, at = (next(iter(_numbers(given.getlist(name)[:1])), None) for name in ("near", "at"))
    if near is not None:
        return near
    return shown[min(at, len(shown) - 1)].proposal.pk if at is not None and shown else 0


def _back(given: QueryDict, **more: str | int) -> str:
    """To the same page of the inbox. `near`: the card to stand at; without, what stands in the decided one's place."""
    told = {name: _numbers([given.get(name, "")])[:1] for name in ("p", "at")}
    places = {name: found[0] for name, found in told.items() if found}
    return f"{_inbox()}?{urlencode({'status': _status(given), **places, **more})}"


def _paged(some: QuerySet[Proposal], count: int, number: str) -> Page[Proposal]:
    """The tabs know how many there are."""
    paginator = Paginator(some, AT_ONCE)
    paginator.count = count
    return paginator.get_page(number)


def _inbox() -> str:
    return reverse("admin:retention_proposal_changelist")
