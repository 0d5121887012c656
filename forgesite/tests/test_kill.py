"""Kill it in the middle, start it again: what was acknowledged is there, and nothing is half-written."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import httpx
import psutil
import pytest

from forgesite.sqlite3_vec.driver import Database
from forgesite.testing_server import LiveForge, until

#: Few in the test command, many in `python -m bench.full`.
ROUNDS = int(os.environ.get("FORGE_TEST_KILLS", "5"))
#: Acknowledged writes of each kind before a kill.
WRITES = 12


@pytest.fixture(scope="module")
def forge() -> Iterator[LiveForge]:
    """A Forge of its own: this one is killed."""
    with LiveForge(env={"RATE_LIMIT_REQUESTS": "0"}) as running:
        yield running


def write_until_killed(forge: LiveForge, client: httpx.Client, name: str, enough: threading.Event) -> list[str]:
    """Saves and turns, in turn, until the server is gone. The texts that were acknowledged."""
    kept: list[str] = []
    while True:
        text = f"the {name} cable number {len(kept)} is in drawer {len(kept)}"
        try:
            if len(kept) % 2:
                client.post("/chat", json={"message": f"Remember that {text}"}).raise_for_status()
            else:
                client.post("/remember", json={"content": text}).raise_for_status()
        except httpx.TransportError:
            return kept
        kept.append(text)
        if len(kept) == WRITES:
            enough.set()


def kill(forge: LiveForge) -> None:
    """The web server at once, as a full memory would; then the supervisor, with what it still runs."""
    assert forge.process is not None
    family = psutil.Process(forge.process.pid).children(recursive=True)
    for process in [one for one in family if "web" in one.cmdline()]:
        process.send_signal(signal.SIGKILL)
    forge.stop(signal.SIGKILL)
    until(lambda: not any(one.is_running() and one.status() != psutil.STATUS_ZOMBIE for one in family), 20)


def rows(forge: LiveForge, sql: str) -> list[tuple[object, ...]]:
    with closing(Database.connect(str(forge.data_dir / "forge.db"))) as connection:
        return list(connection.execute(sql).fetchall())


def test_no_acknowledged_write_is_lost_and_none_is_half_written(forge: LiveForge) -> None:
    token = forge.token()
    for number in range(ROUNDS):
        enough = [threading.Event(), threading.Event()]
        with (
            httpx.Client(base_url=forge.url, headers={"Authorization": f"Bearer {token}"}, timeout=30) as client,
            ThreadPoolExecutor(2) as writers,
        ):
            names = [f"{colour}-{number}" for colour in ("red", "blue")]
            running = [
                writers.submit(write_until_killed, forge, client, name, event)
                for name, event in zip(names, enough, strict=True)
            ]
            assert all(event.wait(60) for event in enough)
            kill(forge)
            acknowledged = {text for one in running for text in one.result()}
        forge.start()
        texts = {str(text) for (text,) in rows(forge, "SELECT text FROM memory_entry")}
        assert acknowledged <= texts
        assert_whole(forge)


def assert_whole(forge: LiveForge) -> None:
    """Every entry has its words, its vector and its commit; no answer is still running; every turn has two rows."""
    without = "SELECT COUNT(*) FROM memory_entry e WHERE NOT EXISTS (SELECT 1 FROM {} x WHERE x.{} = e.id)"
    for table, column in (
        ("memory_words", "entry_id"),
        ("memory_vector", "entry_id"),
        ("memory_commitentry", "entry"),
        ("memory_textversion", "entry"),
    ):
        assert rows(forge, without.format(table, column)) == [(0,)], table
    assert rows(forge, "SELECT COUNT(*) FROM chat_message WHERE state = 'running'") == [(0,)]
    assert rows(forge, "SELECT COUNT(*) FROM chat_message GROUP BY run_id HAVING COUNT(*) <> 2") == []
    assert rows(forge, "PRAGMA integrity_check") == [("ok",)]
