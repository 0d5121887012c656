"""A harness reads a copy of a store: what it does to that, the store never sees."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from bench.on_copy import digest, on_copy
from forgesite.models import Account
from forgesite.tests.stores import run, stored, texts
from memory.models import Entry
from memory.remember import Draft, remember

pytestmark = pytest.mark.django_db(transaction=True)
DOG = "The dog is called Rex"


@pytest.fixture
def store(tmp_path: Path, ana: Account) -> Path:
    """A database with one entry, in a file; the test's own database has no more than that account."""
    remember(ana, Draft(DOG), actor="person", cause="test")
    file = stored(tmp_path / "forge.db")
    Entry.objects.all().delete()
    return file


def test_what_is_written_to_the_copy_the_store_never_sees(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, own = digest(store), str(connection.settings_dict["NAME"])

    with on_copy(store, RECALL_TOP_K="9") as copy:
        assert [entry.text for entry in Entry.objects.all()] == [DOG]
        assert (copy.exists(), settings.DATABASE_FILE, settings.FORGE.RECALL_TOP_K) == (True, copy, 9)
        remember(Account.objects.get(), Draft("The cat is called Mia"), actor="person", cause="test")

    assert (copy.exists(), digest(store), texts(store)) == (False, before, [DOG])
    assert (str(connection.settings_dict["NAME"]), Entry.objects.count()) == (own, 0)
    assert "is as it was" in capsys.readouterr().err


def test_an_edit_from_outside_is_said_and_does_not_stop_it(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(store, "UPDATE memory_entry SET text = 'The dog is called Max'")

    with on_copy(store):
        pass

    assert "outside" in capsys.readouterr().err


def test_who_else_writes_meanwhile_is_told_from_us(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with on_copy(store):
        run(store, "UPDATE memory_entry SET pinned = 1")

    assert "was written to by another program meanwhile" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("bytes_of_it", "why"),
    [(None, "There is no file"), (b"", "holds no database of Forge"), (b"no database" * 999, "cannot be read")],
)
def test_what_is_no_store_ends_with_a_sentence(tmp_path: Path, bytes_of_it: bytes | None, why: str) -> None:
    file = tmp_path / "forge.db"
    if bytes_of_it is not None:
        file.write_bytes(bytes_of_it)

    with pytest.raises(SystemExit, match=why), on_copy(file):
        pass


def test_a_store_of_a_newer_forge_is_left_to_that(store: Path) -> None:
    run(store, "INSERT INTO django_migrations (app, name, applied) VALUES ('memory', '9999_later', '2030-01-01')")

    with pytest.raises(SystemExit, match="a newer Forge"), on_copy(store):
        pass
