"""What bench/stream.py starts: a model, a relay, a Forge, and what pings them, each in a process of its own."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.sockets import processes
from forgesite.config import ROOT
from forgesite.testing_server import LiveForge, free_port, until

Said = dict[str, dict[str, Any]]
STOOD_STILL = re.compile(r"the event loop stood still ms=(\d+)")


@dataclass(frozen=True)
class Target:
    """What the load is put on: `forge` or `relay`, by its port, and the process whose CPU counts.

    `log`: what Forge says of itself.
    """

    name: str
    port: int
    token: str
    pid: int
    log: Path | None = None

    def stalls(self) -> list[int]:
        """Milliseconds of each time that Forge's own loop stood still for more than a fifth of a second, so far."""
        return [int(ms) for ms in STOOD_STILL.findall(self.log.read_text())] if self.log else []


@dataclass(frozen=True)
class Model:
    port: int
    pid: int
    tokens: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def said(self) -> Said:
        with urllib.request.urlopen(f"{self.url}/said", timeout=60) as reply:
            found: Said = json.load(reply)
        return found


@contextmanager
def running(*arguments: str, stdin: int | None = None) -> Iterator[subprocess.Popen[str]]:
    """A module of the benches as a process, until the end of the block."""
    command = [sys.executable, "-m", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stdin=stdin, text=True) as process:
        try:
            yield process
        finally:
            process.terminate()


@contextmanager
def steady_model(tokens: int, every: float) -> Iterator[Model]:
    port = free_port()
    paced = ("--port", str(port), "--tokens", str(tokens), "--every", str(every))
    with running("bench.steady_model", *paced) as process:
        assert process.stdout
        process.stdout.readline()
        yield Model(port, process.pid, tokens)


@contextmanager
def relay(model: Model) -> Iterator[Target]:
    port = free_port()
    with running("bench.relay", "--port", str(port), "--model", model.url) as process:
        until(lambda: listens(port), 20)
        yield Target("relay", port, "", process.pid)


@contextmanager
def forge(model: Model, entries: int) -> Iterator[Target]:
    env = {"LLM_PROVIDER": "openai", "LLM_URL": f"{model.url}/v1", "RATE_LIMIT_REQUESTS": "0"}
    with LiveForge(env=env) as live:
        token = live.token()
        filling = [sys.executable, "-m", "bench.filling", "--entries", str(entries)]
        subprocess.run(filling, cwd=ROOT, env=live.env, check=True)
        web = next(process for name, process in processes(live) if name == "web")
        print(f"\nforge: memory holds {entries} entries")
        yield Target("forge", live.port, token, web.pid, live.output)


def listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def cpu(pid: int) -> float:
    """Seconds of CPU that a process has used, of all its threads, to the nanosecond: Linux has a clock for it."""
    return time.clock_gettime((~pid << 3) | 2)


def kept_waiting(pid: int) -> float:
    """Seconds that the thread of a process's event loop was ready to run and had no core."""
    return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[1]) / 1e9


@contextmanager
def pulse(target: Target) -> Iterator[Any]:
    arguments = ("bench.pulse", "--port", str(target.port), "--token", target.token)
    with running(*arguments, stdin=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        yield process
