"""`manage.py recall QUERY`: what memory gives for a query, as `!recall` prints it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.answer import nothing_found
from chat.commands.entry_lines import FOUND, found_line
from chat.domain.quoting import clip
from chat.terminal import account_of
from forgesite.command import ForgeCommand
from forgesite.errors import InvalidError
from memory.policies import POLICIES
from memory.recall import MOST_ROWS, Query, Recalled, Row, recall

WRONG_USAGE = 2


class Command(ForgeCommand):
    help = "Search memory and print what it gives, best first, with distances."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("query")
        parser.add_argument(
            "--policy", choices=POLICIES, default="", help="which channels run (default: RECALL_POLICY)"
        )
        parser.add_argument("--top-k", type=positive, help=f"how many rows, up to {MOST_ROWS} (default: RECALL_TOP_K)")
        parser.add_argument(
            "--bytes",
            type=positive,
            help="bytes of text in all; a row that does not fit is skipped, but no open todo that a policy guarantees",
        )
        parser.add_argument("--all", action="store_true", help="retracted, replaced and stale entries too")
        parser.add_argument("--as-of", default="", help="as memory was: a commit, a date (2026-03-31) or a time")
        parser.add_argument("--user", default="", help="whose memory (default: the first account's)")

    def handle(self, *, query: str, user: str, **options: Any) -> None:
        asked = Query(
            query,
            policy=options["policy"],
            top_k=options["top_k"],
            everything=options["all"],
            explicit=True,
            as_of=options["as_of"],
            most_bytes=options["bytes"] if POLICIES[options["policy"] or settings.FORGE.RECALL_POLICY].packed else None,
        )
        try:
            found = recall(account_of(user), asked)
        except InvalidError as error:
            self.stderr.write(error.message)
            sys.exit(WRONG_USAGE)
        self._print(found, options["bytes"])

    def _print(self, found: Recalled, most: int | None) -> None:
        lines, skipped = fitting(found.rows, most)
        skipped += sum(row.reason in ("items", "bytes") for row in found.left_out)
        for line in lines:
            self.stdout.write(line)
        if not found.rows:
            self.stderr.write(nothing_found(found))
            return
        for notice in found.notices:
            self.stderr.write(notice)
        if skipped:
            words = ngettext("%(count)d row did not fit.", "%(count)d rows did not fit.", skipped)
            self.stderr.write(words % {"count": skipped})


def fitting(rows: Sequence[Row], most: int | None) -> tuple[list[str], int]:
    """The lines of the rows whose text still fits, and how many were skipped. A smaller one after them may fit."""
    lines, left = [], most
    for row in rows:
        text = " ".join(clip(row.entry.text, row.matched_terms, FOUND).split())
        size = len(text.encode("utf-8", "replace"))
        if left is None or size <= left:
            lines.append(found_line(row, text))
            left = None if left is None else left - size
    return lines, len(rows) - len(lines)


def positive(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not int(text):
        raise ArgumentTypeError(_("“%(text)s” is not a number from 1 on.") % {"text": text})
    return int(text)
