"""`reembed [--dry-run]`: embed everything anew for the model that is served, then swap."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from forgesite.command import ForgeCommand
from forgesite.models import Account
from memory import embedding, golden
from memory.golden_words import worse_line
from memory.reembed import Done, reembed
from memory.regime import pending
from memory.regime import states as regimes
from memory.regime.states import Behind

#: Seconds between two lines of progress.
EVERY = 1.0


class Command(ForgeCommand):
    help = (
        "Embed every entry anew for the model that is served. Until all are, search goes on by words; killed at any "
        "moment, the next run goes on from there."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="say what is stored and served, and how many wait")

    def handle(self, *, dry_run: bool, **_options: Any) -> None:
        door = embedding.served()
        if door is None:
            raise CommandError(_("No embedder is set (EMBEDDING_PROVIDER=none): there is nothing to embed with."))
        embedding.ask_anew(door)
        found = regimes.behind(door)
        if found is None:
            self._none_behind()
        elif dry_run:
            self.stdout.write(found.sentence())
        else:
            before = {owner: golden.kept(owner) for owner in Account.objects.order_by("pk")}
            self._say(reembed(door, self._progress(found)))
            for owner, replay in before.items():
                self._compare(owner, replay)

    def _none_behind(self) -> None:
        self.stdout.write(_("The vectors in store are of the model that is served: there is nothing to re-embed."))
        if waiting := pending.count():
            words = ngettext(
                "%(count)d entry waits for its vectors; the worker embeds it.",
                "%(count)d entries wait for their vectors; the worker embeds them.",
                waiting,
            )
            self.stdout.write(words % {"count": waiting})

    def _progress(self, found: Behind) -> Any:
        self.stdout.write(found.sentence())
        last = float("-inf")

        def said(behind: Behind) -> None:
            nonlocal last
            if behind.done == behind.entries or time.monotonic() - last > EVERY:
                last = time.monotonic()
                words = _("%(done)d of %(entries)d entries are embedded.")
                self.stdout.write(words % {"done": behind.done, "entries": behind.entries})
                self.stdout.flush()

        return said

    def _say(self, done: Done) -> None:
        if done.refused:
            words = ngettext(
                "The model takes no vectors of %(count)d entry: it is found by its words, and is tried again.",
                "The model takes no vectors of %(count)d entries: they are found by their words, and are tried again.",
                done.refused,
            )
            self.stderr.write(words % {"count": done.refused})
        if not done.swapped:
            raise CommandError(_("The model of the vectors in store is served again: they are used as they are."))
        self.stdout.write(_("Search by meaning is on again, with the vectors of the model that is served."))

    def _compare(self, owner: Account, before: golden.Replay) -> None:
        """What a person starred must go on finding its entries."""
        if not before.questions:
            return
        if line := worse_line(golden.compare(before, golden.replayed(owner))):
            self.stderr.write(f"{owner.get_username()}: {line}")
        else:
            words = _("%(owner)s: no golden question finds less than before.")
            self.stdout.write(words % {"owner": owner.get_username()})
