"""Worker and web server as they run: a page hears what the worker did, and a worker that is killed leaves it undone."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import httpx
import psutil
import pytest
from websockets.sync.client import connect
from websockets.sync.connection import Connection

from forgesite.testing_embedders import ScriptedEmbedder
from forgesite.testing_server import LiveForge, until

FILL = """
from chat.tests.talks import talk_of
from forgesite import job
from forgesite.models import Account
owner = Account.objects.get(username="reader")
talk = talk_of(owner, 5)
job.enqueue("chat.jobs.compact", key=talk.pk, owner=owner.pk, conversation=talk.pk)
print(talk.pk)
"""
#: What the queue does some minutes after the kill: the lease of the dead is over, and the task is run again.
AGAIN = """
from django.utils import timezone
from chat.jobs import compact
from chat.models import Conversation
talk = Conversation.objects.get(pk="{talk}")
assert talk.compacting_since is not None
Conversation.objects.update(compacting_since="2026-01-01T00:00Z")
compact(talk.owner_id, talk.pk)
compact(talk.owner_id, talk.pk)
"""


@pytest.fixture(scope="module")
def embedder() -> Iterator[ScriptedEmbedder]:
    with ScriptedEmbedder() as server:
        yield server


@pytest.fixture(scope="module")
def forge(embedder: ScriptedEmbedder) -> Iterator[LiveForge]:
    """A Forge of its own: its worker is killed."""
    served = {"EMBEDDING_PROVIDER": embedder.provider, "EMBEDDING_URL": embedder.address}
    small = {"COMPACTION_THRESHOLD": "8", "COMPACTION_KEEP_RECENT": "4"}
    with LiveForge(env=served | small) as running:
        yield running


@contextmanager
def page(forge: LiveForge, token: str) -> Iterator[Connection]:
    url = f"ws://127.0.0.1:{forge.port}/ws/chat/"
    with connect(url, additional_headers={"Authorization": f"Bearer {token}"}) as socket:
        assert json.loads(socket.recv(20))["type"] == "ready"
        yield socket


def changed(socket: Connection) -> dict[str, Any]:
    frame: dict[str, Any] = json.loads(socket.recv(30))
    return frame


def shell(forge: LiveForge, script: str) -> str:
    done = forge.run("shell", "-v", "0", "-c", script)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def told(forge: LiveForge, token: str, turns: int) -> str:
    """So many turns of one conversation. Its id."""
    talk = ""
    with httpx.Client(base_url=forge.url, headers={"Authorization": f"Bearer {token}"}, timeout=30) as client:
        for number in range(turns):
            said = {"message": f"My plant number {number} stands in room {number}.", "conversation": talk or None}
            talk = client.post("/chat", json=said).json()["conversation"]
    return talk


def seen(forge: LiveForge, token: str, talk: str) -> tuple[list[dict[str, Any]], int]:
    """The history, and how many entries there are."""
    with httpx.Client(base_url=forge.url, headers={"Authorization": f"Bearer {token}"}, timeout=30) as client:
        rows: list[dict[str, Any]] = client.get(f"/history?conversation={talk}").json()
        return rows, client.get("/memory").json()["total"]


def test_a_page_hears_of_the_worker_and_a_killed_worker_leaves_nothing_half_done(
    forge: LiveForge, embedder: ScriptedEmbedder
) -> None:
    token = forge.token("reader")
    with page(forge, token) as socket:
        talk = told(forge, token, 5)
        assert [changed(socket)["what"] for _frame in range(2)] == ["compacting", "thread"]
    rows, entries = seen(forge, token, talk)
    assert "6 messages compacted" in rows[0]["content"]
    assert ([row["compacted"] for row in rows[1:]], entries) == ([True] * 6 + [False] * 4, 3)

    embedder.mode = "hang"
    asked = len(embedder.requests)
    other = shell(forge, FILL.replace("talk_of(owner, 5)", "talk_of(owner, 5, first=10)"))
    until(lambda: len(embedder.requests) > asked, 20)
    kill_worker(forge)
    embedder.mode = ""
    rows, entries = seen(forge, token, other)
    assert (any(row["compacted"] for row in rows), len(rows), entries) == (False, 10, 3)

    shell(forge, AGAIN.format(talk=other))
    rows, entries = seen(forge, token, other)
    assert (sum(row["compacted"] for row in rows), len(rows), entries) == (6, 11, 6)


def kill_worker(forge: LiveForge) -> None:
    """All of its processes at once, while it waits for the embedder."""
    assert forge.process is not None
    family = psutil.Process(forge.process.pid).children(recursive=True)
    workers = [one for one in family if is_worker(one)]
    assert workers
    for process in workers:
        with suppress(psutil.NoSuchProcess):
            process.send_signal(signal.SIGKILL)
    until(lambda: not any(map(is_alive, workers)), 20)


def is_worker(process: psutil.Process) -> bool:
    """One that ended since it was listed is none."""
    with suppress(psutil.NoSuchProcess):
        return "worker" in process.cmdline()
    return False


def is_alive(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    return False
