"""`up` as people run it: real processes, killed as people and systems kill them."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection

import psutil
import pytest
from websockets.sync.client import connect

from forgesite.sqlite3_vec.driver import Database
from forgesite.testing_server import LiveForge, until


@pytest.fixture(scope="module")
def running() -> Iterator[LiveForge]:
    """One Forge for the tests that leave it as it was."""
    with LiveForge() as forge:
        yield forge


def family(forge: LiveForge) -> list[psutil.Process]:
    """Every process below the supervisor."""
    assert forge.process is not None
    return list(psutil.Process(forge.process.pid).children(recursive=True))


def child(forge: LiveForge, name: str) -> psutil.Process:
    assert forge.process is not None
    [found] = [one for one in psutil.Process(forge.process.pid).children() if name in one.cmdline()]
    return found


def running_worker(forge: LiveForge) -> psutil.Process:
    """The worker with all of its processes up."""
    until(lambda: len(family(forge)) >= 6, 60)
    return child(forge, "worker")


def gone(processes: list[psutil.Process]) -> bool:
    return not any(one.is_running() and one.status() != psutil.STATUS_ZOMBIE for one in processes)


def up(forge: LiveForge, port: int = 0) -> subprocess.CompletedProcess[str]:
    """A start that is refused."""
    return forge.run("up", "--port", str(port or forge.port))


def test_it_says_where_it_is_and_how_to_sign_in(running: LiveForge) -> None:
    assert f"Forge is at {running.url}\n" in running.said()
    assert running.sign_in.startswith(f"{running.url}/signin/")
    with urllib.request.urlopen(f"{running.url}/health") as health:
        assert health.status == 200


def test_it_says_who_answers_and_nothing_else(running: LiveForge) -> None:
    assert sorted(line.split(" ")[0] for line in running.said().splitlines()) == ["Forge", "Model:", "Search", "Sign"]


def test_the_data_folder_is_the_owner_s_alone(running: LiveForge) -> None:
    assert stat.S_IMODE(running.data_dir.stat().st_mode) == 0o700


def test_the_first_account_has_the_name_of_the_person(running: LiveForge) -> None:
    running.token()

    assert " amelie " in running.run("token", "list").stdout


def test_a_busy_port_is_named_and_nothing_is_made(running: LiveForge) -> None:
    with LiveForge(started=False) as other:
        refused = up(other, running.port)

        assert refused.returncode == 1
        assert refused.stderr.count("\n") == 1
        assert str(running.port) in refused.stderr
        assert "--port" in refused.stderr
        assert not other.data_dir.exists()


def test_an_address_may_be_as_long_as_the_longest_query(running: LiveForge) -> None:
    headers = {"Authorization": f"Bearer {running.token()}"}

    with closing(HTTPConnection("127.0.0.1", running.port, timeout=60)) as connection:
        connection.request("GET", f"/search?q={'%C3%A9' * (128 * 1024)}", headers=headers)
        with closing(connection.getresponse()) as answer:
            assert answer.status == 200


def test_a_longer_address_is_answered_and_not_cut_off(running: LiveForge) -> None:
    with socket.create_connection(("127.0.0.1", running.port), timeout=30) as raw:
        raw.sendall(b"GET /health?q=" + b"x" * (1024 * 1024) + b" HTTP/1.1\r\n\r\n")

        assert raw.recv(100).startswith(b"HTTP/1.1 400")


def test_a_text_that_is_too_large_is_answered_on_an_open_socket(running: LiveForge) -> None:
    headers = {"Authorization": f"Bearer {running.token()}"}

    with connect(f"ws://127.0.0.1:{running.port}/ws/chat/", additional_headers=headers) as socket_:
        assert json.loads(socket_.recv())["type"] == "ready"
        socket_.send(json.dumps({"type": "send", "client_id": "1", "text": "é" * (1536 * 1024)}, ensure_ascii=False))
        answer = json.loads(socket_.recv())

    assert (answer["type"], answer["code"]) == ("failed", "too_large")


def test_a_token_in_an_address_is_in_no_log(running: LiveForge) -> None:
    urllib.request.urlopen(f"{running.url}/health?token=a-secret-of-somebody").close()

    assert "a-secret-of-somebody" not in running.said()


def test_a_killed_worker_is_started_again() -> None:
    with LiveForge() as forge:
        first = running_worker(forge)
        its_family = [first, *first.children(recursive=True)]
        first.kill()

        until(lambda: "worker ended" in forge.said() and gone(its_family), 20)
        assert running_worker(forge).pid != first.pid


def test_a_killed_supervisor_leaves_no_child() -> None:
    with LiveForge() as forge:
        running_worker(forge)
        left = family(forge)

        forge.stop(signal.SIGKILL)

        until(lambda: gone(left), 2)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_asked_to_end_it_ends_with_all_its_children(number: int) -> None:
    with LiveForge() as forge:
        running_worker(forge)
        left = family(forge)

        assert forge.stop(number) == 0
        assert gone(left)


def test_the_end_of_the_web_server_is_the_end_of_all() -> None:
    with LiveForge() as forge:
        running_worker(forge)
        left, process = family(forge), forge.process
        child(forge, "web").kill()

        assert process is not None
        assert process.wait(20) == 1
        assert gone(left)


def test_without_a_worker_there_is_none() -> None:
    with LiveForge(arguments=("--no-worker",)) as forge:
        assert [one.cmdline()[2] for one in family(forge)] == ["web"]


def test_a_second_start_finds_what_the_first_left() -> None:
    with LiveForge() as forge:
        token = forge.token()
        forge.run("account", "password", "amelie", "--stdin", stdin="une phrase de passe\n")

        forge.restart()

        request = urllib.request.Request(f"{forge.url}/memory", headers={"Authorization": f"Bearer {token}"})
        with urllib.request.urlopen(request) as answer:
            assert answer.status == 200
        assert "Sign in:" not in forge.said()
        assert not (forge.data_dir / "backups").exists()


def test_a_newer_database_is_refused_and_left_as_it_is() -> None:
    with LiveForge(arguments=("--no-worker",)) as forge:
        forge.stop()
        with closing(Database.connect(forge.data_dir / "forge.db")) as shell, shell:
            shell.execute("INSERT INTO django_migrations(app, name, applied) VALUES ('memory', '0999_later', '2031')")
        before = (forge.data_dir / "forge.db").read_bytes()

        refused = up(forge)

        assert refused.returncode == 1
        assert "memory.0999_later" in refused.stderr
        assert "Traceback" not in refused.stderr
        assert (forge.data_dir / "forge.db").read_bytes() == before


def test_a_pending_migration_is_preceded_by_a_backup() -> None:
    with LiveForge(arguments=("--no-worker",)) as forge:
        forge.stop()
        with closing(Database.connect(forge.data_dir / "forge.db")) as shell, shell:
            shell.execute("DROP TABLE django_session")
            shell.execute("DELETE FROM django_migrations WHERE app = 'sessions'")

        forge.restart()

        [copy] = (forge.data_dir / "backups").iterdir()
        assert str(copy) in forge.said()
        with closing(Database.connect(copy)) as shell:
            assert shell.execute("SELECT count(*) FROM forgesite_account").fetchone() == (1,)
            assert not shell.execute("SELECT 1 FROM sqlite_master WHERE name = 'django_session'").fetchone()


def test_a_file_that_is_no_database_is_named() -> None:
    with LiveForge(arguments=("--no-worker",)) as forge:
        forge.stop()
        (forge.data_dir / "forge.db").write_text("Dear diary, " * 1000)

        refused = up(forge)

        assert refused.returncode == 1
        assert "forge.db" in refused.stderr
        assert "Traceback" not in refused.stderr


def test_a_folder_that_cannot_be_used_is_named() -> None:
    with LiveForge(started=False) as forge:
        forge.env["DATA_DIR"] = os.devnull + "/data"

        refused = up(forge)

        assert refused.returncode == 1
        assert f"DATA_DIR={os.devnull}/data" in refused.stderr
        assert "Traceback" not in refused.stderr
