"""`import FILE|DIR`: conversations of other products into threads and memory."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from chat.importing import bring_in, preview, read_or_raise
from chat.intake.report import BroughtEntries, Counts, FileReport, with_notes
from chat.intake.wording import by_kind, counted, format_name
from forgesite.accounts import account_named, first_account
from forgesite.command import ForgeCommand
from forgesite.errors import UnknownError
from forgesite.models import Account

#: Conversations named for each thing left out, before "and n more".
NAMED = 3


class Command(ForgeCommand):
    help = (
        "Import conversations: an export of ChatGPT or Claude (conversations.json or the .zip), Open WebUI, Grok, "
        "Google AI Studio; what `export` gave; what an earlier Forge kept: memory.json, forge_rag.db, .forge with its "
        "sessions and notes; or a folder of them. Importing again adds only what is new."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="FILE|DIR")
        parser.add_argument("--user", default="", help="whose memory (default: the first account's)")
        parser.add_argument("--dry-run", action="store_true", help="print the report and write nothing")

    def handle(self, *, paths: list[Path], user: str, dry_run: bool, **_options: Any) -> None:
        verb = preview if dry_run else bring_in
        report = read_or_raise(verb(_owner(user), paths, progress=self._progress()))
        for file in report.files:
            self._file(file)
        self.stdout.write(counted(report))

    def _progress(self) -> Callable[[str, int, int], None] | None:
        """A line that overwrites itself, where somebody looks at it."""
        if not sys.stderr.isatty():
            return None

        def tell(name: str, conversations: int, messages: int) -> None:
            line = _("%(name)s: conversations %(conversations)s, messages %(messages)s")
            said = line % {"name": name, "conversations": conversations, "messages": messages}
            self.stderr.write(f"\r{said}\033[K", ending="")

        return tell

    def _entries(self, brought: BroughtEntries) -> None:
        self.stdout.write(_line(_("new entries"), by_kind(brought) or "0"))
        self.stdout.write(_line(_("entries already there"), str(brought.there)))
        if brought.spoken_for:
            self.stdout.write(_line(_("entries that another speaks for"), str(brought.spoken_for)))

    def _file(self, file: FileReport) -> None:
        if file.error:
            self.stderr.write(file.error)
            return
        self.stdout.write(f"{file.name} ({', '.join(map(format_name, file.formats)) or '-'})")
        if file.conversations or not file.entries:
            self.stdout.write(_line(_("new"), _counts(file.new)))
            self.stdout.write(_line(_("already there"), _counts(file.there)))
        for brought in file.entries:
            self._entries(brought)
        for note, count in file.notes.items():
            titles = [brought.title for brought in with_notes(file.conversations, note)]
            self.stdout.write(f"  {note.label}: {count}{_listed(titles)}")
        for skipped in file.skipped:
            if skipped.damaged:
                self.stderr.write(_line(_("skipped"), f"{skipped.name}: {skipped.reason}"))
        empty = [skipped.name for skipped in file.skipped if not skipped.damaged]
        if empty:
            self.stdout.write(_line(_("conversations without a word skipped"), f"{len(empty)}{_listed(empty)}"))


def _line(label: str, said: str) -> str:
    return f"  {label}: {said}"


def _owner(user: str) -> Account:
    found = account_named(user) if user else first_account()
    if found is None:
        raise UnknownError(_("There is no account yet. `up` makes the first; so does `account create NAME`."))
    return found


def _counts(counts: Counts) -> str:
    line = _("conversations %(conversations)s, messages %(messages)s, exchanges %(exchanges)s")
    return str(line % vars(counts))


def _listed(names: list[str]) -> str:
    if not names:
        return ""
    more = f" … +{len(names) - NAMED}" if len(names) > NAMED else ""
    return f" ({'; '.join(names[:NAMED])}{more})"
