"""Whatever ends an import in the middle: a conversation is there whole or not at all, and the next import goes on."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.db import DatabaseError, connection
from django.utils import timezone

from chat.embedding_ahead import Ahead
from chat.importers.formats import conversations
from chat.importers.imported import ImportedConversation, ReadConversation, dated
from chat.importing import bring_in
from chat.intake.write import bring
from chat.models import Conversation, Message
from chat.tests.test_importing import BACKUP, PORT, REPLY, chatgpt, written
from forgesite.config import ROOT
from forgesite.lib.vectors import Vector
from forgesite.models import Account
from forgesite.sqlite3_vec.driver import Database
from forgesite.testing_server import LiveForge, until
from memory.models import Entry
from memory.models import Vector as VectorRow

REFUSE = """
CREATE TRIGGER refuse BEFORE INSERT ON memory_entry WHEN NEW.text LIKE '%backup of the NAS%'
BEGIN SELECT RAISE(ABORT, 'disk full'); END
"""
#: Of each conversation of the account: its messages, and its entries.
COUNTS = """
SELECT c.id, (SELECT count(*) FROM chat_message m WHERE m.conversation_id = c.id),
       (SELECT count(*) FROM memory_entry e WHERE e.conversation = c.id)
FROM chat_conversation c JOIN forgesite_account a ON a.id = c.owner_id WHERE a.username = 'crash'
"""
#: More than are written together, so that there is something left to kill.
TALKS, EXCHANGES = 150, 5


@pytest.mark.django_db(transaction=True)
def test_an_entry_that_cannot_be_stored_leaves_no_conversation_without_it(ana: Account, tmp_path: Path) -> None:
    export = written(
        tmp_path, [chatgpt(PORT, REPLY), chatgpt(BACKUP, id="c2"), chatgpt(("user", "And the NAS?"), id="c3")]
    )
    with connection.cursor() as cursor:
        cursor.execute(REFUSE)
        with pytest.raises(DatabaseError, match="disk full"):
            bring_in(ana, export)
        cursor.execute("DROP TRIGGER refuse")

    assert (Conversation.objects.count(), Message.objects.count(), Entry.objects.count()) == (0, 0, 0)
    bring_in(ana, export)
    assert (Conversation.objects.count(), Message.objects.count(), Entry.objects.count()) == (3, 4, 3)


class Watchful:
    """An embedder that will not be asked while the database is locked for others."""

    name, wrapper, dim = "watchful", "", 4

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        assert not connection.in_atomic_block
        return [np.array([len(text), 1, 0, 0], dtype=np.float32) / np.hypot(len(text), 1) for text in texts]

    def embed_query(self, text: str) -> Vector:
        return self.embed_documents([text])[0]


def talk_of(value: dict[str, Any]) -> ImportedConversation:
    [read] = conversations([value], "conversations.json")
    assert isinstance(read, ReadConversation)
    return dated(read, timezone.now())


@pytest.mark.django_db(transaction=True)
def test_nothing_is_embedded_while_a_transaction_is_open(ana: Account) -> None:
    talk, door = talk_of(chatgpt(PORT, REPLY, BACKUP)), Ahead(Watchful())
    bring(ana, [talk], door)

    assert (Entry.objects.count(), VectorRow.objects.count()) == (2, 2)


def counts(forge: LiveForge) -> list[tuple[int, int]]:
    database = Database.connect(forge.data_dir / "forge.db", timeout=20)
    try:
        return [(messages, entries) for _id, messages, entries in database.execute(COUNTS)]
    finally:
        database.close()


def exchanges(number: int) -> list[tuple[str, str]]:
    """Every one different: the same words twice are one entry."""
    pairs = ((f"Note {number}.{one} for the shed?", f"Shelf {number * one + one} it is.") for one in range(EXCHANGES))
    return [said for question, answer in pairs for said in (("user", question), ("assistant", answer))]


def test_an_import_that_is_killed_is_finished_by_the_next(forge: LiveForge, tmp_path: Path) -> None:
    forge.token("crash")
    export = tmp_path / "conversations.json"
    export.write_text(json.dumps([chatgpt(*exchanges(number), id=f"k{number}") for number in range(TALKS)]))
    command = [sys.executable, "manage.py", "import", str(export), "--user", "crash"]
    running = subprocess.Popen(command, cwd=ROOT, env=forge.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(lambda: bool(counts(forge)) or running.poll() is not None, 60)
    running.send_signal(signal.SIGKILL)
    assert running.wait() == -signal.SIGKILL, "the import was over before it could be killed"

    half = counts(forge)
    assert 0 < len(half) < TALKS
    assert set(half) == {(2 * EXCHANGES, EXCHANGES)}
    assert forge.run("import", str(export), "--user", "crash").returncode == 0
    assert counts(forge) == [(2 * EXCHANGES, EXCHANGES)] * TALKS
    assert "Nothing new." in forge.run("import", str(export), "--user", "crash").stdout
