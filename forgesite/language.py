"""Every page speaks its account's language and shows its account's time."""

from __future__ import annotations

from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.http import HttpRequest
from django.utils import timezone, translation
from django.utils.deprecation import MiddlewareMixin
from django.utils.formats import number_format


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


def number(value: float, digits: int = 0) -> str:
    """As the reader's language writes it, rounded: Django's format by itself cuts."""
    return str(number_format(round(value, digits), decimal_pos=digits, use_l10n=True, force_grouping=True))


def told_apart(one: float, other: float) -> tuple[str, str]:
    """Both with two digits; with four where they would read the same and are not."""
    digits = 4 if one != other and number(one, 2) == number(other, 2) else 2
    return number(one, digits), number(other, digits)
