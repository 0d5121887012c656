"""What the forgetting pass proposes, what a person decided, and what a judge may still be asked."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from forgesite.owned import OwnedModel
from memory.kinds import Kind


class Action(models.TextChoices):
    KEEP = "keep", _("keep")
    ARCHIVE = "archive", _("archive")
    SUPERSEDE = "supersede", _("replaced by a newer one")
    CONFLICT = "conflict", _("contradicts another")
    NEW = "new", _("save as new")


class Status(models.TextChoices):
    """`dismissed` is the pass's own: a verdict that it proposes nothing from, kept for calibration."""

    PROPOSED = "proposed", _("proposed")
    APPLIED = "applied", _("accepted")
    REJECTED = "rejected", _("rejected")
    DISMISSED = "dismissed", _("dismissed")


class Form(models.TextChoices):
    """What was judged: one entry by itself, with what is newer beside it, or two that may be about the same."""

    SINGLE = "single", _("one entry")
    PAIR = "pair", _("two entries")


class Resolution(models.TextChoices):
    """How a conflict was settled."""

    NONE = "none", _("reviewed")
    ARCHIVE_OLDER = "archive_older", _("the older one archived")
    SUPERSEDE = "supersede", _("the older one replaced")
    KEEP_BOTH = "keep_both", _("both kept")


class Pass(OwnedModel):
    """One run of the forgetting pass over one account. `ended_at` None: it goes on, or was killed."""

    run_id = models.CharField(_("run"), max_length=32, unique=True)
    judge = models.CharField(_("judge"), max_length=100)
    started_at = models.DateTimeField(_("began"), default=timezone.now)
    ended_at = models.DateTimeField(_("ended"), null=True)
    candidates = models.PositiveIntegerField(_("candidates"), default=0)
    judged = models.PositiveIntegerField(_("judged"), default=0)
    proposed = models.PositiveIntegerField(_("proposed"), default=0)
    dismissed = models.PositiveIntegerField(_("dismissed"), default=0)
    #: Why some of it was not judged: what a judge answered that was none, an opt-in that ended, a budget.
    trouble = models.JSONField(_("trouble"), default=list)

    class Meta:
        verbose_name = _("forgetting pass")
        verbose_name_plural = _("forgetting passes")
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.run_id


class Proposal(OwnedModel):
    """A verdict on one entry, or on two; or the words of a new one. Nothing of it is applied without a person.

    `memory` is the entry that would change: the older one of two. It goes with either. `seen`: what was judged, by
    version and digest, so that a yes after an edit is refused.
    """

    memory = models.ForeignKey(
        "memory.Entry",
        null=True,
        on_delete=models.CASCADE,
        db_constraint=False,  # an entry can be deleted in any SQLite shell
        related_name="+",
        verbose_name=_("entry"),
    )
    related = models.ForeignKey(
        "memory.Entry",
        null=True,
        on_delete=models.CASCADE,
        db_constraint=False,
        related_name="+",
        verbose_name=_("other entry"),
    )
    form = models.CharField(_("judged as"), max_length=8, choices=Form, blank=True, default="")
    action = models.CharField(_("action"), max_length=12, choices=Action)
    probability = models.FloatField(_("probability"))
    probabilities = models.JSONField(_("probabilities"), default=dict)
    model = models.CharField(_("judge"), max_length=100)
    status = models.CharField(_("state"), max_length=12, choices=Status, default=Status.PROPOSED)
    resolution = models.CharField(_("settled by"), max_length=16, choices=Resolution, blank=True, default="")
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    seen = models.JSONField(default=dict)
    #: Of a new entry: its words, kind and project, and the message that says it.
    text = models.TextField(_("text"), blank=True)
    kind = models.CharField(_("kind"), max_length=16, choices=Kind, blank=True)
    project = models.CharField(_("project"), max_length=256, blank=True)
    conversation = models.CharField(_("conversation"), max_length=32, blank=True)
    message = models.BigIntegerField(_("message"), null=True)
    made_by = models.ForeignKey(Pass, null=True, on_delete=models.SET_NULL, related_name="proposals")
    created_at = models.DateTimeField(_("time"), default=timezone.now)
    decided_at = models.DateTimeField(_("decided"), null=True)
    #: The commit that a yes made: undoing it undoes the decision.
    commit = models.CharField(_("commit"), max_length=64, blank=True)

    class Meta:
        verbose_name = _("proposal")
        verbose_name_plural = _("proposals")
        ordering = ("-id",)
        indexes = [models.Index(fields=["owner", "status", "-created_at"], name="retention_proposal_review")]
        constraints = [
            models.CheckConstraint(condition=Q(action__in=Action.values), name="retention_proposal_action"),
            models.CheckConstraint(condition=Q(status__in=Status.values), name="retention_proposal_status"),
            models.CheckConstraint(
                condition=Q(probability__gte=0) & Q(probability__lte=1), name="retention_proposal_probability"
            ),
            models.CheckConstraint(
                condition=Q(action__in=[Action.SUPERSEDE, Action.CONFLICT], related__isnull=False)
                | ~Q(action__in=[Action.SUPERSEDE, Action.CONFLICT]),
                name="retention_proposal_related",
            ),
            models.CheckConstraint(
                condition=(Q(action=Action.NEW, memory=None) & ~Q(text=""))
                | (~Q(action=Action.NEW) & Q(memory__isnull=False, text="")),
                name="retention_proposal_new",
            ),
            models.CheckConstraint(condition=~Q(memory=F("related")), name="retention_proposal_two"),
            models.UniqueConstraint(
                fields=["owner", "memory", "action"],
                condition=Q(status=Status.PROPOSED, memory__isnull=False),
                name="retention_proposal_open_once",
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"


class JudgeCalls(OwnedModel):
    """Calls of a judge that an owner's day has taken: `reserved` are on their way, `spent` were answered."""

    day = models.DateField(_("day"))
    reserved = models.PositiveIntegerField(default=0)
    spent = models.PositiveIntegerField(_("calls"), default=0)
    prompt_tokens = models.PositiveBigIntegerField(default=0)
    completion_tokens = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name = _("judge calls")
        verbose_name_plural = _("judge calls")
        ordering = ("-day",)
        constraints = [models.UniqueConstraint(fields=["owner", "day"], name="retention_judge_calls_day")]

    def __str__(self) -> str:
        return f"{self.day}"


class Measured(OwnedModel):
    """A judge as it was measured: by which it may propose. A judge of another name or form proposes nothing."""

    judge = models.CharField(_("judge"), max_length=100)
    #: By action: the probability from which on it proposes, and what was found there.
    thresholds = models.JSONField(_("thresholds"), default=dict)
    figures = models.JSONField(_("figures"), default=dict)
    created_at = models.DateTimeField(_("time"), default=timezone.now)

    class Meta:
        verbose_name = _("measured judge")
        verbose_name_plural = _("measured judges")
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.judge
