"""Who uses Forge: accounts, their API tokens and their one-time sign-in links."""

from __future__ import annotations

import hashlib
import secrets

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _

from forgesite.owned import OwnedModel


class Language(models.TextChoices):
    ENGLISH = "en", "English"
    FRENCH = "fr", "Français"


class Account(AbstractUser):
    """One person. What memory holds belongs to exactly one of them."""

    language = models.CharField(_("language"), max_length=8, choices=Language, default=Language.ENGLISH)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    judge_opt_in = models.BooleanField(
        _("judge opt-in"), default=False, help_text=_("May the forgetting pass send my entries to the judge's server?")
    )

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")


def digest_of(secret: str) -> str:
    """SHA-256 in hex. Secrets are 256 random bits, so a fast hash without salt is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


def new_secret() -> str:
    return secrets.token_urlsafe(32)


class Token(OwnedModel):
    """A bearer token of the API. Only its digest is kept: the token itself is shown once."""

    name = models.CharField(_("name"), max_length=100, blank=True)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    scope = models.CharField(_("scope"), max_length=100, default="all")
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, editable=False)
    revoked_at = models.DateTimeField(_("revoked"), null=True, editable=False)

    class Meta:
        verbose_name = _("token")
        verbose_name_plural = _("tokens")
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"#{self.pk} {self.name}".strip()


class SignInLink(OwnedModel):
    """A link that signs its account in once, within its hour."""

    digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    expires_at = models.DateTimeField(_("expires"))
    used_at = models.DateTimeField(_("used"), null=True)

    class Meta:
        verbose_name = _("sign-in link")
        verbose_name_plural = _("sign-in links")

    def __str__(self) -> str:
        return f"#{self.pk}"
