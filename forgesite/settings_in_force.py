"""Every setting with its value, its default and where it comes from. What is secret is never told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.checks.registry import registry
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from forgesite import config
from forgesite.config import Config
from forgesite.receivers import HIDDEN, masked_address
from forgesite.settings_docs import shown

CODE = re.compile(r"`([^`]+)`")
#: A setting that a later hand adds and forgets to name a secret is one by its name.
SECRET = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)$")


@dataclass(frozen=True)
class Setting:
    """`origin`: `environment`, the path of a file, or empty for the default. `under`: an older name it is set by.

    `later`: what it will be after a restart, where that differs; None: the same.
    """

    name: str
    value: str
    default: str
    origin: str
    under: str
    description: str
    changed: bool
    secret: bool
    later: str | None

    @property
    def words(self) -> SafeString:
        """The description, with what stands between backticks as code."""
        return mark_safe(CODE.sub(r"<code>\1</code>", escape(self.description)))


@dataclass(frozen=True)
class InForce:
    """`wrong`: why Forge would not start again as things are set now; empty where it would.

    `notices`: what the start says of the settings, in English as it does: names that are none, pairs that do not fit.
    """

    settings: tuple[Setting, ...]
    wrong: str
    notices: tuple[str, ...]

    @property
    def changed(self) -> list[Setting]:
        return [one for one in self.settings if one.changed]

    @property
    def stale(self) -> list[Setting]:
        return [one for one in self.settings if one.later is not None]


def in_force() -> InForce:
    """As this process read them at its start, beside what is set by now."""
    wrong, now = "", None
    try:
        now = config.read()
    except config.SettingsError as error:
        wrong = str(error)
    origins = config.origins()
    found = tuple(_setting(name, now, *origins.get(name, (name, ""))) for name in Config.model_fields)
    return InForce(found, wrong, (*config.notices(), *_misfits()))


def _misfits() -> Iterator[str]:
    """What our own checks say; those of the database ask it, and say nothing here."""
    for check in registry.get_checks():
        if check.__module__ == "forgesite.checks":
            yield from (f"{found.msg} {found.hint or ''}".strip() for found in check(app_configs=None))


def _setting(name: str, now: Config | None, under: str, origin: str) -> Setting:
    field, value = Config.model_fields[name], getattr(settings.FORGE, name)
    secret = is_secret(name)
    later = getattr(now, name) if now else value
    return Setting(
        name=name,
        value=_told(value, secret=secret),
        default=shown(field.default),
        origin=origin,
        under="" if under == name else under,
        description=gettext(str(field.description)),
        changed=value != field.default,
        secret=secret,
        later=None if later == value else _told(later, secret=secret),
    )


def is_secret(name: str) -> bool:
    return name in config.SECRETS or bool(SECRET.search(name))


def _told(value: Any, *, secret: bool) -> str:
    if secret:
        return HIDDEN if value else ""
    return masked_address(shown(value))
