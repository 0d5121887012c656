"""What is remembered. The words and vector indexes beside these tables live in the two channel modules."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from forgesite.owned import OwnedModel, OwnedQuerySet


class Kind(models.TextChoices):
    FACT = "fact", _("fact")
    DECISION = "decision", _("decision")
    PREFERENCE = "preference", _("preference")
    TODO = "todo", _("todo")
    BLOCKER = "blocker", _("blocker")
    NOTE = "note", _("note")
    EVENT = "event", _("event")
    PROCEDURE = "procedure", _("procedure")
    PROSPECTIVE = "prospective", _("prospective")
    SUMMARY = "summary", _("summary")
    EXCHANGE = "exchange", _("exchange")


#: Kinds that someone chose to write down.
DELIBERATE = tuple(kind for kind in Kind if kind not in (Kind.EXCHANGE, Kind.SUMMARY))
#: Other names a kind is accepted under.
KIND_SYNONYMS = {"task": Kind.TODO, "episode": Kind.EVENT}


class Status(models.TextChoices):
    ACTIVE = "active", _("active")
    OPEN = "open", _("open")
    CLOSED = "closed", _("closed")
    ARCHIVED = "archived", _("archived")
    RETRACTED = "retracted", _("retracted")


LIVE = (Status.ACTIVE, Status.OPEN)


class Origin(models.TextChoices):
    PERSON = "person", _("person")
    MODEL = "model", _("model")
    IMPORT = "import", _("import")
    COMPACTION = "compaction", _("compaction")


class EntryQuerySet(OwnedQuerySet["Entry"]):
    def live(self) -> Self:
        return self.filter(status__in=LIVE)

    def deliberate(self) -> Self:
        return self.filter(kind__in=DELIBERATE)


class Entry(OwnedModel):
    """One thing remembered. Its words are `text` here and `content` on the wire."""

    address = models.CharField(_("address"), max_length=64, unique=True, editable=False)
    project = models.CharField(_("project"), max_length=256, blank=True, default="")
    kind = models.CharField(_("kind"), max_length=16, choices=Kind, default=Kind.FACT)
    status = models.CharField(_("status"), max_length=16, choices=Status, default=Status.ACTIVE)
    origin = models.CharField(_("origin"), max_length=16, choices=Origin, default=Origin.PERSON, editable=False)
    text = models.TextField(_("text"))
    #: SHA-256 of what makes two texts the same (see domain/sameness.py): the duplicate check is an index look-up.
    sameness = models.CharField(max_length=64, editable=False)
    #: Where it came from: conversation and message of the chat, or an import's own id for the exchange.
    conversation = models.CharField(_("conversation"), max_length=32, blank=True, default="", editable=False)
    message = models.BigIntegerField(_("message"), null=True, blank=True, editable=False)
    source = models.CharField(_("source"), max_length=200, blank=True, default="", editable=False)
    said_at = models.DateTimeField(_("said"), default=timezone.now)
    event_at = models.DateTimeField(_("happens"), null=True, blank=True)
    recorded_at = models.DateTimeField(_("recorded"), auto_now_add=True)
    updated_at = models.DateTimeField(_("updated"), default=timezone.now, editable=False)
    last_reviewed_at = models.DateTimeField(_("confirmed"), null=True, blank=True, editable=False)
    pinned = models.BooleanField(_("pinned"), default=False)
    version = models.PositiveIntegerField(_("version"), default=1, editable=False)

    objects = EntryQuerySet.as_manager()  # type: ignore[misc]

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ("-id",)
        indexes = [
            models.Index(fields=["owner", "status", "kind"], name="memory_entry_state"),
            models.Index(fields=["owner", "sameness"], name="memory_entry_same"),
            models.Index(fields=["owner", "conversation", "said_at", "id"], name="memory_entry_talk"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=Kind.values), name="memory_entry_kind"),
            models.CheckConstraint(
                condition=Q(kind=Kind.TODO, status__in=[Status.OPEN, Status.CLOSED, Status.ARCHIVED, Status.RETRACTED])
                | (~Q(kind=Kind.TODO) & Q(status__in=[Status.ACTIVE, Status.ARCHIVED, Status.RETRACTED])),
                name="memory_entry_status",
            ),
            models.CheckConstraint(condition=~Q(text=""), name="memory_entry_text"),
            models.UniqueConstraint(
                fields=["owner", "source"], condition=~Q(source=""), name="memory_entry_source_once"
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"


class Vector(models.Model):
    """One part of an entry's text as a unit vector, float32 little-endian: the truth that `memory_vec` indexes."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="vectors")
    version = models.PositiveIntegerField()
    part = models.PositiveSmallIntegerField()
    regime = models.CharField(max_length=16)
    dim = models.PositiveIntegerField()
    vector = models.BinaryField()

    class Meta:
        verbose_name = _("vector")
        verbose_name_plural = _("vectors")
        constraints = [
            models.UniqueConstraint(fields=["entry", "version", "part", "regime"], name="memory_vector_once"),
        ]

    def __str__(self) -> str:
        return f"#{self.entry_id} {self.part}"


class Commit(OwnedModel):
    """One change set of one person's memory, chained by hash. Append-only."""

    tick = models.PositiveBigIntegerField(_("tick"))
    address = models.CharField(_("address"), max_length=64, unique=True)
    parent = models.CharField(_("parent"), max_length=64, blank=True)
    at = models.DateTimeField(_("time"))
    actor = models.CharField(_("actor"), max_length=40)
    cause = models.CharField(_("cause"), max_length=200)
    changes = models.JSONField(_("changes"))

    class Meta:
        verbose_name = _("commit")
        verbose_name_plural = _("commits")
        ordering = ("-tick",)
        constraints = [models.UniqueConstraint(fields=["owner", "tick"], name="memory_commit_tick")]

    def __str__(self) -> str:
        return self.address[:12]


class CommitEntry(models.Model):
    """Which entry the change at `position` of a commit is of. No foreign key: a forgotten entry keeps its history."""

    commit = models.ForeignKey(Commit, on_delete=models.CASCADE, related_name="touched")
    position = models.PositiveIntegerField()
    entry = models.PositiveBigIntegerField(db_index=True)

    class Meta:
        verbose_name = _("change")
        verbose_name_plural = _("changes")
        constraints = [models.UniqueConstraint(fields=["commit", "position"], name="memory_commit_position")]

    def __str__(self) -> str:
        return f"#{self.entry}"


class TextVersion(OwnedModel):
    """A text that commits name by its salted digest. Erasure removes the row, and the chain stays whole."""

    digest = models.CharField(max_length=64, unique=True)
    salt = models.CharField(max_length=32)
    text = models.TextField()
    entry = models.PositiveBigIntegerField(db_index=True)

    class Meta:
        verbose_name = _("text version")
        verbose_name_plural = _("text versions")

    def __str__(self) -> str:
        return self.digest[:12]


class Rule(models.TextChoices):
    """The rules that turn a write down."""

    QUESTION = "question", _("a question never writes")
    DEGENERATE = "degenerate", _("one word is no memory")
    UNCLEAR = "unclear", _("nothing to save was said")


class Refusal(OwnedModel):
    """A write that a rule turned down, kept so that a person can save it anyway."""

    rule = models.CharField(_("rule"), max_length=20, choices=Rule)
    text = models.TextField(_("text"))
    kind = models.CharField(_("kind"), max_length=16, choices=Kind, default=Kind.FACT)
    project = models.CharField(_("project"), max_length=256, blank=True, default="")
    conversation = models.CharField(_("conversation"), max_length=32, blank=True, default="")
    message = models.BigIntegerField(_("message"), null=True)
    run_id = models.CharField(_("run"), max_length=32, blank=True, default="")
    created_at = models.DateTimeField(_("time"), auto_now_add=True)
    saved_as = models.ForeignKey(
        Entry, null=True, on_delete=models.SET_NULL, related_name="+", verbose_name=_("saved as")
    )

    class Meta:
        verbose_name = _("refusal")
        verbose_name_plural = _("not saved")
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"#{self.pk}"
