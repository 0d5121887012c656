"""A backup takes the place of the database: whole, or not at all, and never unseen."""

from __future__ import annotations

import io
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command

from forgesite import database_file, store_lock
from forgesite.config import ROOT
from forgesite.errors import ConflictError, ForgeError, StoreError
from forgesite.models import Account
from forgesite.prepare import bring_up_to_date
from forgesite.restore import connected_to, preview, restore
from forgesite.testing_server import LiveForge, own_environment, until
from forgesite.tests.stores import in_folder, names, run, stored, texts
from memory.models import Entry
from memory.recall import Query, recall
from memory.remember import Draft, remember

pytestmark = pytest.mark.django_db(transaction=True)

THEN = ["The VPN gateway is 10.8.0.1", "東京 is lovely in spring", "We write the parser in C++"]
NOW = [*THEN[:2], "The cat is called Mia", "The boat is called Aurora"]
#: Kills one restore after another, then makes one.
KILLED = """
import shutil, sys, django
django.setup()
from pathlib import Path
from django.conf import settings
from forgesite import database_file, store_lock
from forgesite.prepare import bring_up_to_date
from forgesite.restore import restore
from forgesite.tests.killed import at_lines
from forgesite.tests.stores import run, texts
backup, pristine, live = Path(sys.argv[1]), Path(sys.argv[2]), settings.DATABASE_FILE
then, now = texts(backup), texts(Path(shutil.copytree(pristine, pristine.with_name("read"))) / "forge.db")
def begin():
    live.unlink(missing_ok=True)
    shutil.copytree(pristine, live.parent, dirs_exist_ok=True)
def look():
    assert texts(live) in (then, now)
    run(live, database_file.CHECK_WORDS)
modules = [f"forgesite.{name}" for name in ("restore", "upgrade", "database_file", "part_file", "store_lock")]
print(at_lines(modules, begin, lambda: restore(backup), look))
begin()
restore(backup)
assert texts(live) == then
"""


def save(owner: Account, *lines: str) -> None:
    for line in lines:
        remember(owner, Draft(line), actor="person", cause="test")


@pytest.fixture
def backup(ana: Account, tmp_path: Path) -> Path:
    save(ana, *THEN)
    recall(ana, Query("gateway"))  # makes the index of vectors
    return stored(tmp_path / "backup.db")


@pytest.fixture
def data(ana: Account, backup: Path, tmp_path: Path) -> Path:
    """The data folder of a Forge that went on: an entry went, two came, and a log of that is not yet in the file."""
    store = stored(tmp_path / "written" / "forge.db")
    run(store, "UPDATE memory_entry SET text = 'What the file says without its log'")
    Entry.objects.get(text=THEN[2]).delete()
    save(ana, *NOW[2:])
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    with database_file.opened(stored(tmp_path / "later.db")) as later, database_file.opened(store) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        later.backup(writer)
        for end in ("", "-wal"):
            shutil.copyfile(f"{store}{end}", folder / f"forge.db{end}")
    return folder


def test_a_preview_tells_what_would_change_and_changes_nothing(data: Path, backup: Path) -> None:
    with in_folder(data) as store:
        found = preview(backup)

    assert found.present
    assert (found.backup.entries, found.present.entries, found.lost, found.back) == (3, 4, 2, 1)
    assert found.backup.last_change < found.present.last_change
    assert texts(store) == NOW
    assert names(data) == ["forge.db"]


def test_a_restore_brings_back_what_was_and_keeps_what_is(data: Path, backup: Path) -> None:
    with in_folder(data) as store:
        kept = restore(backup).kept

    assert kept
    assert store.read_bytes()[18:20] == b"\1\1", "the new file would need a log beside it"
    assert (texts(kept), texts(store)) == (NOW, THEN)
    assert stat.S_IMODE(store.stat().st_mode) == 0o600
    assert (names(data), names(data / "backups")) == (["backups", "forge.db", "forge.db.lock"], [kept.name])


def test_a_restore_elsewhere_finds_the_same_by_words_and_by_meaning(ana: Account, backup: Path, tmp_path: Path) -> None:
    def rows() -> list[list[tuple[object, ...]]]:
        asked = [("C++", "lexical"), ("東京", "lexical"), ("What is the address of the VPN?", "vector")]
        found = [recall(ana, Query(text, policy=policy)).rows for text, policy in asked]
        return [[(row.entry.pk, row.entry.text, row.distance, row.score) for row in each] for each in found]

    here = rows()
    with in_folder(tmp_path / "elsewhere") as store:
        assert restore(backup).kept is None
        with connected_to(store):
            assert rows() == here
    assert all(here)


def test_a_copied_data_folder_is_a_backup_too_and_its_log_is_not_forgotten(data: Path, tmp_path: Path) -> None:
    with in_folder(tmp_path / "elsewhere") as store:
        restore(data / "forge.db")

    assert texts(store) == NOW


def test_nothing_is_written_beside_a_backup(data: Path, backup: Path, tmp_path: Path) -> None:
    run(backup, "PRAGMA journal_mode = WAL")
    before = backup.read_bytes(), names(tmp_path)

    with in_folder(data):
        preview(backup)

    assert (backup.read_bytes(), names(tmp_path)) == before


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda file: file.write_text("Dear diary, " * 1000), "not a database"),
        (lambda file: file.write_bytes(b""), "no database of Forge"),
        (lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]), "malformed|Page|page"),
        (lambda file: file.write_bytes(file.read_bytes()[:100]), "malformed|not a database|no database"),
        (lambda file: file.write_bytes(damaged(file.read_bytes())), "malformed|Tree|btree"),
        (lambda file: run(file, "DROP TABLE forgesite_account"), "no database of Forge"),
        (lambda file: run(file, NEWER), "newer Forge.*memory.0999_later"),
        (lambda file: file.unlink(), "no file"),
        (lambda file: (file.unlink(), file.mkdir()), "no file"),
    ],
)
def test_what_is_no_whole_backup_is_refused_and_nothing_changes(
    data: Path, backup: Path, spoil: Callable[[Path], object], why: str
) -> None:
    spoil(backup)

    for verb in (preview, restore):
        with in_folder(data) as store, pytest.raises(ForgeError, match=why) as refused:
            verb(backup)

        assert str(backup) in refused.value.message
        assert "\n" not in refused.value.message
        assert texts(store) == NOW
        assert not (data / "backups").exists()
        assert [name for name in names(data) if name.endswith("part")] == []


NEWER = "INSERT INTO django_migrations(app, name, applied) VALUES ('memory', '0999_later', '2031')"


def damaged(content: bytes) -> bytes:
    """A page in the middle is overwritten."""
    middle = len(content) // 2 // 4096 * 4096
    return content[:middle] + b"\xa5" * 4096 + content[middle + 4096 :]


def test_an_older_backup_is_brought_up_to_date_on_the_way(data: Path, backup: Path) -> None:
    with connected_to(backup):
        call_command("migrate", "chat", "0004", verbosity=0)

    with in_folder(data) as store:
        done = restore(backup)

    assert done.preview.migrated[0] == "0005_thread_of_owner"
    run(store, "SELECT * FROM chat_message INDEXED BY chat_message_of_owner")
    assert texts(store) == THEN


def test_a_migration_that_fails_leaves_the_database_as_it_is(data: Path, backup: Path) -> None:
    with connected_to(backup):
        call_command("migrate", "chat", "0004", verbosity=0)
    run(backup, "CREATE TABLE chat_message_of_owner(x)")

    with in_folder(data) as store, pytest.raises(StoreError, match="chat_message_of_owner"):
        restore(backup)

    assert texts(store) == NOW


def test_what_a_backup_had_lost_is_made_again_and_named(data: Path, backup: Path) -> None:
    run(backup, "DROP TRIGGER memory_words_update; UPDATE memory_words SET words = ''; DROP TABLE memory_fts")

    with in_folder(data) as store:
        assert restore(backup).preview.made == ("memory_fts", "memory_words_update")

    run(store, database_file.CHECK_WORDS)


def test_a_damaged_database_is_replaced_too_and_kept_as_it_was(data: Path, backup: Path) -> None:
    (data / "forge.db").write_text("Dear diary, " * 1000)
    (data / "forge.db-wal").unlink()

    with in_folder(data) as store:
        done = restore(backup)

    assert done.kept
    assert "not a database" in done.preview.damage
    assert (texts(store), names(data)) == (THEN, ["backups", "forge.db", "forge.db.lock"])
    assert done.kept.read_text() == "Dear diary, " * 1000


def test_while_something_works_with_the_database_nothing_is_restored(data: Path, backup: Path) -> None:
    with in_folder(data) as store:
        with connected_to(store):
            bring_up_to_date()  # as every command and the web server do

        with pytest.raises(ConflictError, match=r"running.*Ctrl-C"):
            restore(backup)

    assert texts(store) == NOW


def test_what_starts_during_a_restore_waits_for_its_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said: list[str] = []

    def waits() -> bool:
        said.append(capsys.readouterr().err)
        return "waiting" in "".join(said)

    with in_folder(tmp_path), ThreadPoolExecutor(1) as starter:
        with store_lock.alone():
            start = starter.submit(store_lock.hold)
            until(waits, 20)
            assert not start.done()
        start.result(20)


def test_while_a_sqlite_shell_has_the_database_open_nothing_is_restored(data: Path, backup: Path) -> None:
    with in_folder(data) as store, database_file.opened(store) as shell:
        shell.execute("SELECT count(*) FROM memory_entry").fetchall()

        with pytest.raises(ConflictError, match="Another program"):
            restore(backup)

    assert texts(store) == NOW


def test_a_log_that_is_left_of_a_database_that_is_gone_is_not_taken_for_the_new_one_s(data: Path, backup: Path) -> None:
    (data / "forge.db").unlink()

    with in_folder(data) as store:
        restore(backup)

    assert (texts(store), names(data)) == (THEN, ["forge.db", "forge.db.lock"])


def test_what_django_remembers_of_one_database_is_not_told_of_another(backup: Path) -> None:
    here = ContentType.objects.get_for_model(Account).pk
    run(backup, "UPDATE django_content_type SET id = id + 1000")

    with connected_to(backup):
        assert ContentType.objects.get_for_model(Account).pk == here + 1000
    assert ContentType.objects.get_for_model(Account).pk == here


def test_the_database_in_use_is_no_backup_of_itself(data: Path) -> None:
    with in_folder(data) as store, pytest.raises(StoreError, match="in use"):
        restore(store)


def test_a_killed_restore_leaves_the_one_or_the_other_whole_and_no_litter(
    data: Path, backup: Path, tmp_path: Path
) -> None:
    own = own_environment() | {"DATA_DIR": str(tmp_path / "killed"), "EMBEDDING_PROVIDER": "none"}
    own |= {"DJANGO_SETTINGS_MODULE": "forgesite.settings", "PYTHONPATH": str(ROOT)}
    killing = [sys.executable, "-c", KILLED, str(backup), str(data)]
    done = subprocess.run(killing, env=own, cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 60
    assert names(tmp_path / "killed") == ["backups", "forge.db", "forge.db.lock", "secret_key"]
    assert all(name.startswith("replaced-") for name in names(tmp_path / "killed" / "backups"))


def test_the_command_tells_what_it_would_do_and_with_apply_what_it_did(data: Path, backup: Path) -> None:
    def said(*arguments: str) -> str:
        out = io.StringIO()
        call_command("restore", str(backup), *arguments, stdout=out)
        return out.getvalue()

    with in_folder(data) as store:
        shown = said()
        assert "2 entries of the database are not in the backup" in shown
        assert "--apply" in shown
        done = said("--apply")

    assert f"{store} is replaced" in done
    assert str(next((data / "backups").iterdir())) in done


def test_from_a_running_forge_to_another(forge: LiveForge, tmp_path: Path) -> None:
    backup, token = str(tmp_path / "backup.db"), {"Authorization": f"Bearer {forge.token()}"}

    def found(running: LiveForge, query: str, policy: str) -> object:
        asked = httpx.get(f"{running.url}/search", params={"q": query, "policy": policy}, headers=token)
        return asked.raise_for_status().json()

    for text in THEN:
        httpx.post(f"{forge.url}/remember", json={"content": text}, headers=token).raise_for_status()
    assert forge.run("backup", backup).returncode == 0
    refused = forge.run("restore", backup, "--apply")
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
    with LiveForge(started=False, arguments=("--no-worker",)) as other:
        assert other.run("restore", backup, "--apply").returncode == 0
        other.start()
        for query, policy in (("C++", "lexical"), ("東京", "lexical"), ("What is the address of the VPN?", "vector")):
            assert found(other, query, policy) == found(forge, query, policy) != []
        assert [other.run(command).returncode for command in ("verify", "consistency")] == [0, 0]
