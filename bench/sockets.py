"""Many sockets against the built-in responder of a real Forge: CPU a token, how soon a stop answers, memory.

    python -m bench.sockets [--sockets 50] [--turns 10]

A token here is a word of an answer. The load generator shares the machine's cores, so the server's own CPU is read
from its processes, and nothing is concluded from the wall clock but latencies, which are upper bounds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import psutil
from websockets.asyncio.client import ClientConnection, connect

from forgesite.testing_server import LiveForge

FACTS = 200
LAST = ("done", "failed", "stopped")
QUESTION = "Which port does the server number {} use?"


@dataclass(frozen=True)
class Turn:
    tokens: int
    frames: int
    first_ms: float
    total_ms: float


async def main(sockets: int, turns: int) -> None:
    with LiveForge(env={"RATE_LIMIT_REQUESTS": "0"}) as forge:
        token = forge.token()
        await fill(forge.port, token)
        pages = [await page(forge.port, token) for _ in range(sockets)]
        idle = memory(forge)
        before, began = cpu(forge), time.monotonic()
        done = [
            turn for each in await asyncio.gather(*(ask(p, n, turns) for n, p in enumerate(pages))) for turn in each
        ]
        seconds, used = time.monotonic() - began, cpu(forge) - before
        report(done, seconds, used)
        say("stop, one while the others ask", await stops_among(pages, turns))
        say("stop, all at once", list(await asyncio.gather(*(stop(each, n) for n, each in enumerate(pages)))))
        print(f"memory with {sockets} sockets: before {idle}; after {memory(forge)}")
        for each in pages:
            await each.close()


async def page(port: int, token: str) -> ClientConnection:
    socket = await connect(f"ws://127.0.0.1:{port}/ws/chat/", additional_headers={"Authorization": f"Bearer {token}"})
    await until(socket, "ready")
    return socket


async def until(socket: ClientConnection, *types: str) -> list[tuple[float, dict[str, Any]]]:
    heard: list[tuple[float, dict[str, Any]]] = []
    while not heard or heard[-1][1]["type"] not in types:
        frame = json.loads(await socket.recv())
        heard.append((time.monotonic(), frame))
    return heard


async def fill(port: int, token: str) -> None:
    socket = await page(port, token)
    for number in range(FACTS):
        text = f"!remember fact - the server number {number} in rack {number % 7} uses port {8000 + number}"
        await socket.send(json.dumps({"type": "send", "text": text}))
        await until(socket, *LAST)
    await socket.close()


async def ask(socket: ClientConnection, number: int, turns: int) -> list[Turn]:
    done = []
    for turn in range(turns):
        began = time.monotonic()
        text = QUESTION.format((number * turns + turn) % FACTS)
        await socket.send(json.dumps({"type": "send", "text": text}))
        heard = await until(socket, *LAST)
        deltas = [(at, frame["text"]) for at, frame in heard if frame["type"] == "delta"]
        words = sum(len(text.split()) for _at, text in deltas)
        first = (deltas[0][0] if deltas else heard[-1][0]) - began
        done.append(Turn(words, len(heard), first * 1000, (heard[-1][0] - began) * 1000))
    return done


async def stop(socket: ClientConnection, number: int) -> float:
    """Milliseconds from `stop` to the last frame, with every other socket asking and stopping at the same time."""
    await socket.send(json.dumps({"type": "send", "text": QUESTION.format(number)}))
    await until(socket, "accepted")
    began = time.monotonic()
    await socket.send(json.dumps({"type": "stop"}))
    return (((await until(socket, *LAST))[-1][0]) - began) * 1000


async def stops_among(pages: list[ClientConnection], turns: int) -> list[float]:
    """One socket asks and stops, again and again, while all the others ask."""
    others = asyncio.gather(*(ask(each, number, turns) for number, each in enumerate(pages[1:])))
    taken: list[float] = []
    while not others.done():
        taken.append(await stop(pages[0], len(taken)))
    await others
    return taken


def processes(forge: LiveForge) -> Iterator[tuple[str, psutil.Process]]:
    """The web server, the worker and what they start, by what they are."""
    assert forge.process
    for process in psutil.Process(forge.process.pid).children(recursive=True):
        words = process.cmdline()
        yield next((word for word in ("web", "worker") if word in words), "other"), process


def cpu(forge: LiveForge) -> float:
    times = [process.cpu_times() for name, process in processes(forge) if name == "web"]
    return float(sum(each.user + each.system for each in times))


def memory(forge: LiveForge) -> str:
    found = [(name, process.memory_info().rss / 2**20) for name, process in processes(forge)]
    return ", ".join(f"{name} {size:.0f} MiB" for name, size in sorted(found))


def report(turns: list[Turn], seconds: float, used: float) -> None:
    tokens, frames = sum(turn.tokens for turn in turns), sum(turn.frames for turn in turns)
    first, total = [turn.first_ms for turn in turns], [turn.total_ms for turn in turns]
    print(f"{len(turns)} turns, {tokens} tokens, {frames} frames in {seconds:.1f} s; web server's CPU {used:.2f} s")
    print(f"CPU: {used * 1000 / tokens:.2f} ms a token, {used * 1000 / len(turns):.1f} ms a turn")
    print(f"first words: p50 {middle(first):.0f} ms, p95 {late(first):.0f} ms; whole turn: p50 {middle(total):.0f} ms")


def say(what: str, taken: Sequence[float]) -> None:
    print(f"{what}: p50 {middle(taken):.1f} ms, p95 {late(taken):.1f} ms, worst {max(taken):.1f} ms (of {len(taken)})")


def middle(values: Sequence[float]) -> float:
    return statistics.median(values)


def late(values: Sequence[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sockets", type=int, default=50)
    parser.add_argument("--turns", type=int, default=10)
    chosen = parser.parse_args()
    asyncio.run(main(chosen.sockets, chosen.turns))
