"""Bring the database that Django is connected to up to what this code knows, whole."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from django.core.management import call_command
from django.db import connection
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext as _

from forgesite import schema_parts
from forgesite.errors import ConflictError


@dataclass(frozen=True)
class Upgrade:
    """`pending`: the names of the migrations to come, in their order. `fresh`: the database is an empty one.

    `every`: all of this code's migrations, in the order in which an empty database goes through them.
    """

    pending: tuple[str, ...]
    fresh: bool
    every: tuple[Migration, ...]


def planned(file: Path) -> Upgrade:
    """What is to be done. Raises ConflictError for a database that a newer Forge wrote; `file` is how it is called."""
    executor = MigrationExecutor(connection)
    _refuse_newer(executor, file)
    newest = executor.loader.graph.leaf_nodes()
    pending = tuple(migration.name for migration, _backwards in executor.migration_plan(newest))
    every = tuple(migration for migration, _backwards in executor.migration_plan(newest, clean_start=True))
    return Upgrade(pending, not executor.loader.applied_migrations, every)


def apply(upgrade: Upgrade) -> list[str]:
    """Migrate, then look whether all that search follows the rows by is there, and make what is not.

    Returns the names of what had to be made. Raises what a migration raises: those before it stay applied.
    """
    if upgrade.pending:
        call_command("migrate", interactive=False, verbosity=0)
    with connection.cursor() as cursor:
        lost = schema_parts.missing(cursor, upgrade.every)
        schema_parts.make(cursor, lost)
    return [part.name for part in lost]


def _refuse_newer(executor: MigrationExecutor, file: Path) -> None:
    """Applied migrations that this code does not know were made by a later one, which knows how to read the rows."""
    unknown = sorted(set(executor.loader.applied_migrations) - set(executor.loader.disk_migrations))
    if unknown:
        app, name = unknown[-1]
        raise ConflictError(
            _(
                "The database %(file)s was written by a newer Forge (it knows the migration %(name)s, this one does "
                "not). Run that newer one, or give this one another DATA_DIR. Nothing was changed."
            )
            % {"file": file, "name": f"{app}.{name}"}
        )
