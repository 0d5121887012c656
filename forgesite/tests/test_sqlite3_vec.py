"""The database backend: one driver, its connections, and triggers that outlive a rebuilt table."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection, models, transaction
from django.test.utils import isolate_apps

from forgesite.config import ROOT
from forgesite.sqlite3_vec import driver
from forgesite.sqlite3_vec.driver import Database
from forgesite.testing_server import own_environment

#: Two of these at once: each reads, then writes what it read, as a turn and a job do.
WRITER = """
import os, sys, time
os.environ["DJANGO_SETTINGS_MODULE"] = "forgesite.settings"
import django
django.setup()
from django.db import transaction
from forgesite.models import Account
from forgesite.prepare import bring_up_to_date
bring_up_to_date()
done, end = 0, time.monotonic() + 5
while time.monotonic() < end:
    with transaction.atomic():
        account, _ = Account.objects.get_or_create(username="amelie", defaults={"first_name": "0"})
        account.first_name = str(int(account.first_name) + 1)
        account.save(update_fields=["first_name"])
    done += 1
print(done)
"""


#: The whole site on a SQLite that can load nothing.
WORDS_ONLY = """
import os
os.environ["DJANGO_SETTINGS_MODULE"] = "forgesite.settings"
from forgesite.sqlite3_vec import driver
driver.Database, driver.can_load_extensions = driver.pick(())
import django
django.setup()
from django.test import Client
from forgesite.accounts import create_account
from forgesite.prepare import bring_up_to_date
from memory.recall import Query, recall
from memory.remember import Draft, remember
bring_up_to_date()
amelie = create_account("amelie")
remember(amelie, Draft(text="The VPN gateway is 10.8.0.1"), actor="person", cause="test")
print([row.entry.text for row in recall(amelie, Query("Where is the VPN gateway?")).rows])
health = Client().get("/health", headers={"host": "localhost"}).json()
print(health["status"], health["store"]["vector"])
"""


@pytest.fixture
def trunk(transactional_db: None) -> Iterator[None]:
    """A table with a trigger that counts what is written to it, and a table with a trigger that writes to it."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE trunk(id integer PRIMARY KEY AUTOINCREMENT, text varchar(10) NOT NULL)")
        cursor.execute("CREATE TABLE seen(text)")
        cursor.execute("CREATE TRIGGER trunk_seen AFTER INSERT ON trunk BEGIN INSERT INTO seen VALUES (new.text); END")
        cursor.execute("CREATE TABLE leaf(text)")
        cursor.execute(
            "CREATE TRIGGER leaf_trunk AFTER INSERT ON leaf BEGIN INSERT INTO trunk(text) VALUES (new.text); END"
        )
        yield
        for table in ("leaf", "trunk", "seen"):
            cursor.execute(f"DROP TABLE {table}")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 1), ("busy_timeout", 5000), ("foreign_keys", 1)]
)
def test_a_live_connection_is_as_the_settings_ask(pragma: str, value: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA {pragma}")

        assert cursor.fetchone() == (value,)


@pytest.mark.django_db(transaction=True)
def test_a_transaction_has_the_right_to_write_from_its_beginning() -> None:
    other = Database.connect(connection.settings_dict["NAME"], timeout=0)
    with closing(other), transaction.atomic(), pytest.raises(Database.OperationalError, match="locked"):
        other.execute("BEGIN IMMEDIATE")


def test_vectors_can_be_searched_with_the_form_every_version_takes(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE VIRTUAL TABLE place USING vec0(at float[2])")
        cursor.execute("INSERT INTO place(rowid, at) VALUES (1, '[0, 0]'), (2, '[3, 4]')")
        cursor.execute("SELECT rowid, distance FROM place WHERE at MATCH '[0, 0]' AND k = 2 ORDER BY distance")

        assert cursor.fetchall() == [(1, 0.0), (2, 5.0)]


def test_without_a_driver_that_loads_extensions_the_standard_one_is_taken() -> None:
    module, loads = driver.pick(("no_such_driver.dbapi2",))

    assert module.__name__.startswith("sqlite3")
    assert loads is False


def test_the_first_driver_that_loads_extensions_is_taken() -> None:
    module, loads = driver.pick(("no_such_driver.dbapi2", *driver.CANDIDATES))

    assert module is Database
    assert loads is True


@isolate_apps("forgesite")
def test_a_rebuilt_table_keeps_its_triggers_and_those_that_name_it(trunk: None) -> None:
    rebuild()
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO leaf(text) VALUES ('marronnier')")
        cursor.execute("SELECT text FROM seen")

        assert cursor.fetchall() == [("marronnier",)]


@isolate_apps("forgesite")
def test_a_rebuilt_table_gives_no_id_of_a_deleted_row_again(trunk: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO trunk(text) VALUES ('chêne'), ('frêne')")
        cursor.execute("DELETE FROM trunk")
    rebuild()
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO trunk(text) VALUES ('marronnier')")
        cursor.execute("SELECT id FROM trunk")

        assert cursor.fetchall() == [(3,)]


def rebuild() -> None:
    """What a migration that makes the column longer does."""

    class Trunk(models.Model):
        text = models.CharField(max_length=10)

        class Meta:
            app_label, db_table = "forgesite", "trunk"

    longer: models.CharField[str, str] = models.CharField(max_length=20)
    longer.set_attributes_from_name("text")
    with connection.schema_editor() as editor:
        editor.alter_field(Trunk, Trunk._meta.get_field("text"), longer)


def test_without_the_extension_it_starts_searches_by_words_and_says_so(tmp_path: Path) -> None:
    env = own_environment() | {"DATA_DIR": str(tmp_path / "data")}
    done = subprocess.run(
        [sys.executable, "-c", WORDS_ONLY], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    found, health = done.stdout.splitlines()
    assert found == "['The VPN gateway is 10.8.0.1']"
    assert health == "degraded this SQLite cannot load sqlite-vec"


def test_two_processes_write_at_once_without_a_lock_reaching_anyone(tmp_path: Path) -> None:
    env = own_environment() | {"DATA_DIR": str(tmp_path / "data"), "SECRET_KEY": "not a secret"}
    run = [sys.executable, "-c", textwrap.dedent(WRITER)]
    writers = [
        subprocess.Popen(run, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = [writer.communicate(timeout=120) for writer in writers]

    assert "Traceback" not in "".join(errors for _, errors in said)
    with closing(Database.connect(tmp_path / "data" / "forge.db")) as shell:
        [(counted,)] = shell.execute("SELECT first_name FROM forgesite_account")
    assert int(counted) == sum(int(done) for done, _ in said) > 100
