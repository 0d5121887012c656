"""`erase_report`: certificates of what was forgotten, a compact file, and a search for a text that should be gone."""

from __future__ import annotations

import math
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from django.db import OperationalError
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.translation import gettext as _

from forgesite.accounts import account_named
from forgesite.command import ForgeCommand
from forgesite.errors import ConflictError
from forgesite.language import zone_of
from forgesite.models import Account
from memory.erasing import words
from memory.erasing.places import ALLOWED, Search, search_everywhere
from memory.erasing.scrub import compact
from memory.erasure import address_of, certificates
from memory.models import Erasure


class Command(ForgeCommand):
    help = (
        "Print the certificates of what was forgotten, make the database file compact, and look in the data folder for "
        "a text that is given on standard input. Status 1 if it stands anywhere but in backups and messages you typed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", default="", help="whose certificates (default: everybody's)")
        parser.add_argument("--scan", action="store_true", help="read the text from the terminal (end it with Ctrl-D)")

    def handle(self, *, user: str, scan: bool, **_options: Any) -> None:
        owners = [account_named(user)] if user else Account.objects.order_by("pk")
        self._certificates(owners)
        self._compact()
        text = sys.stdin.read().strip() if scan or not sys.stdin.isatty() else ""
        if text and not self._scan(search_everywhere([text], seconds=math.inf)):
            sys.exit(1)

    def _certificates(self, owners: Iterable[Account]) -> None:
        kept = [(owner, certificate) for owner in owners for certificate in certificates(owner)]
        for owner, certificate in kept:
            for line in _told(owner, certificate):
                self.stdout.write(line)
        if not kept:
            self.stdout.write(_("Nothing was forgotten yet."))

    def _compact(self) -> None:
        try:
            compact()
        except OperationalError as error:
            raise ConflictError(
                _("The file was not made compact, since others work with it now (%(why)s). Try again.") % {"why": error}
            ) from error
        self.stdout.write(_("The database file is compact, its index of words made anew, its log empty."))

    def _scan(self, found: Search) -> bool:
        """Is it only where it may be?"""
        size = filesizeformat(found.looked.bytes)
        self.stdout.write(_("Looked through: %(files)d files, %(size)s.") % {"files": found.looked.files, "size": size})
        for path in found.looked.skipped:
            self.stderr.write(_("Not looked at: %(file)s") % {"file": path})
        for place in found.places:
            where = " ".join(filter(None, (place.file, place.table)))
            self.stdout.write(f"{place.count:>6}  {where}: {words.means(place.report())}")
        if not found.places:
            self.stdout.write(_("The text stands nowhere."))
        return not found.looked.skipped and all(place.means in ALLOWED for place in found.places)


def _told(owner: Account, certificate: Erasure) -> list[str]:
    """One certificate in plain lines."""
    report = certificate.report
    at = timezone.localtime(certificate.at, zone_of(owner.time_zone))
    lines = [
        f"{certificate.address}  {at:%Y-%m-%d %H:%M}  {owner.username}  {report['actor']}",
        "  " + _("forgotten: %(ids)s") % {"ids": words.named([entry["id"] for entry in report["entries"]], most=50)},
        "  " + _("removed: %(counts)s") % {"counts": ", ".join(f"{name} {n}" for name, n in words.removed(report))},
        *(f"  {line}" for line in words.followed(report)),
        *(f"  {place['file']}: {place['count']} {words.means(place)}" for place in report["found"]),
        *(f"  {line}" for line in words.sentences(report)),
        "  " + words.looked(report),
    ]
    if address_of(report) != certificate.address:
        lines.append("  " + _("THIS CERTIFICATE WAS CHANGED: its address is not what it says."))
    return lines
