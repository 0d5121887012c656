"""`resplit [--apply] [--backup FILE] [--user NAME]`: entries that hold whole transcripts, cut into exchanges."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from chat.embedding_ahead import ahead
from chat.resplit import Block, Fate, plan, resplit
from forgesite.accounts import account_named
from forgesite.backup import back_up_to
from forgesite.command import ForgeCommand
from forgesite.models import Account
from memory.errors import EmbeddingError
from memory.models import Entry, Kind


class Command(ForgeCommand):
    help = "Cut entries that hold a whole transcript into exchanges. Without --apply: say what would be."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--apply", action="store_true", help="do it")
        parser.add_argument("--backup", type=Path, metavar="FILE", help="with --apply: copy the database there first")
        parser.add_argument("--user", default="", help="whose memory (default: everybody's)")

    def handle(self, *, apply: bool, backup: Path | None, user: str, **_options: Any) -> None:
        owners = [account_named(user)] if user else list(Account.objects.order_by("pk"))
        if backup:
            self._back_up(backup, apply=apply)
        before = sum(map(exchanges, owners))
        done: list[Block] = []
        try:
            for owner in owners:
                for block in resplit(owner, ahead()) if apply else plan(owner):
                    done.append(block)
                    self._tell(block)
        except EmbeddingError:
            self.stdout.write(" ".join([_("Stopped."), totals(done, before, apply=apply)]))
            raise
        self.stdout.write(totals(done, before, apply=apply))

    def _back_up(self, file: Path, *, apply: bool) -> None:
        if not apply:
            self.stdout.write(_("No backup is made: without --apply nothing is written."))
            return
        back_up_to(file, force=False)
        self.stdout.write(_("Backup: %(file)s") % {"file": file.resolve()})

    def _tell(self, block: Block) -> None:
        self.stdout.write(told(block))


def told(block: Block) -> str:
    """`#5: 3 units, 1 of the person's own words, 4 new; left out: pointer 1`."""
    if block.fate != Fate.CUT:
        return " ".join([f"#{block.id} {block.fate.label}", *([f"({block.why})"] if block.why else [])])
    found = block.cutting
    words = _("#%(id)d: units %(units)d, own words without an answer %(words)d, new %(new)d")
    said = words % {"id": block.id, "units": len(found.units), "words": len(found.words), "new": block.stored}
    left = ", ".join(f"{reason} {count}" for reason, count in sorted(found.dropped.items()))
    return _("%(said)s; left out: %(reasons)s") % {"said": said, "reasons": left} if left else said


def totals(blocks: list[Block], before: int, *, apply: bool) -> str:
    """How many exchanges answer a search before and after."""
    cut = [block for block in blocks if block.fate == Fate.CUT]
    if not blocks:
        return _("Every exchange is one unit: nothing to cut.")
    counts = {
        "blocks": len(cut),
        "left": len(blocks) - len(cut),
        "before": before,
        "after": before - len(cut) + sum(block.stored for block in cut),
    }
    if apply:
        return _("Cut: %(blocks)d; left: %(left)d. Exchanges: %(before)d before, %(after)d now.") % counts
    words = _("Would cut: %(blocks)d; left: %(left)d. Exchanges: %(before)d now, %(after)d then.")
    return " ".join([words % counts, _("`manage.py resplit --apply` does it.")])


def exchanges(owner: Account) -> int:
    return Entry.objects.of(owner).standing().filter(kind=Kind.EXCHANGE).count()
