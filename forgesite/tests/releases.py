"""A database as the first release left it, and one migration after another from there."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.db import connection
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.state import ProjectState

from forgesite.restore import connected_to
from memory.domain.chain import FIRST as FIRST_FORM
from memory.domain.chain import canonical, commit_address, moment
from memory.domain.sameness import sameness
from memory.vector_channel import MAKE_INDEX

OURS = ("forgesite", "traces", "memory", "retention", "chat")
FIRST = {"forgesite": "0001_first", "traces": "0001_first", "memory": "0002_indexes", "chat": "0001_first"}
ENTRIES = 500
#: Each is in so few entries that it finds them.
RARE = ("C++", "東京", "ข้าวผัด", "Größe", "l'écurie", "v0.8.1", "pre-edit", "ÉCLAIR")
NUMBERED = "zeta{:03}"


def first_release(file: Path) -> None:
    """Two owners with 250 entries each, a thread and a run; the last entry that was ever written is deleted."""
    with connected_to(file):
        executor = MigrationExecutor(connection)
        others = [node for node in executor.loader.graph.leaf_nodes() if node[0] not in OURS]
        executor.migrate([*others, *FIRST.items()])
        _fill(state_now().apps)


def state_now() -> ProjectState:
    """The models at this point in history."""
    loader = MigrationExecutor(connection).loader
    return loader.project_state(list(loader.applied_migrations))


def _fill(apps: Any) -> None:
    account, entry, vector = (apps.get_model(name) for name in ("forgesite.Account", "memory.Entry", "memory.Vector"))
    owners = [account.objects.create(username=name, password="!") for name in ("ana", "ben")]
    texts = [text_of(number) for number in range(ENTRIES + 1)]
    rows = [
        entry(owner=owners[n % 2], address=f"{n:064}", sameness=sameness(text), text=text)
        for n, text in enumerate(texts)
    ]
    entries = entry.objects.bulk_create(rows)
    vector.objects.bulk_create(
        vector(entry=each, version=1, part=0, regime="first", dim=2, vector=b"\0" * 8) for each in entries
    )
    entries[-1].delete()
    _commits(apps, owners[0], entries[:10])
    _talk(apps, owners[0])
    with connection.cursor() as cursor:  # as a search has made it
        cursor.execute(MAKE_INDEX.format(dim=2))
        cursor.execute("INSERT INTO memory_vec_state(regime, dim) VALUES ('first', 2)")


def text_of(number: int) -> str:
    """Every tenth holds a rare word."""
    rare = RARE[number // 10 % len(RARE)] if number % 10 < 2 else "nothing much"
    return f"Note {NUMBERED.format(number)} says {rare} for once"


def _commits(apps: Any, owner: Any, entries: list[Any]) -> None:
    """A chain of the first form, whose changes say only what moved."""
    commit, touched = apps.get_model("memory.Commit"), apps.get_model("memory.CommitEntry")
    at, address = datetime(2026, 1, 1, tzinfo=UTC), ""
    for tick, entry in enumerate(entries, 1):
        said: dict[str, Any] = {"tick": tick, "parent": address, "actor": "person", "cause": "said so"}
        changes = [{"do": "create", "kind": "fact", "text": entry.address}]
        written: dict[str, Any] = {
            "form": FIRST_FORM,
            "owner": owner.pk,
            "at": moment(at),
            "changes": canonical(changes),
        }
        address = commit_address(**said, **written)
        made = commit.objects.create(owner=owner, at=at, address=address, changes=changes, **said)
        touched.objects.create(commit=made, position=0, entry=entry.pk)


def _talk(apps: Any, owner: Any) -> None:
    thread = apps.get_model("chat.Conversation").objects.create(pk="c1", owner=owner)
    message, run = apps.get_model("chat.Message"), apps.get_model("traces.Run")
    message.objects.create(owner=owner, conversation=thread, role="user", content="Où est l'écurie ?")
    run.objects.create(
        owner=owner, run_id="r1", started_at="2026-01-01T00:00Z", user_input_preview="Où", ok=True, total_ms=1
    )


def steps() -> Iterator[Migration]:
    """Those that are not applied, in the order in which `up` applies them. Each is for the caller to apply."""
    executor = MigrationExecutor(connection)
    for migration, _backwards in executor.migration_plan(executor.loader.graph.leaf_nodes()):
        yield migration


def forwards(migration: Migration) -> None:
    MigrationExecutor(connection).migrate([(migration.app_label, migration.name)])


def backwards(migration: Migration) -> None:
    app = migration.app_label
    before: list[str | None] = [name for other, name in migration.dependencies if other == app]
    MigrationExecutor(connection).migrate([(app, (before or [None])[0])])
