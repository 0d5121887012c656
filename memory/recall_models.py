"""The tables around a recall: what was given, golden questions, other names of subjects, measured cutoffs."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from forgesite.owned import OwnedModel
from memory.domain.chain import Canonical


class Receipt(OwnedModel):
    """Exactly what a run was given of memory, and what was left out and why: a chain of its own for each owner.

    `body` (see domain/receipt.py) holds no word of a question or an entry, only salted digests and ids; `address` is
    its hash. The questions' own words stand beside it, so that they can be erased while the chain stays whole.
    """

    number = models.PositiveBigIntegerField(_("number"))
    address = models.CharField(_("address"), max_length=64, unique=True)
    parent = models.CharField(_("parent"), max_length=64, blank=True)
    at = models.DateTimeField(_("time"))
    run_id = models.CharField(_("run"), max_length=32)
    #: The last commit of the owner's chain when the rows were read; 0 and empty before there is one.
    tick = models.PositiveBigIntegerField(_("tick"))
    head = models.CharField(_("commit"), max_length=64, blank=True)
    body = models.JSONField(_("body"), encoder=Canonical)
    #: Of the digests of the questions. It goes with them: without it no guess can be tried.
    salt = models.CharField(max_length=32, blank=True)
    #: The questions that memory was asked, in order, each with the words that it was narrowed or widened by; erased
    #: with the message that holds them. Empty: erased, or of a temporary conversation.
    questions = models.JSONField(_("questions"), default=list)
    #: Of the hash of what the prompt began with. It goes with any word that is erased, for it may have stood there.
    prefix_salt = models.CharField(max_length=32, blank=True, default="")

    class Meta:
        verbose_name = _("receipt")
        verbose_name_plural = _("receipts")
        ordering = ("-number",)
        indexes = [models.Index(fields=["owner", "run_id"], name="memory_receipt_run")]
        constraints = [models.UniqueConstraint(fields=["owner", "number"], name="memory_receipt_number")]

    def __str__(self) -> str:
        return self.address[:12]


class ReceiptEntry(models.Model):
    """An entry that an answer may lean on, as its receipt says: an index, from entries to answers.

    A recall gave it, it was read by its number, or a recall found it and the hot block held it already. What the block
    held besides is not here: it was given to every question alike. No foreign key to the entry: what was given and then
    forgotten was given all the same.
    """

    receipt = models.ForeignKey(Receipt, on_delete=models.CASCADE, related_name="entries")
    entry = models.PositiveBigIntegerField(db_index=True)

    class Meta:
        verbose_name = _("entry of a receipt")
        verbose_name_plural = _("entries of receipts")
        constraints = [models.UniqueConstraint(fields=["receipt", "entry"], name="memory_receipt_entry_once")]

    def __str__(self) -> str:
        return f"#{self.entry}"


class GoldenQuestion(OwnedModel):
    """A question that must go on finding its right entries, starred by a person."""

    text = models.TextField(_("question"))
    run_id = models.CharField(_("run"), max_length=32, blank=True, default="")
    message = models.BigIntegerField(_("message"), null=True, blank=True, editable=False)
    created_at = models.DateTimeField(_("time"), default=timezone.now, editable=False)
    #: What the last replay found: when, the rank of each right entry, and how many of them were reached.
    last_result = models.JSONField(_("last result"), null=True, editable=False)
    entries = models.ManyToManyField(
        "memory.Entry", through="memory.GoldenEntry", related_name="golden_questions", verbose_name=_("right entries")
    )

    class Meta:
        verbose_name = _("golden question")
        verbose_name_plural = _("golden questions")
        ordering = ("-id",)
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="memory_golden_text")]

    def __str__(self) -> str:
        return f"#{self.pk}"


class GoldenEntry(models.Model):
    """A right entry of a golden question. It goes with either."""

    question = models.ForeignKey(GoldenQuestion, on_delete=models.CASCADE, related_name="right")
    #: No constraint in the database: an entry can be deleted in any SQLite shell.
    entry = models.ForeignKey("memory.Entry", on_delete=models.CASCADE, db_constraint=False, related_name="+")

    class Meta:
        verbose_name = _("right entry")
        verbose_name_plural = _("right entries")
        constraints = [models.UniqueConstraint(fields=["question", "entry"], name="memory_golden_once")]

    def __str__(self) -> str:
        return f"#{self.entry_id}"


class AliasState(models.TextChoices):
    PROPOSED = "proposed", _("proposed")
    ACCEPTED = "accepted", _("accepted")
    REJECTED = "rejected", _("rejected")


class Alias(OwnedModel):
    """Another name for a subject. Once a person accepted it, a question that has one of the two searches the other too.

    `entry`: the correction that it was proposed from; it goes with that.
    """

    name = models.CharField(_("name"), max_length=100)
    other = models.CharField(_("other name"), max_length=100)
    state = models.CharField(_("state"), max_length=8, choices=AliasState, default=AliasState.PROPOSED)
    entry = models.ForeignKey(
        "memory.Entry",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        db_constraint=False,
        related_name="+",
        verbose_name=_("entry"),
    )
    created_at = models.DateTimeField(_("time"), default=timezone.now, editable=False)
    decided_at = models.DateTimeField(_("decided"), null=True, editable=False)

    class Meta:
        verbose_name = _("alias")
        verbose_name_plural = _("aliases")
        ordering = ("-id",)
        constraints = [
            models.CheckConstraint(condition=Q(state__in=AliasState.values), name="memory_alias_state"),
            models.CheckConstraint(condition=~Q(name=""), name="memory_alias_name"),
            models.CheckConstraint(condition=~Q(other=""), name="memory_alias_other"),
            models.CheckConstraint(condition=~Q(name=F("other")), name="memory_alias_two"),
            models.UniqueConstraint(fields=["owner", "name", "other"], name="memory_alias_once"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"


class Calibration(OwnedModel):
    """A cutoff measured on one's own questions. The newest one that is `used` is in force while none is set.

    `cutoff`: `value@wrapper.model`, empty where there was no gap. `asked`: each question with its entry, distance and
    side (`hit` or `miss`).
    """

    cutoff = models.CharField(_("cutoff"), max_length=40, blank=True)
    regime = models.CharField(_("regime"), max_length=16)
    asked = models.JSONField(_("questions"), default=list)
    used = models.BooleanField(_("used"), default=False)
    created_at = models.DateTimeField(_("time"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("calibration")
        verbose_name_plural = _("calibrations")
        ordering = ("-id",)
        constraints = [
            models.CheckConstraint(condition=Q(used=False) | ~Q(cutoff=""), name="memory_calibration_used"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"
