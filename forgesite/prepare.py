"""What `up` does before anything runs: the data folder, a backup, migrations, the first account, its link."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError
from django.utils.translation import gettext as _

from forgesite import accounts, store_lock, upgrade
from forgesite.backup import back_up_before_migrating
from forgesite.bootstrap import alone
from forgesite.checks import live_connection
from forgesite.config import notices
from forgesite.errors import InvalidError, StoreError
from forgesite.filesystems import network_filesystem
from forgesite.models import Account

FALLBACK_NAME = "me"


@dataclass(frozen=True)
class Prepared:
    """`secret` is that of a sign-in link, or empty once somebody has a password. `notes` are for the person."""

    secret: str
    notes: tuple[str, ...]


def prepare() -> Prepared:
    """Raises what `bring_up_to_date` raises."""
    notes = [*notices(), *_network_notes(), *bring_up_to_date()]
    notes += [str(finding) for finding in live_connection(["default"])]
    return Prepared(_link_secret(), (*notes, _meaning_note()))


def bring_up_to_date() -> list[str]:
    """A database that this code can use, and what was done to it, in words for a person.

    Raises ConflictError for one that a newer Forge wrote, BackupError, StoreError for a file that is none.
    """
    Path(settings.DATA_DIR).mkdir(mode=0o700, parents=True, exist_ok=True)
    store_lock.hold()
    try:
        with alone(Path(settings.DATA_DIR) / "migrate.lock", "bringing the database up to date"):
            return _migrate()
    except DatabaseError as error:
        raise StoreError(
            _(
                "The database %(file)s cannot be used: %(why)s. Copies are in %(copies)s; `manage.py restore FILE` "
                "brings one back."
            )
            % {"file": settings.DATABASE_FILE, "why": error, "copies": Path(settings.DATA_DIR) / "backups"}
        ) from error


def _migrate() -> list[str]:
    plan = upgrade.planned(settings.DATABASE_FILE)
    notes = []
    if plan.pending and not plan.fresh:
        made = back_up_before_migrating(plan.pending[0])
        notes = [_("The database is brought up to date; a copy of how it was: %(file)s") % {"file": made}]
    if lost := upgrade.apply(plan):
        notes.append(lost_note(lost))
    if plan.pending and not plan.fresh:
        notes += _golden_notes()
    return notes


def lost_note(names: list[str]) -> str:
    return _(
        "WARNING: the database had lost %(names)s, by which search follows what is saved. They are made again; what "
        "was saved meanwhile may not be found before `manage.py consistency --repair`."
    ) % {"names": ", ".join(names)}


def _link_secret() -> str:
    """A fresh link as long as nobody has a password, or nobody could come in."""
    owner = accounts.first_account() or _first_account()
    return "" if accounts.somebody_has_a_password() else accounts.sign_in_link(owner)


def _first_account() -> Account:
    try:
        return accounts.create_account(os.environ.get("USER", FALLBACK_NAME))
    except InvalidError:  # a system's user name may hold what ours may not
        return accounts.create_account(FALLBACK_NAME)


def _meaning_note() -> str:
    from memory.health import start_line  # not with the module: every command imports this one

    return start_line()


def _golden_notes() -> list[str]:
    """What a newer Forge finds less of than the one before it did."""
    from memory.golden_words import upgrade_lines  # not with the module, as above

    return upgrade_lines()


def _network_notes() -> list[str]:
    kind = network_filesystem(Path(settings.DATA_DIR))
    warning = _(
        "WARNING: DATA_DIR %(folder)s is on a network filesystem (%(kind)s). SQLite's locks do not hold there, and "
        "what is saved can be lost. Give DATA_DIR a local folder."
    )
    return [warning % {"folder": settings.DATA_DIR, "kind": kind}] if kind else []
