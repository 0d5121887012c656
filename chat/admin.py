"""Conversations and messages on the desk: to read and to delete, nothing to rewrite."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chat import history
from chat.branches import held
from chat.domain.branches import NOTHING
from chat.models import Conversation, Message
from forgesite.owned_admin import OwnedAdmin, ReadOnlyAdmin


@admin.register(Conversation)
class ConversationAdmin(ReadOnlyAdmin):
    list_display = ("named", "messages_held", "pinned", "archived", "created_at", "updated_at")
    list_filter = ("pinned", "archived")
    search_fields = ("title",)
    fields = ("title", "pinned", "archived", "server", "model", "created_at", "updated_at", "source", "reading")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Conversation]:
        rows: QuerySet[Conversation] = super().get_queryset(request)
        return rows.annotate(held=Count("messages"))

    def has_delete_permission(self, request: HttpRequest, obj: Conversation | None = None) -> bool:
        return OwnedAdmin.has_delete_permission(self, request, obj)

    @admin.display(description=_("title"), ordering="title")
    def named(self, conversation: Conversation) -> str:
        return conversation.title or gettext("Conversation")

    @admin.display(description=_("messages"), ordering="held")
    def messages_held(self, conversation: Any) -> str:
        url = reverse("admin:chat_message_changelist")
        return format_html('<a href="{}?conversation__id__exact={}">{}</a>', url, conversation.pk, conversation.held)

    @admin.display(description=_("read"))
    def reading(self, conversation: Conversation) -> str:
        return format_html(
            '<a href="{}">{}</a>', reverse("conversation", args=[conversation.pk]), gettext("in the chat")
        )

    def delete_model(self, request: HttpRequest, obj: Conversation) -> None:
        history.delete_conversation(request.user, obj.pk)  # type: ignore[arg-type]

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Conversation]) -> None:
        for pk in list(queryset.values_list("pk", flat=True)):
            history.delete_conversation(request.user, pk)  # type: ignore[arg-type]

    def deleted_line(self, obj: Conversation) -> str:
        return self.named(obj)


@admin.register(Message)
class MessageAdmin(ReadOnlyAdmin):
    list_display = ("number", "role", "clipped", "state", "answered", "model", "created_at")
    list_filter = ("role", "state", "answered")
    list_select_related = ("conversation",)
    search_fields = ("content",)
    fields = ("content", "role", "state", "answered", "indexable", "model", "follows", "created_at", "run_id", "talk")
    readonly_fields = fields
    ordering = ("-id",)

    @admin.display(description=_("id"), ordering="id")
    def number(self, message: Message) -> str:
        return f"#{message.pk}"

    @admin.display(description=_("content"))
    def clipped(self, message: Message) -> str:
        return Truncator(" ".join(message.content[:600].split())).chars(160)

    @admin.display(description=_("conversation"))
    def talk(self, message: Message) -> str:
        url = reverse("conversation", args=[message.conversation_id])
        title = message.conversation.title or message.conversation_id
        return format_html('<a href="{}?message={}">{}</a>', url, message.pk, title)

    @admin.display(description=_("follows"))
    def follows(self, message: Message) -> str:
        """In words where it names no row, or one that is gone."""
        if message.parent is None:
            return gettext("the message before it")
        if message.parent == NOTHING:
            return gettext("nothing: the conversation begins anew with it")
        if not held(message.conversation).filter(pk=message.parent).exists():
            return f"#{message.parent}"
        url = reverse("admin:chat_message_change", args=[message.parent])
        return format_html('<a href="{}">#{}</a>', url, message.parent)
