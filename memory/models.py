"""What is remembered. The words and vector indexes beside these tables live in the two channel modules.

The tables of the ledger are in ledger_models.py, those around a recall in recall_models.py, the words that a column may
hold in kinds.py.
"""

from __future__ import annotations

from typing import Self

from django.db import models
from django.db.models import F, Q
from django.db.models.expressions import RawSQL
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from forgesite.owned import OwnedModel, OwnedQuerySet
from memory.kinds import DELIBERATE, KIND_SYNONYMS, LIVE, REPLACING, How, Kind, LinkType, Origin, Rule, Status
from memory.ledger_models import Commit, CommitEntry, Erasure, TextVersion, Tombstone
from memory.recall_models import Alias, AliasState, Calibration, GoldenEntry, GoldenQuestion, Receipt, ReceiptEntry

__all__ = [
    "DELIBERATE",
    "KIND_SYNONYMS",
    "LIVE",
    "REPLACING",
    "Alias",
    "AliasState",
    "Calibration",
    "Commit",
    "CommitEntry",
    "Entry",
    "Erasure",
    "GoldenEntry",
    "GoldenQuestion",
    "How",
    "Kind",
    "Link",
    "LinkType",
    "Origin",
    "Receipt",
    "ReceiptEntry",
    "Refusal",
    "Rule",
    "Status",
    "TextVersion",
    "Tombstone",
    "Vector",
]


#: As the constraint `memory_entry_key_once` has it, to the letter: of values that are bound, SQLite does not see that
#: they let through only what that index holds.
HOLDS_ITS_KEY = """(
    NOT (memory_entry.key = '') AND NOT (memory_entry.superseded_how = 'replaced')
    AND NOT (memory_entry.status = 'retracted')
)"""


class EntryQuerySet(OwnedQuerySet["Entry"]):
    def standing(self) -> Self:
        """Active or open, not replaced, no stale summary: what a search shows first. A fold hides nothing from it."""
        return self.filter(status__in=LIVE, stale=False).exclude(superseded_how=How.REPLACED)

    def live(self) -> Self:
        """Standing, and not spoken for by a fold either."""
        return self.filter(status__in=LIVE, stale=False, superseded_how="")

    def deliberate(self) -> Self:
        return self.filter(kind__in=DELIBERATE)

    def holding_keys(self) -> Self:
        """Of each key the one row that neither was replaced nor is retracted."""
        return self.filter(RawSQL(HOLDS_ITS_KEY, [], output_field=models.BooleanField()))


class Entry(OwnedModel):
    """One thing remembered. Its words are `text` here and `content` on the wire."""

    address = models.CharField(_("address"), max_length=64, unique=True, editable=False)
    project = models.CharField(_("project"), max_length=256, blank=True, default="")
    #: Names what the entry is about: the same key again is a new version of it. At most 128 bytes.
    key = models.CharField(_("key"), max_length=128, blank=True, default="", editable=False)
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
    #: The words of the text that `event_at` was told from ("yesterday"); empty where a person gave the time.
    event_words = models.CharField(_("in the words"), max_length=200, blank=True, default="", editable=False)
    recorded_at = models.DateTimeField(_("recorded"), default=timezone.now, editable=False)
    updated_at = models.DateTimeField(_("updated"), default=timezone.now, editable=False)
    last_reviewed_at = models.DateTimeField(_("confirmed"), null=True, blank=True, editable=False)
    pinned = models.BooleanField(_("pinned"), default=False)
    version = models.PositiveIntegerField(_("version"), default=1, editable=False)
    #: Both follow from the links (see standing.py), and stand here for the searches.
    superseded_by = models.ForeignKey(
        "self", null=True, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+", editable=False
    )
    superseded_how = models.CharField(max_length=8, choices=How, blank=True, default="", editable=False)
    #: A summary of which a source was changed, replaced, retracted or forgotten.
    stale = models.BooleanField(default=False, editable=False)
    #: What the last commit says of the words and of the vectors (see domain/chain.py), and the salt of both.
    digest = models.CharField(max_length=64, blank=True, default="", editable=False)
    salt = models.CharField(max_length=32, blank=True, default="", editable=False)
    embedded = models.CharField(max_length=128, blank=True, default="", editable=False)

    objects = EntryQuerySet.as_manager()  # type: ignore[misc]

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ("-id",)
        indexes = [
            models.Index(fields=["owner", "status", "kind"], name="memory_entry_state"),
            models.Index(fields=["owner", "sameness"], name="memory_entry_same"),
            models.Index(fields=["owner", "conversation", "said_at", "id"], name="memory_entry_talk"),
            #: All that a search by words looks at in the rows that hold a word (see word_channel.py).
            models.Index(
                fields=["id", "owner", "kind", "status", "superseded_how", "stale", "project"],
                name="memory_entry_holds",
            ),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=Kind.values), name="memory_entry_kind"),
            models.CheckConstraint(
                condition=Q(kind=Kind.TODO, status__in=[Status.OPEN, Status.CLOSED, Status.ARCHIVED, Status.RETRACTED])
                | (~Q(kind=Kind.TODO) & Q(status__in=[Status.ACTIVE, Status.ARCHIVED, Status.RETRACTED])),
                name="memory_entry_status",
            ),
            models.CheckConstraint(condition=~Q(text=""), name="memory_entry_text"),
            models.CheckConstraint(condition=Q(origin__in=Origin.values), name="memory_entry_origin"),
            models.CheckConstraint(condition=Q(version__gte=1), name="memory_entry_version"),
            models.CheckConstraint(
                condition=Q(superseded_by=None, superseded_how="")
                | Q(superseded_by__isnull=False, superseded_how__in=How.values),
                name="memory_entry_superseded",
            ),
            models.CheckConstraint(condition=~Q(superseded_by=F("id")), name="memory_entry_not_by_itself"),
            models.CheckConstraint(condition=Q(stale=False) | Q(kind=Kind.SUMMARY), name="memory_entry_stale"),
            models.CheckConstraint(
                condition=Q(event_words="") | Q(event_at__isnull=False), name="memory_entry_event_words"
            ),
            models.UniqueConstraint(
                fields=["owner", "project", "key"],
                condition=~Q(key="") & ~Q(superseded_how=How.REPLACED) & ~Q(status=Status.RETRACTED),
                name="memory_entry_key_once",
            ),
            models.UniqueConstraint(
                fields=["owner", "source"], condition=~Q(source=""), name="memory_entry_source_once"
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"

    @property
    def is_replaced(self) -> bool:
        return self.superseded_how == How.REPLACED

    @property
    def is_live(self) -> bool:
        """As `live()` of the queryset has it."""
        return self.status in LIVE and not self.superseded_how and not self.stale


class LinkQuerySet(OwnedQuerySet["Link"]):
    def standing(self) -> Self:
        return self.filter(until=None)


class Link(OwnedModel):
    """`entry` supersedes, speaks for, covers, rests on … `other`, between two ticks of the owner's chain.

    No constraint in the database on either: a summary goes on resting on a source that was forgotten, and is stale.
    """

    type = models.CharField(_("relation"), max_length=16, choices=LinkType)
    entry = models.ForeignKey(Entry, on_delete=models.DO_NOTHING, db_constraint=False, related_name="links")
    other = models.ForeignKey(Entry, on_delete=models.DO_NOTHING, db_constraint=False, related_name="linked_by")
    #: Salted digest of the other's text as it was then: a source that was changed makes a summary stale.
    digest = models.CharField(max_length=64, blank=True, default="")
    since = models.PositiveBigIntegerField()
    until = models.PositiveBigIntegerField(null=True)

    objects = LinkQuerySet.as_manager()  # type: ignore[misc]

    class Meta:
        verbose_name = _("link")
        verbose_name_plural = _("links")
        ordering = ("id",)
        constraints = [
            models.CheckConstraint(condition=Q(type__in=LinkType.values), name="memory_link_type"),
            models.CheckConstraint(condition=~Q(entry=F("other")), name="memory_link_not_to_itself"),
            models.CheckConstraint(condition=Q(until=None) | Q(until__gt=F("since")), name="memory_link_times"),
            models.UniqueConstraint(
                fields=["type", "entry", "other"], condition=Q(until=None), name="memory_link_once"
            ),
            models.UniqueConstraint(
                fields=["other"], condition=Q(until=None, type__in=REPLACING), name="memory_link_replaced_once"
            ),
            models.UniqueConstraint(
                fields=["other"], condition=Q(until=None, type=LinkType.SPEAKS_FOR), name="memory_link_folded_once"
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.entry_id} {self.type} #{self.other_id}"


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
