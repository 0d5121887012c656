"""What a run did: one Run a turn, its Steps in order. Written once, at the turn's single exit."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from forgesite.owned import OwnedModel


class Run(OwnedModel):
    """`ok` (it did not crash) and `not_answered` (why it gave no answer, or empty) are different questions."""

    run_id = models.CharField(_("run"), max_length=32, unique=True)
    conversation = models.CharField(_("conversation"), max_length=32, blank=True)
    started_at = models.DateTimeField(_("time"))
    user_input_preview = models.CharField(_("asked"), max_length=120, blank=True)
    final_tool = models.CharField(_("ended with"), max_length=40, blank=True)
    ok = models.BooleanField(_("ok"))
    not_answered = models.CharField(_("not answered because"), max_length=100, blank=True)
    #: Why its answer may not enter memory, or empty: a third question. What is no answer may not either.
    not_indexable = models.CharField(_("not indexable because"), max_length=100, blank=True, default="")
    degraded = models.CharField(_("degraded"), max_length=200, blank=True)
    error = models.JSONField(_("error"), null=True)
    total_ms = models.PositiveIntegerField(_("ms"))
    llm = models.JSONField(_("model"), null=True)
    receipt = models.CharField(_("receipt"), max_length=64, blank=True)

    class Meta:
        verbose_name = _("run")
        verbose_name_plural = _("runs")
        ordering = ("-started_at", "-id")
        indexes = [models.Index(fields=["owner", "-started_at"], name="traces_run_newest")]

    def __str__(self) -> str:
        return self.run_id

    @property
    def mark(self) -> str:
        """✓ answered, ∅ ran and answered nothing, ✗ failed."""
        if not self.ok:
            return "✗"
        return "∅" if self.not_answered else "✓"


class Step(models.Model):
    """One tool of a run. `detail` is JSON: for a recall, the entries it gave with channel and distance."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="steps")
    step = models.PositiveSmallIntegerField()
    tool = models.CharField(max_length=40)
    preview = models.CharField(max_length=200, blank=True)
    ok = models.BooleanField(default=True)
    error = models.CharField(max_length=500, blank=True)
    duration_ms = models.PositiveIntegerField()
    detail = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("step")
        verbose_name_plural = _("steps")
        ordering = ("run", "step")
        constraints = [models.UniqueConstraint(fields=["run", "step"], name="traces_step_once")]

    def __str__(self) -> str:
        return f"{self.step} {self.tool}"
