"""Messages on the desk: to search and to read."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.db.models.functions import Left
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chat.branches import held
from chat.desk.talk_page import LISTED, entries_of, tags_of
from chat.domain.branches import NOTHING
from chat.models import Message
from forgesite.owned_admin import ReadOnlyAdmin

#: Characters of a text that the list reads of it.
BEGINNING = 600


@admin.register(Message)
class MessageAdmin(ReadOnlyAdmin):
    list_display = ("number", "role", "clipped", "marks", "model", "created_at")
    list_filter = ("role", "state", "answered", "compacted")
    search_fields = ("content",)
    search_help_text = _("Words of a message, in any order.")
    change_form_template = "admin/chat/message/change_form.html"
    ordering = ("-id",)

    class Media:
        css: ClassVar = {"all": ["talks.css"]}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Message]:
        """Without the texts, of which one may be of 200 kB: fifty of those would be a slow page."""
        rows: QuerySet[Message] = super().get_queryset(request)
        return rows.defer("content").annotate(begins=Left("content", BEGINNING))

    @admin.display(description=_("id"), ordering="id")
    def number(self, message: Message) -> str:
        return f"#{message.pk}"

    @admin.display(description=_("content"))
    def clipped(self, message: Any) -> str:
        return Truncator(" ".join(message.begins.split())).chars(160)

    @admin.display(description=_("state"))
    def marks(self, message: Message) -> str:
        return ", ".join(tags_of(message)) or "–"

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        message = kwargs["obj"]
        context |= {
            "tags": tags_of(message),
            "talk": _talk(message),
            "follows": _follows(message),
            "run": _run(message),
            "entries": _entries(message),
        }
        return super().render_change_form(request, context, *args, **kwargs)


def _talk(message: Message) -> str:
    """On the desk at this message, and in the chat."""
    here = reverse("admin:chat_conversation_change", args=[message.conversation_id])
    there = reverse("conversation", args=[message.conversation_id])
    title = message.conversation.title or message.conversation_id
    return format_html(
        '<a href="{}?message={}#m{}">{}</a> · <a href="{}?message={}">{}</a>',
        *(here, message.pk, message.pk, title, there, message.pk, gettext("in the chat")),
    )


def _follows(message: Message) -> str:
    """In words where it names no row, or one that is gone."""
    if message.parent is None:
        return gettext("the message before it")
    if message.parent == NOTHING:
        return gettext("nothing: the conversation begins anew with it")
    if not held(message.conversation).filter(pk=message.parent).exists():
        return f"#{message.parent}"
    url = reverse("admin:chat_message_change", args=[message.parent])
    return format_html('<a href="{}">#{}</a>', url, message.parent)


def _run(message: Message) -> str:
    if not message.run_id:
        return "–"
    url = reverse("admin:traces_run_changelist")
    return format_html('<a class="mono" href="{}?run_id={}">{}</a>', url, message.run_id, message.run_id)


def _entries(message: Message) -> str:
    made = entries_of(message.owner, message.conversation_id).filter(message=message.pk).order_by("id")
    rows = [(reverse("admin:memory_entry_change", args=[pk]), pk) for pk in made.values_list("pk", flat=True)[:LISTED]]
    return format_html_join(", ", '<a href="{}">#{}</a>', rows) or "–"
