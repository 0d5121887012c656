"""From the first release to this one, a migration at a time: the search follows its rows all the way."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from forgesite import schema_parts, upgrade
from forgesite.config import ROOT
from forgesite.database_file import CHECK_WORDS
from forgesite.models import Account
from forgesite.prepare import bring_up_to_date
from forgesite.restore import connected_to
from forgesite.testing_server import own_environment
from forgesite.tests.releases import (
    ENTRIES,
    NUMBERED,
    RARE,
    backwards,
    first_release,
    forwards,
    state_now,
    steps,
    text_of,
)
from forgesite.tests.stores import in_folder, texts
from memory import consistency
from memory.golden import star
from memory.move import retract
from memory.recall import Query, recall
from memory.remember import Draft, remember
from memory.verify import verify

pytestmark = pytest.mark.django_db(transaction=True)

#: Brings a database up to date on a SQLite that can load nothing, and searches it.
NO_EXTENSION = """
import os
from forgesite.sqlite3_vec import driver
driver.Database, driver.can_load_extensions = driver.pick(())
import django
django.setup()
from forgesite.models import Account
from forgesite.prepare import bring_up_to_date
from memory.recall import Query, recall
print(bring_up_to_date())
print([row.entry.text for row in recall(Account.objects.first(), Query("zeta100", policy="lexical")).rows])
"""
#: Names of the parts that no migration makes, but the first search.
AT_RUN_TIME = re.compile(r"memory_vec(_info|_chunks|_rowids|_vector_chunks.*|_metadata.*)?$")
SCHEMA = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"


@pytest.fixture(scope="module")
def old(django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("old") / "forge.db"
    with django_db_blocker.unblock():
        first_release(file)
    return file


@pytest.fixture(scope="module")
def new(old: Path, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, brought up to date as `up` does it."""
    file = Path(shutil.copy(old, tmp_path_factory.mktemp("new") / "forge.db"))
    with django_db_blocker.unblock(), connected_to(file):
        assert upgrade.apply(upgrade.planned(file)) == []
    return file


@pytest.fixture
def words_only() -> Iterator[None]:
    with override_settings(FORGE=settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "none"})):
        yield


@pytest.fixture
def file(old: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(old, tmp_path / "forge.db"))


@pytest.fixture
def upgraded(new: Path, tmp_path: Path, words_only: None) -> Iterator[None]:
    """Django works on a copy of it."""
    with connected_to(Path(shutil.copy(new, tmp_path / "forge.db"))):
        yield


def fetched(query: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        return list(cursor.execute(query).fetchall())


def schema() -> dict[tuple[str, str], str]:
    """Every table, index and trigger, with its SQL on one line."""
    return {
        (kind, name): " ".join((sql or "").split())
        for kind, name, _table, sql in fetched(SCHEMA)
        if not AT_RUN_TIME.match(name)
    }


def shape() -> dict[tuple[str, str], list[tuple[Any, ...]]]:
    """The same without words of which a rebuilt table has others, and with the columns of each table."""
    return {
        (kind, name): sorted(row[1:] for row in fetched(f"PRAGMA table_xinfo('{name}')")) if kind == "table" else []
        for kind, name in schema()
    }


def counts() -> dict[str, int]:
    tables = [name for kind, name in schema() if kind == "table" and not re.search("_fts|_queue|_pending", name)]
    return {table: fetched(f"SELECT COUNT(*) FROM {table}")[0][0] for table in tables}


def applied() -> list[Migration]:
    done = MigrationExecutor(connection).loader.applied_migrations
    return [each for each in upgrade.planned(Path()).every if (each.app_label, each.name) in done]


def check() -> None:
    """What the migrations so far promise is there, no more and no less, and the index of words agrees."""
    found, promised = schema(), schema_parts.expected(applied())
    followers = {name: sql for (kind, name), sql in found.items() if kind == "trigger" or "VIRTUAL TABLE" in sql}
    assert followers == {name: " ".join(part.sql.split()) for name, part in promised.items()}
    written = " ".join(f"{name} {sql}" for (_kind, name), sql in found.items())
    assert named_parts() <= set(re.findall(r"\w+", written))
    with connection.cursor() as cursor:
        cursor.execute(CHECK_WORDS)


def named_parts() -> set[str]:
    """Indexes and constraints that the models of this point in history have a name for."""
    models = state_now().models.values()
    return {
        part.name for model in models for kind in ("indexes", "constraints") for part in model.options.get(kind, ())
    }


def test_every_step_keeps_the_rows_and_what_follows_them(file: Path, words_only: None) -> None:
    with connected_to(file):
        check()
        for migration in steps():
            before, rows = shape(), counts()
            forwards(migration)
            check()
            assert lost(rows, counts()) == {}, migration
            if all(operation.reversible for operation in migration.operations):
                backwards(migration)
                assert shape() == before, migration
                assert lost(rows, counts()) == {}, migration
                forwards(migration)
                check()


def lost(before: dict[str, int], after: dict[str, int]) -> dict[str, int]:
    """The tables that have fewer rows than before."""
    return {table: count for table, count in before.items() if after.get(table, 0) < count}


def test_every_entry_is_found_by_its_words_and_by_its_owner_alone(upgraded: None) -> None:
    owners = list(Account.objects.order_by("pk"))
    for number in range(ENTRIES):
        query = Query(NUMBERED.format(number), policy="lexical")
        whose = [[row.entry.text for row in recall(owner, query).rows] for owner in owners]
        assert whose[number % 2] == [text_of(number)]
        assert whose[1 - number % 2] == []


@pytest.mark.parametrize("rare", RARE)
def test_rare_words_of_any_script_find_all_their_entries(upgraded: None, rare: str) -> None:
    ana = Account.objects.get(username="ana")
    expected = {text for text in map(text_of, range(0, ENTRIES, 2)) if f" {rare} " in text}

    found = {row.entry.text for row in recall(ana, Query(rare, policy="lexical", top_k=50)).rows}

    assert found == expected
    assert len(found) > 5


def test_every_entry_is_proved_and_in_both_indexes(upgraded: None) -> None:
    """Those of the first form too: the upgrade states them whole."""
    report = verify()
    assert (report.findings, report.entries) == ((), 500)
    assert consistency.check().ok


def test_a_migrated_database_is_as_one_that_is_made_today(new: Path, db: None) -> None:
    today = shape()

    with connected_to(new):
        assert shape() == today


def test_the_id_of_a_deleted_entry_is_not_given_again(upgraded: None) -> None:
    ana = Account.objects.get(username="ana")

    assert remember(ana, Draft("The cat is called Mia"), actor="person", cause="test").entry.pk == ENTRIES + 2


def test_a_trigger_that_was_lost_is_made_again_at_the_next_start_and_named(upgraded: None, tmp_path: Path) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER memory_entry_words_update")

    with in_folder(tmp_path):
        [note] = bring_up_to_date()
        assert bring_up_to_date() == []

    assert "memory_entry_words_update" in note
    assert "consistency" in note
    check()


def test_an_upgrade_names_the_golden_questions_that_find_less_since(file: Path, words_only: None) -> None:
    """Whatever made it so: here the entry was taken back."""
    with connected_to(file):
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes())
        ana = Account.objects.get(username="ana")
        entry = recall(ana, Query(NUMBERED.format(100), policy="lexical")).rows[0].entry
        question = star(ana, NUMBERED.format(100), [entry.pk])
        retract(ana, entry.pk, actor="person", cause="test")
        MigrationExecutor(connection).migrate([("memory", "0010_recall_tables")])

        with in_folder(file.parent):
            [copied, worse] = bring_up_to_date()

    assert "brought up to date" in copied
    assert worse == f"ana: 1 golden question finds less than before: #{question.pk} {question.text}."


def test_without_the_vector_extension_it_migrates_all_the_same(file: Path) -> None:
    own = {"DATA_DIR": str(file.parent), "DJANGO_SETTINGS_MODULE": "forgesite.settings", "PYTHONPATH": str(ROOT)}
    run = [sys.executable, "-c", NO_EXTENSION]
    done = subprocess.run(run, cwd=ROOT, env=own_environment() | own, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    notes, found = done.stdout.splitlines()
    assert "brought up to date" in notes
    assert found == str([text_of(100)])
    assert len(texts(file)) == ENTRIES
