"""Keeps the web server and the worker running, and ends them with itself. Standard library only: this process lives
as long as Forge does, and with Django in it it would take five times the memory.

Each child has a session of its own, so that Ctrl-C reaches only this process, and reads a pipe of which this process
holds the other end: when this process dies, however that is, the pipe closes and the child ends its own group.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from queue import SimpleQueue
from threading import Event, Thread, Timer

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
#: How long a child may take to end by itself, a job that runs included, before it is killed.
STOP_SECONDS = 5.0
#: A worker that dies again at once is restarted later and later.
FIRST_PAUSE, LONGEST_PAUSE, STEADY_AFTER = 0.5, 30.0, 60.0
POLL_SECONDS = 0.1


@dataclass(frozen=True)
class Plan:
    """What to run and what to say once it serves."""

    manage: str
    host: str
    port: int
    worker: bool
    greeting: tuple[str, ...]


@dataclass(frozen=True)
class Stopped:
    """The person, or the system, asked for the end."""


@dataclass(frozen=True)
class Ended:
    """A child's first process is gone; the rest of its group may not be."""

    child: Child
    status: int


@dataclass(frozen=True)
class Due:
    """A dead worker's pause is over."""

    child: Child


@dataclass
class Child:
    name: str
    command: list[str]
    events: SimpleQueue[Stopped | Ended | Due]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    pause: float = FIRST_PAUSE

    def start(self) -> None:
        self.started = time.monotonic()
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, start_new_session=True)
        Thread(target=self._watch, args=[self.process], daemon=True).start()

    def _watch(self, process: subprocess.Popen[bytes]) -> None:
        self.events.put(Ended(self, process.wait()))

    def restart_later(self) -> None:
        """After the rest of the dead one's group is gone: django-q's sentinel goes on working without its parent."""
        self.kill_group()
        if time.monotonic() - self.started > STEADY_AFTER:
            self.pause = FIRST_PAUSE
        timer = Timer(self.pause, self.events.put, [Due(self)])
        timer.daemon = True
        timer.start()
        self.pause = min(self.pause * 2, LONGEST_PAUSE)

    def ask_to_end(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.terminate()

    def kill_group(self) -> None:
        if self.process:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)


@dataclass
class Supervisor:
    plan: Plan
    events: SimpleQueue[Stopped | Ended | Due] = field(default_factory=SimpleQueue)
    ending: Event = field(default_factory=Event)

    def __post_init__(self) -> None:
        listen = ["--host", self.plan.host, "--port", str(self.plan.port)]
        self.web = self._child("web", *listen)
        self.children = [self.web, *([self._child("worker")] if self.plan.worker else [])]

    def _child(self, name: str, *arguments: str) -> Child:
        return Child(name, [sys.executable, self.plan.manage, name, "--supervised", *arguments], self.events)

    def run(self) -> int:
        """Until the end. 0 when it was asked for, 1 when the web server ended by itself."""
        for number in STOP_SIGNALS:
            signal.signal(number, lambda *_: self.events.put(Stopped()))
        for child in self.children:
            child.start()
        Thread(target=self._greet, daemon=True).start()
        status = self._wait()
        self._stop_all()
        return status

    def _wait(self) -> int:
        while True:
            match self.events.get():
                case Stopped():
                    return 0
                case Ended(child=child, status=status) if child is self.web:
                    say(f"The web server ended with status {status}; Forge stops.")
                    return 1
                case Ended(child=child, status=status):
                    say(f"The {child.name} ended with status {status}; it is started again in {child.pause:g} s.")
                    child.restart_later()
                case Due(child=child):
                    child.start()

    def _stop_all(self) -> None:
        """Ask, wait, then kill what is left of each group. A second Ctrl-C ends the waiting."""
        self.ending.set()
        for child in self.children:
            child.ask_to_end()
        deadline = Timer(STOP_SECONDS, self.events.put, [Stopped()])
        deadline.daemon = True
        deadline.start()
        while any(child.process and child.process.poll() is None for child in self.children):
            if isinstance(self.events.get(), Stopped):
                break
        for child in self.children:
            child.kill_group()

    def _greet(self) -> None:
        while not self.ending.wait(POLL_SECONDS):
            if serves(self.plan.host, self.plan.port):
                for line in self.plan.greeting:
                    say(line)
                return


def serves(host: str, port: int) -> bool:
    """Does `GET /health` answer 200?"""
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    connection = HTTPConnection(reachable, port, timeout=5)
    try:
        connection.request("GET", "/health", headers={"Host": "localhost"})
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def say(line: str) -> None:
    with suppress(OSError):  # the terminal may be gone, the work goes on
        print(line, flush=True)


def become(plan: Plan) -> None:
    """Replace this process by its supervisor. The plan travels through a pipe: a link's secret is in no `ps`."""
    reader, writer = os.pipe()
    with os.fdopen(writer, "w") as pipe:
        json.dump(plan.__dict__, pipe)
    os.set_inheritable(reader, True)
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(sys.executable, [sys.executable, "-P", __file__, str(reader)])


def main() -> int:
    with os.fdopen(int(sys.argv[1])) as pipe:
        plan = Plan(**json.load(pipe))
    return Supervisor(plan).run()


if __name__ == "__main__":
    sys.exit(main())
