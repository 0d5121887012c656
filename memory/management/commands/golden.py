"""`golden [--replay]`: the golden questions, and which of them find less than before."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from forgesite.accounts import account_named, first_account
from forgesite.command import ForgeCommand
from forgesite.models import Account
from memory import golden
from memory.golden_words import line_of, named, worse_line


class Command(ForgeCommand):
    help = "List the golden questions; with --replay ask them again. Exits with 1 where one finds less than before."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--replay", action="store_true", help="ask them again, and keep what they find")
        parser.add_argument("--top-k", type=int, default=golden.TOP_K, help="rows looked at (default: %(default)d)")
        parser.add_argument("--user", default="", help="whose (default: the first account's)")

    def handle(self, *, replay: bool, top_k: int, user: str, **_options: Any) -> None:
        owner = account_named(user) if user else first_account()
        if owner is None:
            return
        compared = self._replayed(owner, top_k) if replay else golden.Comparison()
        questions = golden.golden_questions(owner)
        for question in questions:
            self.stdout.write(line_of(question))
        if not questions:
            self.stdout.write(_("No question is starred."))
        self._tell(_("Finds more than before: %(question)s"), compared.better)
        if line := worse_line(compared):
            raise CommandError(line)

    def _replayed(self, owner: Account, top_k: int) -> golden.Comparison:
        before = golden.kept(owner)
        return golden.compare(before, golden.replayed(owner, top_k=top_k))

    def _tell(self, line: str, changes: Sequence[golden.Change]) -> None:
        for change in changes:
            self.stdout.write(line % {"question": named(change.text)})
