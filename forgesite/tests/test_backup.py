"""Backups: complete, verified, five of them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from django.test import override_settings

from forgesite.backup import KEPT, back_up, back_up_before_migrating
from forgesite.errors import BackupError
from forgesite.sqlite3_vec.driver import Database


def rows(file: Path) -> list[tuple[str]]:
    with closing(Database.connect(file)) as shell:
        return list(shell.execute("SELECT text FROM note"))


def test_a_copy_holds_what_is_in_the_log_and_needs_no_file_beside_it(tmp_path: Path) -> None:
    store, folder = tmp_path / "forge.db", tmp_path / "out"
    folder.mkdir()
    with closing(Database.connect(store)) as writer, override_settings(DATABASE_FILE=store):
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("CREATE TABLE note(text)")
        writer.execute("INSERT INTO note VALUES ('Le NiPoGi a 32 Go de RAM')")
        writer.commit()

        back_up(folder / "copy.db")

    assert rows(folder / "copy.db") == [("Le NiPoGi a 32 Go de RAM",)]
    assert [file.name for file in folder.iterdir()] == ["copy.db"]


def test_a_damaged_database_gives_no_copy_and_leaves_the_old_one(tmp_path: Path) -> None:
    store = tmp_path / "forge.db"
    store.write_text("Dear diary, " * 1000)
    (tmp_path / "copy.db").write_text("the one of yesterday")

    with override_settings(DATABASE_FILE=store), pytest.raises(BackupError, match=r"copy\.db was not made"):
        back_up(tmp_path / "copy.db")

    assert (tmp_path / "copy.db").read_text() == "the one of yesterday"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["copy.db", "forge.db"]


def test_the_last_five_are_kept(tmp_path: Path) -> None:
    with override_settings(DATABASE_FILE=tmp_path / "forge.db", DATA_DIR=tmp_path):
        made = [back_up_before_migrating(f"000{number}") for number in range(KEPT + 2)]

    assert sorted((tmp_path / "backups").iterdir()) == sorted(made)[-KEPT:]
