"""Several processes write at once: nobody meets a locked database, and no write is lost."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from django.db import connection

#: Entries that each writer makes one by one: few in the test command, many in `python -m bench.full`.
WRITES = int(os.environ.get("FORGE_TEST_WRITES", "8"))
WRITER = """
import sys, django
django.setup()
from forgesite.models import Account
from memory.errors import StaleVersionError
from memory.models import Entry
from memory.recall import Query, recall
from memory.remember import Draft, remember, remember_many
from memory.revise import Changes, revise
owner, name = Account.objects.get(), sys.argv[1]

def new_version(text):
    while True:
        try:
            return remember(owner, Draft(text, key="port"), actor="person", cause="test")
        except StaleVersionError:
            print("read again")

for number in range(int(sys.argv[2])):
    new_version(f"{name} says that the port is {number}")
    entry = remember(owner, Draft(f"{name} wrote note number {number}"), actor="person", cause="test").entry
    revise(owner, entry.pk, Changes(pinned=True), version=1, actor="person", cause="test")
    recall(owner, Query(f"note {number}"))
remember_many(owner, [Draft(f"{name} note {n} again") for n in range(20)], actor="import", cause="test")
"""
CHECK = """
import django
django.setup()
from django.db import connection
from memory import word_index
from memory.models import Commit, Entry, Link
from memory.verify import verify
assert Entry.objects.holding_keys().count() == 1
assert Link.objects.standing().filter(type="version_of").count() == Entry.objects.exclude(key="").count() - 1
ticks = list(Commit.objects.order_by("tick").values_list("tick", "parent", "address"))
assert [tick for tick, _parent, _address in ticks] == list(range(1, len(ticks) + 1))
assert all(one[2] == two[1] for one, two in zip(ticks, ticks[1:]))
assert word_index.check() == ""
assert [finding.message for finding in verify().findings] == []
with connection.cursor() as cursor:
    mode = cursor.execute("PRAGMA journal_mode").fetchone()[0]
    busy = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
print(Entry.objects.count(), len(ticks), mode, busy, connection.settings_dict["OPTIONS"]["transaction_mode"])
"""
#: With a pause: a proof looks at the index of words under the write lock, and no writer would get its turn.
PROVER = """
import time, django
django.setup()
from memory.models import Entry
from memory.verify import verify
written = 0
while written < {enough}:
    written = Entry.objects.count()
    assert [finding.message for finding in verify().findings] == []
    time.sleep(0.5)
print("proved")
"""
SETUP = """
import django
django.setup()
from django.core.management import call_command
from forgesite.models import Account
call_command("migrate", verbosity=0)
Account.objects.create_user("ana")
"""


def test_three_processes_write_and_one_proves_and_nothing_is_lost() -> None:
    with tempfile.TemporaryDirectory() as folder:
        assert run(folder, SETUP).communicate(timeout=120)[0] == ""
        writers = [run(folder, WRITER, name, str(WRITES)) for name in ("Ana", "Ben", "Eve")]
        prover = run(folder, PROVER.format(enough=3 * (2 * WRITES + 20)))
        for writer in writers:
            output = writer.communicate(timeout=900)[0]
            assert writer.returncode == 0, output
        assert prover.communicate(timeout=300)[0].strip() == "proved"
        output = run(folder, CHECK).communicate(timeout=60)[0].strip()
    assert output == f"{3 * (2 * WRITES + 20)} {3 * (3 * WRITES + 1)} wal 5000 IMMEDIATE"


def run(folder: str, code: str, *arguments: str) -> subprocess.Popen[str]:
    environment = os.environ | {
        "DATA_DIR": folder,
        "FORGE_ENV_FILE": "",
        "EMBEDDING_PROVIDER": "none",
        "DJANGO_SETTINGS_MODULE": "forgesite.settings",
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8"
    )


@pytest.mark.django_db(transaction=True)
def test_a_write_transaction_begins_immediate() -> None:
    assert connection.settings_dict["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
