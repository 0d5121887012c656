"""Keeps the web server and the worker running, and ends them with itself. Standard library only: this process lives
as long as Forge does, and with Django in it it would take five times the memory and start two seconds later.

The web server's process prepares the data folder first and then tells, through a pipe, what to say to the person.
Only then does the worker start.

Each child has a session of its own, so that Ctrl-C reaches only this process, and reads a pipe of which this process
holds the other end: when this process dies, however that is, the pipe closes and the child ends its own group.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from argparse import ArgumentParser
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread, Timer

MANAGE = Path(__file__).resolve().parent.parent / "manage.py"
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
#: How long a child may take to end by itself, a job that runs included, before it is killed.
STOP_SECONDS = 5.0
#: A worker that dies again at once is restarted later and later.
FIRST_PAUSE, LONGEST_PAUSE, STEADY_AFTER = 0.5, 30.0, 60.0
POLL_SECONDS = 0.1


@dataclass(frozen=True)
class Stopped:
    """The person, or the system, asked for the end."""


@dataclass(frozen=True)
class Prepared:
    """The data folder is ready, and these lines are for the person once the page serves."""

    greeting: tuple[str, ...]


@dataclass(frozen=True)
class Ended:
    """A child's first process is gone; the rest of its group may not be."""

    child: Child
    status: int


@dataclass(frozen=True)
class Due:
    """A dead worker's pause is over."""

    child: Child


Happening = Stopped | Prepared | Ended | Due


@dataclass
class Child:
    name: str
    command: list[str]
    events: SimpleQueue[Happening]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    pause: float = FIRST_PAUSE

    def start(self, *, fds: tuple[int, ...] = ()) -> None:
        self.started = time.monotonic()
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, start_new_session=True, pass_fds=fds)
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


class Supervisor:
    def __init__(self, host: str, port: int, *, worker: bool) -> None:
        self.host, self.port, self.with_worker = host, port, worker
        self.events: SimpleQueue[Happening] = SimpleQueue()
        self.ending = Event()
        self.prepared = False
        self.greeting_in, self.greeting_out = os.pipe()
        listen = ["--host", host, "--port", str(port), "--greeting", str(self.greeting_out)]
        self.web, self.worker = self._child("web", *listen), self._child("worker")

    def _child(self, name: str, *arguments: str) -> Child:
        return Child(name, [sys.executable, str(MANAGE), name, "--supervised", *arguments], self.events)

    def run(self) -> int:
        """Until the end. 0 when it was asked for, 1 when the web server ended by itself."""
        for number in STOP_SIGNALS:
            signal.signal(number, lambda *_: self.events.put(Stopped()))
        self.web.start(fds=(self.greeting_out,))
        os.close(self.greeting_out)
        Thread(target=self._hear_greeting, daemon=True).start()
        status = self._wait()
        self._stop_all()
        return status

    def _hear_greeting(self) -> None:
        with os.fdopen(self.greeting_in) as pipe:
            lines = tuple(pipe.read().splitlines())
        if lines:
            self.events.put(Prepared(lines))

    def _wait(self) -> int:
        while True:
            match self.events.get():
                case Stopped():
                    return 0
                case Prepared(greeting=lines):
                    self._go_on(lines)
                case Ended(child=child, status=status) if child is self.web:
                    if self.prepared:  # before that it has said itself why it cannot start
                        say(f"The web server ended with status {status}; Forge stops.")
                    return 1
                case Ended(child=child, status=status):
                    say(f"The {child.name} ended with status {status}; it is started again in {child.pause:g} s.")
                    child.restart_later()
                case Due(child=child):
                    child.start()

    def _go_on(self, greeting: tuple[str, ...]) -> None:
        self.prepared = True
        if self.with_worker:
            self.worker.start()
        Thread(target=self._greet, args=[greeting], daemon=True).start()

    def _stop_all(self) -> None:
        """Ask, wait, then kill what is left of each group. A second Ctrl-C ends the waiting."""
        self.ending.set()
        children = (self.web, self.worker)
        for child in children:
            child.ask_to_end()
        deadline = Timer(STOP_SECONDS, self.events.put, [Stopped()])
        deadline.daemon = True
        deadline.start()
        while any(child.process and child.process.poll() is None for child in children):
            if isinstance(self.events.get(), Stopped):
                break
        for child in children:
            child.kill_group()

    def _greet(self, lines: tuple[str, ...]) -> None:
        while not serves(self.host, self.port):
            if self.ending.wait(POLL_SECONDS):
                return
        for line in lines:
            say(line)


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


def refuse_busy(host: str, port: int) -> None:
    """Ends with one line where nobody can listen, before anything is made or started."""
    try:
        family, _kind, _protocol, _name, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or error
        sys.exit(f"Forge cannot listen on port {port} of {host}: {why}. Name another with --port.")


def main() -> int:
    parser = ArgumentParser(prog="manage.py up", description="Run the web server and the worker until Ctrl-C.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on (default: %(default)s)")
    parser.add_argument("--no-worker", action="store_true", help="run the web server only")
    asked = parser.parse_args()
    refuse_busy(asked.host, asked.port)
    return Supervisor(asked.host, asked.port, worker=not asked.no_worker).run()


if __name__ == "__main__":
    sys.exit(main())
