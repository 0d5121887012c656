"""The chat page and the small acts on a conversation that need no socket."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from chat import drawer, history
from chat.commands.table import ORDERS
from chat.domain.commands import usage_line
from chat.endings import BELOW, ENDINGS, REASONS
from chat.incoming import LIMIT
from chat.models import Conversation
from chat.page import BLANK, Thread, sidebar, thread
from forgesite.models import Account
from memory.given.words import CHANNEL_WORDS
from memory.left_words import REASONS as LEFT_WORDS
from memory.models import Kind, Rule


@login_required
@require_GET
def page(request: HttpRequest, conversation: str = "") -> HttpResponse:
    """The empty page of a new conversation, or a thread. Somebody else's is unknown.

    `message` shows the branch that holds it, as a hit of a search does; the branch in sight stays as it is.
    """
    owner = account_of(request)
    current = conversation_of(owner, conversation) if conversation else None
    before, message = (_number(request.GET.get(name)) for name in ("before", "message"))
    shown = thread(owner, current, before=before, message=message) if current else Thread()
    context: dict[str, Any] = {"current": current, "thread": shown, "sidebar": sidebar(owner), "blank": BLANK}
    context["pinned"] = drawer.count(current) if current else 0
    context["page"] = _page_data(owner, current, shown)
    return render(request, "chat/page.html", context)


@login_required
@require_GET
def conversation_list(request: HttpRequest) -> HttpResponse:
    """The list alone, for the page to swap in: `q` searches, `archived` is the other list, `current` the open one."""
    owner = account_of(request)
    query = request.GET.get("q", "").replace("\x00", "").strip()
    listed = sidebar(owner, query, archived=request.GET.get("archived") == "1")
    context = {"sidebar": listed, "current": {"id": request.GET.get("current", "")}}
    return render(request, "chat/conversations.html", context)


@login_required
@require_POST
def rename(request: HttpRequest, conversation: str) -> HttpResponse:
    owner = account_of(request)
    conversation_of(owner, conversation)
    title = request.POST.get("title", "").replace("\x00", "").strip()[:200]
    if title:
        history.change_conversation(owner, conversation, title=title)
    return redirect("conversation", conversation)


@login_required
@require_POST
def pin(request: HttpRequest, conversation: str) -> HttpResponse:
    """Pins or, pinned already, unpins."""
    owner = account_of(request)
    found = conversation_of(owner, conversation)
    history.change_conversation(owner, conversation, pinned=not found.pinned)
    return redirect("conversation", conversation)


@login_required
@require_POST
def archive(request: HttpRequest, conversation: str) -> HttpResponse:
    """Archives or, archived already, brings back."""
    owner = account_of(request)
    found = conversation_of(owner, conversation)
    history.change_conversation(owner, conversation, archived=not found.archived)
    return redirect("conversation", conversation) if found.archived else redirect("chat")


@login_required
@require_POST
def branch(request: HttpRequest, conversation: str) -> HttpResponse:
    """Brings the branch in sight that holds a message."""
    owner = account_of(request)
    conversation_of(owner, conversation)
    history.show_branch(owner, conversation, _number(request.POST.get("message")) or 0)
    return redirect("conversation", conversation)


@login_required
@require_POST
def delete(request: HttpRequest, conversation: str) -> HttpResponse:
    owner = account_of(request)
    conversation_of(owner, conversation)
    history.delete_conversation(owner, conversation)
    return redirect("chat")


def account_of(request: HttpRequest) -> Account:
    """What `login_required` has made sure of, said to the type checker."""
    assert isinstance(request.user, Account)
    return request.user


def conversation_of(owner: Account, conversation: str) -> Conversation:
    found = Conversation.objects.of(owner).filter(pk=conversation).first()
    if found is None:
        raise Http404(_("There is no such conversation."))
    return found


def _number(value: str | None) -> int | None:
    return int(value) if value and value.isascii() and value.isdigit() and len(value) < 19 else None


def _page_data(owner: Account, current: Conversation | None, shown: Thread) -> dict[str, Any]:
    """What the page's modules need to know, as data: there is no inline script.

    `tip`: the message that the branch shown ends with, for what is sent from this page to follow.
    """
    return {
        "user": owner.username,
        "conversation": current.id if current else "",
        "temporary": bool(current and current.temporary),
        "archived": bool(current and current.archived),
        "server": current.server if current else "",
        "model": current.model if current else "",
        "tip": shown.tip,
        "limit": LIMIT,
        "commands": [
            {"name": f"!{name}", "usage": usage_line(name, order.takes), "help": str(order.about)}
            for name, order in ORDERS.items()
        ],
        "endings": {why: str(ENDINGS[why]) for why in BELOW},
        "reasons": {why: str(words) for why, words in REASONS.items()},
        "left": {rule: str(words) for rule, words in LEFT_WORDS.items()},
        "kinds": {kind: str(name) for kind, name in Kind.choices},
        "channels": {channel: str(name) for channel, name in CHANNEL_WORDS.items()},
        "rules": {rule: str(name) for rule, name in Rule.choices},
        "urls": {
            "new": reverse("chat"),
            "list": reverse("conversation-list"),
            "conversation": reverse("conversation", args=["ID"]),
            "branch": reverse("conversation-branch", args=["ID"]),
            "models": "/models",
            "entry": reverse("admin:memory_entry_change", args=[0]),
            "receipt": reverse("admin:memory_receipt_change", args=["ADDRESS"]),
            "refusal": reverse("admin:memory_refusal_change", args=[0]),
        },
    }
