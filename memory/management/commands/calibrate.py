"""`calibrate [--hit Q… --expect ID… --miss Q…]`: measure a cutoff on one's own questions, and put it in force."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from forgesite import accounts
from forgesite.command import ForgeCommand
from forgesite.models import Account
from memory import calibrate
from memory.calibrate import Proposed
from memory.domain.calibration import LEAST, Question
from memory.models import Calibration, Entry
from memory.regime.words import lines

IDS = re.compile(r"#?\d{1,18}(,#?\d{1,18})*")


class Command(ForgeCommand):
    help = (
        "Measure where a cutoff fits, on at least three questions that memory answers and three that it cannot. "
        "Without questions it proposes some of your own history."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        many: dict[str, Any] = {"nargs": "+", "action": "extend", "default": []}
        parser.add_argument("--hit", metavar="Q", help="has an answer in memory", **many)
        parser.add_argument("--expect", metavar="ID", help="of each hit its entry: 12, or 12,40", **many)
        parser.add_argument("--miss", metavar="Q", help="has none", **many)
        parser.add_argument("--dry-run", action="store_true", help="show the gap, and keep nothing")
        parser.add_argument("--list", action="store_true", help="show the calibrations there are")
        parser.add_argument("--use", metavar="ID", help="put a calibration in force again, or `none` of them")
        parser.add_argument("--user", default="", help="whose memory (default: the first account's)")

    def handle(self, *, user: str, use: str | None, dry_run: bool, **options: Any) -> None:
        owner = accounts.account_named(user) if user else accounts.first_account()
        if owner is None:
            raise CommandError(_("There is no account yet: start Forge once."))
        if options["list"]:
            self._list(owner)
        elif use is not None:
            self._use(owner, use)
        else:
            self._calibrate(owner, dry_run, options)

    def _calibrate(self, owner: Account, dry_run: bool, options: dict[str, Any]) -> None:
        if options["hit"] or options["miss"]:
            questions = [*_hits(options["hit"], options["expect"]), *map(Question, options["miss"])]
        elif sys.stdin.isatty():
            questions = list(self._chosen(owner))
        else:
            self._propose(owner)
            return
        found = calibrate.measure(owner, questions)
        for line in lines(found):
            self.stdout.write(line)
        if not dry_run:
            self._kept(calibrate.keep(owner, found))

    def _kept(self, made: Calibration) -> None:
        if not made.cutoff:
            self.stdout.write(_("Kept as calibration #%(id)d; the cutoff in force stays.") % {"id": made.pk})
            return
        words = _("Calibration #%(id)d is in force: %(cutoff)s. Back: calibrate --use none.")
        self.stdout.write(words % {"id": made.pk, "cutoff": made.cutoff})
        if settings.FORGE.RECALL_MAX_DISTANCE:
            words = _("RECALL_MAX_DISTANCE=%(set)s is set and comes first: empty it to use the calibration.")
            self.stderr.write(words % {"set": settings.FORGE.RECALL_MAX_DISTANCE})

    def _use(self, owner: Account, named: str) -> None:
        if not re.fullmatch(r"none|\d{1,18}", named):
            raise CommandError(_("--use takes the number of a calibration, or `none`."), returncode=2)
        chosen = calibrate.use(owner, None if named == "none" else int(named))
        if chosen:
            words = _("Calibration #%(id)d is in force: %(cutoff)s.")
            self.stdout.write(words % {"id": chosen.pk, "cutoff": chosen.cutoff})
        else:
            self.stdout.write(_("No calibration is in force."))

    def _list(self, owner: Account) -> None:
        for each in Calibration.objects.of(owner):
            mark = "*" if each.used else " "
            self.stdout.write(f"{mark} #{each.pk}  {each.created_at:%Y-%m-%d}  {each.cutoff or _('no gap')}")

    def _propose(self, owner: Account) -> None:
        hits, misses = calibrate.proposed(owner)
        self.stdout.write(_("Questions of your history that were given entries:"))
        for each in hits:
            self.stdout.write(f"  {each.text}  {' '.join(f'#{entry.pk}' for entry in each.entries)}")
        self.stdout.write(_("Questions that found nothing:"))
        for each in misses:
            self.stdout.write(f"  {each.text}")
        words = _("Name at least %(least)d of each: calibrate --hit Q… --expect ID… --miss Q…")
        self.stdout.write(words % {"least": LEAST})

    def _chosen(self, owner: Account) -> Iterator[Question]:
        """Asked one by one: which entry answers it, and whether memory truly holds nothing."""
        hits, misses = calibrate.proposed(owner)
        for each in hits:
            if entry := self._right(each):
                yield Question(each.text, (entry.pk,))
        for each in misses:
            if input(_("“%(question)s”: does memory hold nothing on it? [y/N] ") % {"question": each.text}) in YES:
                yield Question(each.text)

    def _right(self, each: Proposed) -> Entry | None:
        self.stdout.write(f"“{each.text}”")
        for place, entry in enumerate(each.entries, start=1):
            self.stdout.write(f"  {place}. #{entry.pk} {entry.text[:100]}")
        given = input(_("Which of them answers it? [number, or Enter for none] ")).strip()
        return each.entries[int(given) - 1] if given.isdigit() and 0 < int(given) <= len(each.entries) else None


#: In the languages that Forge speaks.
YES = frozenset({"y", "Y", "yes", "o", "O", "oui"})


def _hits(texts: Sequence[str], expected: Sequence[str]) -> list[Question]:
    if len(texts) != len(expected):
        counts = {"hits": len(texts), "expected": len(expected)}
        words = _("%(hits)d questions after --hit, %(expected)d entries after --expect: name the entry of each.")
        raise CommandError(words % counts, returncode=2)
    return [Question(text, _ids(given)) for text, given in zip(texts, expected, strict=True)]


def _ids(given: str) -> tuple[int, ...]:
    if not IDS.fullmatch(given):
        raise CommandError(_("--expect %(given)s is no entry: give its number.") % {"given": given}, returncode=2)
    return tuple(int(each.removeprefix("#")) for each in given.split(","))
