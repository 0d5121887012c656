"""Forms of a person's own account."""

from __future__ import annotations

from typing import ClassVar
from zoneinfo import available_timezones

from django import forms
from django.utils.translation import gettext_lazy as _

from forgesite.models import Account
from forgesite.owned_admin import AnyModelForm

#: Aliases that no one would pick from a list.
ODD_ZONES = ("Etc/", "posix/", "right/", "SystemV/", "localtime", "Factory")


def zones() -> list[tuple[str, str]]:
    known = sorted(name for name in available_timezones() if "/" in name and not name.startswith(ODD_ZONES))
    return [("UTC", "UTC"), *((name, name.replace("_", " ")) for name in known)]


class PreferencesForm(AnyModelForm):
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=zones)

    class Meta:
        model = Account
        fields = ("language", "time_zone")
        labels: ClassVar = {"language": _("Language")}
