"""A real Forge for tests: `manage.py up` with a data folder and a port of its own."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Event
from types import TracebackType
from typing import Self

from forgesite.config import ALIASES, IGNORED, IMPORTED, ROOT, Config
from forgesite.supervisor import serves

READY_SECONDS = 120.0
STOP_SECONDS = 20.0
#: The greeting is printed by the same check that this class polls, so it is never far behind.
GREETING = re.compile(r"^Forge is at (\S+)$", re.MULTILINE)
SIGN_IN = re.compile(r"^Sign in: (\S+)$", re.MULTILINE)


class LiveForge:
    """Runs from `with` to the end of the block. `env` adds settings; nothing of the owner's environment is read.

    With `started=False` it is a data folder and a port only: for commands, and for a start that should fail.
    """

    def __init__(
        self, *, env: Mapping[str, str] | None = None, arguments: tuple[str, ...] = (), started: bool = True
    ) -> None:
        self.started = started
        self.folder = Path(tempfile.mkdtemp(prefix="forge-live-"))
        self.data_dir = self.folder / "data"
        self.output = self.folder / "output.txt"
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.arguments = arguments
        # `builtin`: a model server that happens to run on this machine answers no test.
        own = {"DATA_DIR": str(self.data_dir), "USER": "amelie", "LLM_PROVIDER": "builtin"}
        self.env = own_environment() | own | dict(env or {})
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            return self.start() if self.started else self
        except BaseException:
            self.__exit__(None, None, None)
            raise

    def __exit__(self, kind: type[BaseException] | None, *rest: BaseException | TracebackType | None) -> None:
        self.stop()
        if kind is not None:
            print(f"--- output of Forge\n{self.said()}", file=sys.stderr)
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self) -> Self:
        """Until `/health` answers 200 and the greeting is out. Raises AssertionError with what Forge said."""
        with self.output.open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "up", "--port", str(self.port), *self.arguments],
                cwd=ROOT,
                env=self.env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        until(lambda: self._ended() or bool(self._greeted() and serves("127.0.0.1", self.port)), READY_SECONDS)
        assert not self._ended(), f"Forge did not start:\n{self.said()}"
        return self

    def stop(self, number: int = signal.SIGTERM) -> int | None:
        """The exit status, or None when it did not run. What does not end in time is killed and fails the test."""
        if self.process is None:
            return None
        process, self.process = self.process, None
        if process.poll() is None:
            process.send_signal(number)
        try:
            return process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            raise

    def restart(self) -> Self:
        """Stop and start on the same data and port. A link of before is no longer printed last."""
        self.stop()
        self.output.rename(self.folder / f"output-{time.monotonic_ns()}.txt")
        return self.start()

    def run(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """A command on its data folder. Its status is for the caller to look at."""
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(command, cwd=ROOT, env=self.env, input=stdin, capture_output=True, text=True, check=False)

    def token(self, user: str | None = None) -> str:
        done = self.run("token", "create", *(["--user", user] if user else []))
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()[-1]

    @property
    def sign_in(self) -> str:
        """The one-time link that was printed at the last start."""
        found = SIGN_IN.findall(self.said())
        assert found, f"no link was printed:\n{self.said()}"
        return str(found[-1])

    def said(self) -> str:
        return self.output.read_text(errors="replace") if self.output.exists() else ""

    def _greeted(self) -> bool:
        return bool(GREETING.search(self.said()))

    def _ended(self) -> bool:
        return self.process is None or self.process.poll() is not None


def own_environment() -> dict[str, str]:
    """The environment without any setting of Forge, so that an owner's `.env` or shell changes no test."""
    dropped = {*Config.model_fields, *ALIASES, *IMPORTED, *IGNORED, "DJANGO_SETTINGS_MODULE"}
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    return kept | {"FORGE_ENV_FILE": "", "PYTHONUNBUFFERED": "1", "LLM_PROVIDER": "builtin"}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until(holds: Callable[[], bool], seconds: float) -> None:
    """Return as soon as it holds. Raises AssertionError after `seconds`."""
    pause, deadline = Event(), time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"not so within {seconds:g} s"
        pause.wait(0.05)
