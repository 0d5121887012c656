"""The tables of the ledger: commits, the words that they name by digest, and what erasure leaves."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from forgesite.owned import OwnedModel
from memory.domain.chain import PRESENT, Canonical


class Commit(OwnedModel):
    """One change set of one person's memory, chained by hash. Append-only."""

    tick = models.PositiveBigIntegerField(_("tick"))
    address = models.CharField(_("address"), max_length=64, unique=True)
    parent = models.CharField(_("parent"), max_length=64, blank=True)
    at = models.DateTimeField(_("time"))
    actor = models.CharField(_("actor"), max_length=40)
    cause = models.CharField(_("cause"), max_length=200)
    changes = models.JSONField(_("changes"), encoder=Canonical)
    #: Which form of commit this is (see domain/chain.py).
    form = models.PositiveSmallIntegerField(default=PRESENT)

    class Meta:
        verbose_name = _("commit")
        verbose_name_plural = _("commits")
        ordering = ("-tick",)
        constraints = [models.UniqueConstraint(fields=["owner", "tick"], name="memory_commit_tick")]

    def __str__(self) -> str:
        return self.address[:12]


class CommitEntry(models.Model):
    """Which entry the change at `position` of a commit is of. No foreign key: a forgotten entry keeps its history.

    `states`: the change says how the entry was after it, or that it was forgotten; one of a link touches both its ends.
    """

    commit = models.ForeignKey(Commit, on_delete=models.CASCADE, related_name="touched")
    position = models.PositiveIntegerField()
    entry = models.PositiveBigIntegerField(db_index=True)
    states = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("change")
        verbose_name_plural = _("changes")
        constraints = [
            models.UniqueConstraint(fields=["commit", "position", "entry"], name="memory_commit_position_entry")
        ]

    def __str__(self) -> str:
        return f"#{self.entry}"


class TextVersion(OwnedModel):
    """The words that commits name by a salted digest. Erasure removes the row, and the chain stays whole.

    All versions of an entry share its salt. Of the first form the digest is of `text` alone, which may be a project.
    """

    digest = models.CharField(max_length=64, unique=True)
    salt = models.CharField(max_length=32)
    text = models.TextField()
    project = models.CharField(max_length=256, blank=True, default="")
    key = models.CharField(max_length=128, blank=True, default="")
    event_words = models.CharField(max_length=200, blank=True, default="")
    entry = models.PositiveBigIntegerField(db_index=True)
    form = models.PositiveSmallIntegerField(default=PRESENT)

    class Meta:
        verbose_name = _("text version")
        verbose_name_plural = _("text versions")

    def __str__(self) -> str:
        return self.digest[:12]


class Tombstone(OwnedModel):
    """A forgotten entry, without a word of it: nothing but its owner may write again from where it came from."""

    entry = models.PositiveBigIntegerField()
    address = models.CharField(_("address"), max_length=64)
    message = models.BigIntegerField(null=True)
    source = models.CharField(max_length=200, blank=True, default="")
    commit = models.CharField(max_length=64)
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("tombstone")
        verbose_name_plural = _("tombstones")
        indexes = [
            models.Index(fields=["owner", "message"], name="memory_tombstone_message"),
            models.Index(fields=["owner", "source"], name="memory_tombstone_source"),
        ]
        constraints = [models.UniqueConstraint(fields=["owner", "entry"], name="memory_tombstone_once")]

    def __str__(self) -> str:
        return f"#{self.entry}"


class Erasure(OwnedModel):
    """The certificate of one act of forgetting: what was removed, where was looked for it, and what is left.

    `address` is the SHA-256 of `report` as canonical JSON. No word of what was forgotten stands in it.
    """

    address = models.CharField(_("address"), max_length=64, unique=True)
    commit = models.CharField(_("commit"), max_length=64)
    at = models.DateTimeField(_("time"))
    report = models.JSONField(_("report"), encoder=Canonical)

    class Meta:
        verbose_name = _("certificate")
        verbose_name_plural = _("certificates")
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.address[:12]
