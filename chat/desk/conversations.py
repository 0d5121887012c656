"""Conversations on the desk: to find, to read and to delete. Nothing in them is rewritten here."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from chat import history
from chat.desk.filters import ExpiredFilter
from chat.desk.talk_page import entries_of, kept_how, talk_page
from chat.models import Conversation, Message
from forgesite.owned_admin import OwnedAdmin, ReadOnlyAdmin


@admin.register(Conversation)
class ConversationAdmin(ReadOnlyAdmin):
    list_display = ("named", "state", "messages_held", "updated_at")
    list_filter = ("pinned", "archived", "temporary", ExpiredFilter)
    # Named so that Django shows the box; what is found is decided below.
    search_fields = ("title",)
    search_help_text = _("In titles and in messages, as typed.")
    change_form_template = "admin/chat/conversation/change_form.html"

    class Media:
        css: ClassVar = {"all": ["talks.css"]}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Conversation]:
        held = Message.objects.of(request.user).filter(conversation=OuterRef("pk"), place=None)
        counted = held.order_by().values("conversation").annotate(count=Count("pk")).values("count")
        rows: QuerySet[Conversation] = super().get_queryset(request)
        return rows.annotate(held=Coalesce(Subquery(counted), 0))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Conversation], search_term: str
    ) -> tuple[QuerySet[Conversation], bool]:
        """As the chat's own search has it; here also what is archived or temporary."""
        words = search_term.strip()
        if not words:
            return queryset, False
        holding = Message.objects.of(request.user).filter(content__icontains=words, place=None)
        return queryset.filter(Q(title__icontains=words) | Q(pk__in=holding.values("conversation"))), False

    def has_delete_permission(self, request: HttpRequest, obj: Conversation | None = None) -> bool:
        return OwnedAdmin.has_delete_permission(self, request, obj)

    @admin.display(description=_("title"), ordering="title")
    def named(self, conversation: Conversation) -> str:
        return conversation.title or gettext("Conversation")

    @admin.display(description=_("state"))
    def state(self, conversation: Conversation) -> str:
        return ", ".join(kept_how(conversation)) or "–"

    @admin.display(description=_("messages"), ordering="held")
    def messages_held(self, conversation: Any) -> str:
        url = reverse("admin:chat_message_changelist")
        return format_html('<a href="{}?conversation__id__exact={}">{}</a>', url, conversation.pk, conversation.held)

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        talk = kwargs["obj"]
        context |= {"page": talk_page(talk, request.GET), "may_delete": self.has_delete_permission(request, talk)}
        answer = super().render_change_form(request, context, *args, **kwargs)
        context["title"] = self.named(talk)
        return answer

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Tells beforehand what memory keeps."""
        kept = entries_of(request.user, object_id).count()
        return super().delete_view(request, object_id, (extra_context or {}) | {"kept": kept})

    def delete_model(self, request: HttpRequest, obj: Conversation) -> None:
        history.delete_conversation(request.user, obj.pk)  # type: ignore[arg-type]

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Conversation]) -> None:
        for pk in list(queryset.values_list("pk", flat=True)):
            history.delete_conversation(request.user, pk)  # type: ignore[arg-type]

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        named, counts, *rest = super().get_deleted_objects(objs, request)
        gone = Message.objects.of(request.user).filter(conversation__in=[talk.pk for talk in objs], place=None)
        return named, counts | {str(Message._meta.verbose_name_plural): gone.count()}, *rest

    def deleted_line(self, obj: Any) -> str:
        words = ngettext("%(title)s, %(count)d message", "%(title)s, %(count)d messages", obj.held)
        return words % {"title": self.named(obj), "count": obj.held}
