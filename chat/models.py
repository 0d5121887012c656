"""Conversations and their messages."""

from __future__ import annotations

import secrets

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from forgesite.owned import OwnedModel


def new_id() -> str:
    """12 hex digits: a conversation's id on the wire."""
    return secrets.token_hex(6)


class Conversation(OwnedModel):
    id = models.CharField(primary_key=True, max_length=32, default=new_id, editable=False)
    title = models.CharField(_("title"), max_length=200, blank=True)
    pinned = models.BooleanField(_("pinned"), default=False)
    archived = models.BooleanField(_("archived"), default=False)
    temporary = models.BooleanField(_("temporary"), default=False)
    #: Who answers here: a name of `LLM_SERVERS`, and a model of that server. Empty: as set.
    server = models.CharField(_("server"), max_length=64, blank=True, default="")
    model = models.CharField(_("model"), max_length=200, blank=True, default="")
    #: The message that the branch in sight ends with; None: the newest.
    tip = models.BigIntegerField(null=True, blank=True, editable=False)
    #: The newest entry that the hot block of its prompts may hold: what is saved later joins at the next compaction.
    #: None: the next prompt begins with what there is.
    hot_upto = models.BigIntegerField(null=True, blank=True, editable=False)
    #: Somebody compacts it since then; see compacting.py.
    compacting_since = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(_("created"), default=timezone.now)
    updated_at = models.DateTimeField(_("updated"), default=timezone.now)
    #: An import's own id (`chatgpt:…`), so that importing again changes nothing.
    source = models.CharField(_("source"), max_length=200, blank=True, default="", editable=False)

    class Meta:
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        ordering = ("-updated_at", "-id")
        indexes = [models.Index(fields=["owner", "-updated_at"], name="chat_conversation_newest")]
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "source"], condition=~Q(source=""), name="chat_conversation_source_once"
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.id


class Role(models.TextChoices):
    USER = "user", _("person")
    ASSISTANT = "assistant", _("assistant")
    SYSTEM = "system", _("system")


class State(models.TextChoices):
    """How an answer ended."""

    COMPLETE = "complete", _("complete")
    CUT = "cut", _("cut short")
    RUNNING = "running", _("running")
    STOPPED = "stopped", _("stopped")
    FAILED = "failed", _("failed")
    INTERRUPTED = "interrupted", _("interrupted")


class Message(OwnedModel):
    """`answered` is false for a reply that gave no answer; `indexable` whether the exchange may enter memory.

    `model` names the language model that wrote it; empty for a person, for the built-in responder and for imports.
    """

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="messages")
    role = models.CharField(_("role"), max_length=16, choices=Role)
    content = models.TextField(_("content"), blank=True)
    state = models.CharField(_("state"), max_length=16, choices=State, default=State.COMPLETE)
    pinned = models.BooleanField(_("pinned"), default=False)
    answered = models.BooleanField(_("answered"), default=True)
    indexable = models.BooleanField(_("indexable"), default=True)
    #: Out of the window: no prompt holds it any more.
    compacted = models.BooleanField(_("compacted"), default=False)
    #: Of a pointer or a summary alone: the message before which it stands. No branch counts it among its messages.
    place = models.BigIntegerField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(_("created"), default=timezone.now)
    model = models.CharField(_("model"), max_length=200, blank=True, default="")
    #: The message that this one follows, where that is not the one before it; 0: it begins the conversation anew.
    parent = models.BigIntegerField(null=True, blank=True, editable=False)
    run_id = models.CharField(_("run"), max_length=32, blank=True, default="")
    #: The page's own id of what it sent: sent twice, it makes one message and one run.
    client_id = models.CharField(max_length=64, blank=True, default="", editable=False)
    #: Its id in the export it was imported from, so that importing again adds only what is new.
    source = models.CharField(max_length=200, blank=True, default="", editable=False)

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        ordering = ("id",)
        indexes = [
            # With the owner, whom every query names: with two indexes to choose from, SQLite read all that they own.
            models.Index(fields=["owner", "conversation", "id"], name="chat_message_of_owner"),
            # Is there any branch? Asked at every reading, and the answer for most conversations is no.
            models.Index(
                fields=["owner", "conversation"], condition=Q(parent__isnull=False), name="chat_message_branched"
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "client_id"], condition=~Q(client_id=""), name="chat_message_client_once"
            ),
            models.UniqueConstraint(
                fields=["conversation", "source"], condition=~Q(source=""), name="chat_message_source_once"
            ),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="chat_message_role"),
            models.CheckConstraint(condition=Q(place=None) | Q(role=Role.SYSTEM), name="chat_message_placed"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"


class Continuation(OwnedModel):
    """A run that went on with an answer which had ended early. The answer's own `run_id` is the newest of them.

    `after`: the run that the answer had before. `client_id`: the page's own id of the ask, as a message has one.
    """

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="continuations")
    run_id = models.CharField(max_length=32)
    after = models.CharField(max_length=32, blank=True, default="")
    client_id = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "client_id"], condition=~Q(client_id=""), name="chat_continuation_client_once"
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.message_id} {self.run_id}"


class Notice(OwnedModel):
    """News for the owner's open pages, from whichever process: `id` is its sequence number. No text of anybody's.

    `conversation` empty: for every page of the owner. `detail`: what the page shows of it, as counts and codes.
    """

    conversation = models.CharField(max_length=32, blank=True, default="")
    what = models.CharField(max_length=40)
    detail = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.pk} {self.what}"
