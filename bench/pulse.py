"""How soon a server answers a ping while it works: `python -m bench.pulse --port N [--token T]`.

It pings until its input closes, and then prints what it measured. A process of its own, so that the load generator's
work is not taken for the server's. It also measures how late its own clock wakes it: a ping that was sent late says
nothing, and is counted apart. What is left over 200 ms is a stall that a person would meet. It cannot tell the event
loop from a thread that held the interpreter, nor either from a machine that gave the server no core.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from dataclasses import asdict, dataclass, field

from websockets.asyncio.client import ClientConnection, connect

EVERY = 0.05
STALL = 0.2
LATE = 0.05


@dataclass
class Pulse:
    """`trips`: when a ping was sent, and its milliseconds. `unsure`: how many this process was too late for."""

    trips: list[tuple[float, float]] = field(default_factory=list)
    unsure: int = 0


async def main(port: int, token: str) -> None:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with connect(f"ws://127.0.0.1:{port}/ws/chat/", additional_headers=headers) as socket:
        await socket.recv()
        print("ready", flush=True)
        ended = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        pulse = Pulse()
        while not ended.done():
            await beat(socket, pulse)
    print(json.dumps(asdict(pulse)), flush=True)


async def beat(socket: ClientConnection, pulse: Pulse) -> None:
    asleep = time.monotonic()
    await asyncio.sleep(EVERY)
    sent = time.monotonic()
    await socket.send('{"type": "ping"}')
    while json.loads(await socket.recv())["type"] != "pong":
        pass
    if sent - asleep > EVERY + LATE:
        pulse.unsure += 1
    else:
        pulse.trips.append((sent, (time.monotonic() - sent) * 1000))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--token", default="")
    chosen = parser.parse_args()
    asyncio.run(main(chosen.port, chosen.token))
