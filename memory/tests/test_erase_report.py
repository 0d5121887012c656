"""`erase_report`: certificates in plain lines, a compact file, and a search for a text that should be gone."""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection

from chat.models import Conversation, Message, Role
from forgesite.models import Account
from forgesite.sqlite3_vec.driver import Database
from forgesite.testing_server import until
from memory.erasing.places import database, log
from memory.erasing.scrub import compact
from memory.forget import forget
from memory.models import Erasure
from memory.tests.entries import count_of, found, index_is_whole, saved

pytestmark = pytest.mark.django_db(transaction=True)
CANARY = "The zebrule quokkafin sleeps in Ouistreham"


@pytest.fixture(autouse=True)
def _waiting_is_short() -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 100").fetchall()
    yield
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 5000").fetchall()


def report(monkeypatch: pytest.MonkeyPatch, text: str = "", *arguments: str) -> tuple[int, str]:
    """Its status, and what it prints."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    out = io.StringIO()
    try:
        call_command("erase_report", *arguments, stdout=out)
    except SystemExit as ended:
        return int(ended.code or 0), out.getvalue()
    return 0, out.getvalue()


def test_it_prints_every_certificate_newest_last(ana: Account, ben: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    assert report(monkeypatch)[1].startswith("Nothing was forgotten yet.")
    for owner in (ana, ana, ben):
        forget(owner, [saved(owner, CANARY).pk], actor="person", cause="test")
    _status, told = report(monkeypatch)
    places = [told.index(certificate.address) for certificate in Erasure.objects.order_by("id")]
    assert places == sorted(places)
    assert "removed: entries 1, versions of their text 1" in told
    of_ben = report(monkeypatch, "", "--user", "ben")[1]
    assert Erasure.objects.get(owner=ben).address in of_ben
    assert Erasure.objects.filter(owner=ana)[0].address not in of_ben


def test_a_certificate_that_was_changed_is_told(ana: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    forget(ana, [saved(ana, CANARY).pk], actor="person", cause="test")
    assert "WAS CHANGED" not in report(monkeypatch)[1]
    kept = Erasure.objects.get()
    kept.report["removed"]["entries"] = 7
    kept.save()
    assert "WAS CHANGED" in report(monkeypatch)[1]


@pytest.mark.parametrize(
    ("where", "status", "means"),
    [
        ("typed", 0, "messages that you typed"),
        ("answer", 1, "answers in your conversations"),
        ("entry", 1, "other entries with these words"),
        ("file", 1, "a file that Forge does not write"),
        ("backup", 0, "a backup made before"),
        ("nowhere", 0, "The text stands nowhere."),
    ],
)
def test_a_text_is_looked_for_everywhere(
    ana: Account, monkeypatch: pytest.MonkeyPatch, where: str, status: int, means: str
) -> None:
    talk = Conversation.objects.create(owner=ana)
    backups = Path(settings.DATA_DIR) / "backups"
    backups.mkdir(exist_ok=True)
    files = {"file": Path(settings.DATA_DIR) / "copy.txt", "backup": backups / "old.db"}
    if where in ("typed", "answer"):
        role = Role.USER if where == "typed" else Role.ASSISTANT
        Message.objects.create(owner=ana, conversation=talk, role=role, content=f"I said: {CANARY}")
    elif where == "entry":
        saved(ana, CANARY)
    elif where in files:
        files[where].write_text(CANARY)
    ended, told = report(monkeypatch, f"{CANARY}\n")
    for file in files.values():
        file.unlink(missing_ok=True)
    assert (ended, means in told) == (status, True)


def test_what_was_deleted_before_pages_were_overwritten_is_compacted_away(
    ana: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [saved(ana, f"The shelf number {number} is in room {number * 7}").text for number in range(60)]
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA secure_delete = OFF").fetchall()
        entry = saved(ana, CANARY)
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        cursor.execute("DELETE FROM memory_textversion WHERE entry = %s", [entry.pk])
        cursor.execute("DELETE FROM memory_entry WHERE id = %s", [entry.pk])
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        cursor.execute("ANALYZE")
        cursor.execute("PRAGMA secure_delete = ON").fetchall()
    assert CANARY.encode() in database().read_bytes()
    ended, told = report(monkeypatch, CANARY)
    assert (ended, "nowhere" in told, log().stat().st_size) == (0, True, 0)
    assert texts[7] in found(ana, "shelf number 7 in room 49")
    assert index_is_whole()
    assert count_of("sqlite_stat1") > 0


def test_it_says_so_while_others_write(ana: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    with closing(Database.connect(str(database()))) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(CommandError, match="others work with it now"):
            call_command("erase_report", stdout=io.StringIO())


FILL = """
CREATE TABLE filling AS
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60) SELECT randomblob(1000000) AS bytes FROM n
"""


def test_a_kill_in_the_middle_leaves_the_database_whole(ana: Account) -> None:
    saved(ana, CANARY)
    with connection.cursor() as cursor:
        cursor.execute(FILL)
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.close()  # no connection survives a fork
    child = os.fork()
    if not child:
        try:
            compact()
        finally:
            os._exit(0)
    until(lambda: log().exists() and log().stat().st_size > 10_000_000, 60)
    os.kill(child, signal.SIGKILL)
    assert os.WIFSIGNALED(os.waitpid(child, 0)[1]), "it was over before it was killed"
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        cursor.execute("DROP TABLE filling")
        cursor.execute("VACUUM")
    assert index_is_whole()
    assert found(ana, "zebrule") == [CANARY]
