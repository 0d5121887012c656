"""What an import would make of the golden questions: it is carried out on a copy of the database, which goes with it.

Nobody is kept from writing meanwhile, and nothing of it reaches the database in use: what is queued is queued in the
copy, too. Bounded, for somebody waits: whatever was not asked is said.
"""

from __future__ import annotations

import contextvars
import logging
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from django.db import connection, connections
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.intake import uploads
from chat.intake.report import Report
from forgesite import database_file
from forgesite.errors import ForgeError
from forgesite.models import Account
from forgesite.sqlite3_vec.driver import Database
from memory.domain.golden import Comparison
from memory.finding.vector_cache import COPIES
from memory.models import GoldenQuestion

log = logging.getLogger(__name__)
#: New exchanges and entries of an import that is tried, which embeds each; the bytes of a database that is copied; and
#: the questions that are asked, twice.
MOST_NEW, MOST_BYTES, MOST_ASKED = 500, 512 * 2**20, 50
#: Carries the import out, and asks the questions with these ids before and after.
Bring = Callable[[Collection[int]], Comparison]


def with_golden(owner: Account, foreseen: Report, bring: Bring) -> Report:
    """The report of a preview with what the questions would find; `untold` says what was not asked, and why."""
    asked = list(GoldenQuestion.objects.of(owner).order_by("-pk").values_list("pk", flat=True))
    new = foreseen.new.exchanges + foreseen.new.entries
    if not asked or not new:
        return foreseen
    if why := _why_not(new):
        return replace(foreseen, untold=why)
    try:
        compared = _on_copy(owner, lambda: bring(asked[:MOST_ASKED]))
    except (ForgeError, OSError, Database.Error) as error:
        log.warning("import not tried: %s", error)
        words = _("The golden questions were not asked: %(why)s")
        return replace(foreseen, untold=words % {"why": error.message if isinstance(error, ForgeError) else error})
    return replace(foreseen, golden=compared, untold=_older(len(asked[MOST_ASKED:])))


def _why_not(new: int) -> str:
    if new > MOST_NEW:
        words = _(
            "The golden questions were not asked: it brings %(count)d, and at most %(most)d are tried on a copy. The "
            "import itself asks them, before and after."
        )
        return words % {"count": new, "most": MOST_NEW}
    if connection.in_atomic_block or _file().stat().st_size > MOST_BYTES:
        return _("The golden questions were not asked: the database is too large to be copied for it. The import asks.")
    return ""


def _older(count: int) -> str:
    words = ngettext(
        "%(count)d older golden question was not asked.", "%(count)d older golden questions were not asked.", count
    )
    return words % {"count": count} if count else ""


def _on_copy(owner: Account, work: Callable[[], Comparison]) -> Comparison:
    """In a thread of its own, of which Django's connection is one to the copy."""
    with uploads.aside(owner) as folder:
        copy = folder / "forge.db"
        copy.touch(mode=0o600)
        with database_file.opened(_file()) as source:
            database_file.copy(source, copy)
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(contextvars.copy_context().run, _connected, copy, work).result()


def _file() -> Path:
    return Path(connection.settings_dict["NAME"])


def _connected(copy: Path, work: Callable[[], Comparison]) -> Comparison:
    with _connection(copy):
        return work()


@contextmanager
def _connection(copy: Path) -> Iterator[None]:
    own = connections.create_connection("default")
    own.settings_dict = {**own.settings_dict, "NAME": str(copy)}
    connections["default"] = own
    try:
        yield
    finally:
        own.close()
        COPIES.forget(str(copy))
