"""Every page speaks its account's language and shows its account's time."""

from __future__ import annotations

from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.http import HttpRequest
from django.utils import timezone, translation
from django.utils.deprecation import MiddlewareMixin


class AccountLanguageMiddleware(MiddlewareMixin):
    """After LocaleMiddleware, whose guess from the browser holds for whoever is not signed in."""

    def process_request(self, request: HttpRequest) -> None:
        timezone.deactivate()
        account = request.user
        if account.is_authenticated:
            translation.activate(account.language)
            request.LANGUAGE_CODE = translation.get_language()
            timezone.activate(zone_of(account.time_zone))


def zone_of(name: str) -> ZoneInfo:
    """UTC where this machine does not know the zone (any more)."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")
