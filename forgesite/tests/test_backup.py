"""Backups: complete, verified, of one moment, whole or not there."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from forgesite import database_file
from forgesite.backup import KEPT, back_up, back_up_before_migrating, back_up_to
from forgesite.config import ROOT
from forgesite.errors import BackupError
from forgesite.models import Account
from forgesite.testing_server import own_environment
from forgesite.tests.stores import in_folder, names, run, stored, texts
from memory.remember import Draft, remember

pytestmark = pytest.mark.django_db(transaction=True)

#: Saves without end, and says each text once it is acknowledged.
WRITER = """
import itertools, django
django.setup()
from forgesite.models import Account
from memory.remember import Draft, remember
amelie = Account.objects.get()
for number in itertools.count():
    text = f"the red cable number {number} is in drawer {number}"
    remember(amelie, Draft(text), actor="person", cause="test")
    print(text, flush=True)
"""
#: Kills one backup after another, then makes one.
KILLED = """
import sys, django
django.setup()
from pathlib import Path
from django.conf import settings
from forgesite.backup import back_up
from forgesite.tests.killed import at_lines
from forgesite.tests.stores import texts
target, modules = Path(sys.argv[1]), ("forgesite.backup", "forgesite.database_file", "forgesite.part_file")
def look():
    assert not target.exists() or texts(target) == texts(settings.DATABASE_FILE)
print(at_lines(modules, lambda: target.unlink(missing_ok=True), lambda: back_up(target), look))
back_up(target)
look()
"""


def environment(data: Path) -> dict[str, str]:
    named = {"DATA_DIR": str(data), "EMBEDDING_PROVIDER": "none", "DJANGO_SETTINGS_MODULE": "forgesite.settings"}
    return own_environment() | named | {"PYTHONPATH": str(ROOT)}


@pytest.fixture
def data(ana: Account, tmp_path: Path) -> Path:
    """A data folder with one account and one entry."""
    remember(ana, Draft("Le NiPoGi a 32 Go de RAM"), actor="person", cause="test")
    folder = tmp_path / "data"
    stored(folder / "forge.db")
    return folder


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "out"
    folder.mkdir()
    return folder


def test_a_copy_holds_what_is_in_the_log_and_needs_no_file_beside_it(data: Path, out: Path) -> None:
    with in_folder(data) as store, database_file.opened(store) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("UPDATE memory_entry SET text = 'Le NiPoGi a 64 Go de RAM'")
        writer.commit()

        back_up(out / "copy.db")

    assert texts(out / "copy.db") == ["Le NiPoGi a 64 Go de RAM"]
    assert names(out) == ["copy.db"]
    assert stat.S_IMODE((out / "copy.db").stat().st_mode) == 0o600


def test_a_damaged_database_gives_no_copy_and_leaves_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "forge.db").write_text("Dear diary, " * 1000)
    (tmp_path / "copy.db").write_text("the one of yesterday")

    with in_folder(tmp_path), pytest.raises(BackupError, match=r"copy\.db was not made"):
        back_up(tmp_path / "copy.db")

    assert (tmp_path / "copy.db").read_text() == "the one of yesterday"
    assert names(tmp_path) == ["copy.db", "forge.db"]


def test_an_index_of_words_that_is_behind_hinders_no_copy_and_is_whole_in_it(data: Path, out: Path) -> None:
    with in_folder(data) as store:
        run(store, "DROP TRIGGER memory_words_update; UPDATE memory_words SET words = 'plus rien'")

        back_up(out / "copy.db")

    run(out / "copy.db", database_file.CHECK_WORDS)


def test_the_last_five_are_kept(data: Path) -> None:
    with in_folder(data):
        made = [back_up_before_migrating(f"000{number}") for number in range(KEPT + 2)]

    assert sorted((data / "backups").iterdir()) == sorted(made)[-KEPT:]


@pytest.mark.parametrize(
    ("target", "why"),
    [
        (lambda data, out: out / "old.db", "--force"),
        (lambda data, out: out, "a folder"),
        (lambda data, out: out / "nowhere" / "copy.db", "no folder"),
        (lambda data, out: data / "forge.db", "in use"),
        (lambda data, out: out / "link.db", "in use"),
        (lambda data, out: Path(os.devnull), "no ordinary file"),
    ],
)
def test_what_stands_there_is_not_overwritten(
    data: Path, out: Path, target: Callable[[Path, Path], Path], why: str
) -> None:
    (out / "old.db").write_text("the one of yesterday")
    (out / "link.db").symlink_to(data / "forge.db")

    with in_folder(data), pytest.raises(CommandError, match=why):
        call_command("backup", str(target(data, out)))

    assert (out / "old.db").read_text() == "the one of yesterday"
    assert texts(data / "forge.db") == ["Le NiPoGi a 32 Go de RAM"]


@pytest.mark.parametrize("target", ["old.db", "link.db"])
def test_by_force_an_older_backup_is_replaced_and_the_database_in_use_is_not(
    data: Path, out: Path, target: str
) -> None:
    (out / "old.db").write_text("the one of yesterday")
    (out / "link.db").symlink_to(out / "old.db")

    with in_folder(data) as store:
        assert back_up_to(out / target, force=True).entries == 1
        with pytest.raises(BackupError, match="in use"):
            back_up_to(store, force=True)

    assert texts(out / "old.db") == ["Le NiPoGi a 32 Go de RAM"]
    assert (out / "link.db").is_symlink()


def test_what_was_acknowledged_before_a_backup_is_in_it_while_writes_go_on(data: Path, out: Path) -> None:
    writing = [sys.executable, "-c", WRITER]
    with subprocess.Popen(writing, env=environment(data), cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout
        before = [writer.stdout.readline().strip() for _ in range(20)]
        made = command(data, "backup", str(out / "copy.db"))
        writer.terminate()
        after = writer.stdout.read().split("\n")

    assert made.returncode == 0, made.stderr
    held = texts(out / "copy.db")
    assert set(before) <= set(held)
    assert len(after) > 5, "nobody wrote meanwhile"
    assert f"entries {len(held)}" in made.stdout
    assert "secret_key" in made.stdout


def command(data: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    run = [sys.executable, "manage.py", *arguments]
    return subprocess.run(run, cwd=ROOT, env=environment(data), capture_output=True, text=True, check=False)


def test_a_killed_backup_leaves_no_file_and_the_next_one_no_litter(data: Path, out: Path) -> None:
    killing = [sys.executable, "-c", KILLED, str(out / "copy.db")]
    done = subprocess.run(killing, env=environment(data), cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 30
    assert names(out) == ["copy.db"]
