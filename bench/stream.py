"""A model's stream through Forge to many pages, beside the least that could pass it on.

    python -m bench.stream [--sockets 100] [--tokens 400] [--every 0.0333] [--entries 10000] [--rounds 3] [--turns 200]

A scripted model in a process of its own (bench/steady_model.py), a real Forge whose memory holds so many entries, and
a bare relay (bench/relay.py), in turn under the same load. Printed: lost tokens, CPU a token of each and
their ratio, from sending a token to hearing it, how soon a ping is answered meanwhile (bench/pulse.py), how soon the
model sees a stop, and what stands before the first token. CPU is read from the clock of the process itself; wall times
include the model, the load generator and whatever else the machine does: how long the server's event loop was ready to
run and had no core is printed beside them.
"""

from __future__ import annotations

import argparse
import asyncio
import bisect
import json
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import httpx
from websockets.asyncio.client import ClientConnection

from bench.filling import question
from bench.listeners import Heard, all_at_once, hear, listeners, send
from bench.pulse import STALL, Pulse
from bench.sockets import middle, say
from bench.steady_model import answer
from bench.targets import Model, Target, cpu, forge, kept_waiting, pulse, relay, steady_model

SAMPLE = 0.25
STOPS = 20


@dataclass(frozen=True)
class Cost:
    """Milliseconds of CPU a token: over everything, and while every socket streamed and nothing began or ended."""

    whole: float
    steady: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sockets", type=int, default=100)
    parser.add_argument("--tokens", type=int, default=400, help="of each answer, four characters each")
    parser.add_argument("--every", type=float, default=1 / 30, help="seconds between two tokens of one answer")
    parser.add_argument("--entries", type=int, default=10_000, help="what memory holds")
    parser.add_argument("--rounds", type=int, default=3, help="how often each of the two has the load")
    parser.add_argument("--turns", type=int, default=200, help="turns for the time to the first token")
    asked = parser.parse_args()
    with steady_model(asked.tokens, asked.every) as model, relay(model) as bare, forge(model, asked.entries) as target:
        asyncio.run(warm(target))
        in_turn(bare, target, model, asked.sockets, asked.rounds)
        asyncio.run(stops(target, model, 0))
        asyncio.run(stops(target, model, asked.sockets // 3))
        asyncio.run(first_tokens(target, model, asked.turns))


def in_turn(bare: Target, target: Target, model: Model, sockets: int, rounds: int) -> None:
    """The machine's other work meets both. A starved server reads more at once, and its tokens cost it less."""
    costs = [
        [asyncio.run(load(each, model, sockets, f"{each.name}-{number}")) for each in (bare, target)]
        for number in range(rounds)
    ]
    for what, ratios in (
        ("over everything", [ours.whole / least.whole for least, ours in costs]),
        ("while all stream", [ours.steady / least.steady for least, ours in costs]),
    ):
        said = ", ".join(f"{ratio:.2f}" for ratio in ratios)
        print(f"CPU a token, Forge over the relay, {what}: {middle(ratios):.2f} ({said})")


async def warm(target: Target) -> None:
    """The first question brings the index up to date and loads the embedder."""
    async with listeners(1, target.port, target.token) as [socket]:
        await hear(socket, await send(socket, "warm", question(0)))


# -- under load


async def load(target: Target, model: Model, count: int, name: str) -> Cost:
    with pulse(target) as beating:
        async with listeners(count, target.port, target.token) as sockets:
            before, waited = cpu(target.pid), kept_waiting(target.pid)
            still = len(target.stalls())
            bench, other = time.process_time(), cpu(model.pid)
            samples: list[tuple[float, float]] = []
            sampler = asyncio.create_task(sample(target.pid, samples))
            heard = await all_at_once(sockets, name, question)
            sampler.cancel()
            used, waited = cpu(target.pid) - before, kept_waiting(target.pid) - waited
        beating.stdin.close()
        trips = Pulse(**json.loads(beating.stdout.readline()))
    seconds = max(each.ended for each in heard) - min(each.asked for each in heard)
    print(f"\n{name}: {count} sockets, {seconds:.1f} s; the server's loop waited {waited:.1f} s for a core")
    if target.log:
        stood = target.stalls()[still:]
        print(f"the event loop stood still for over 200 ms: {len(stood)} times, at most {max(stood, default=0)} ms")
    print(f"CPU of the model {cpu(model.pid) - other:.1f} s, of this process {time.process_time() - bench:.1f} s")
    return report(target, model, heard, samples, used, trips)


async def sample(pid: int, samples: list[tuple[float, float]]) -> None:
    while True:
        samples.append((time.monotonic(), cpu(pid)))
        await asyncio.sleep(SAMPLE)


def report(
    target: Target,
    model: Model,
    heard: Sequence[Heard],
    samples: Sequence[tuple[float, float]],
    used: float,
    pulse: Pulse,
) -> Cost:
    said = model.said()
    assert heard[0].mark in said, f"the model was not asked: {heard[0].last}"
    sent = [said[each.mark]["sent"] for each in heard]
    tokens = sum(map(len, sent))
    paces = [(len(some) - 1) / (some[-1] - some[0]) for some in sent]
    print(f"{tokens} tokens, {middle(paces):.1f} a second each; {sum(each.frames for each in heard)} frames of "
          f"{sum(each.size for each in heard) / 2**20:.1f} MiB; {lost(target, model, heard)}")  # fmt: skip
    cost = Cost(used * 1000 / tokens, steady(heard, sent, samples))
    print(f"CPU {cost.whole:.3f} ms a token, {cost.steady:.3f} while all stream, "
          f"{(cost.whole - cost.steady) * tokens / len(heard):.1f} ms a turn besides")  # fmt: skip
    latencies = [ms for each, some in zip(heard, sent, strict=True) for ms in delays(each, some)]
    say("token sent to heard", latencies)
    begun, ended = span(sent)
    for what, first, last in (("begin", 0.0, begun), ("all stream", begun, ended), ("end", ended, math.inf)):
        pings(what, [ms for at, ms in pulse.trips if first <= at < last])
    print(f"{pulse.unsure} more pings not counted: this side was late")
    return cost


def pings(what: str, trips: Sequence[float]) -> None:
    if len(trips) > 1:
        stalls = sum(ms > STALL * 1000 for ms in trips)
        say(f"ping answered while they {what}, {stalls} over {STALL * 1000:.0f} ms", trips)


def span(sent: Sequence[Sequence[float]]) -> tuple[float, float]:
    """From when every socket streams to when the first of them does no more."""
    return max(some[0] for some in sent) + 0.5, min(some[-1] for some in sent)


def lost(target: Target, model: Model, heard: Sequence[Heard]) -> str:
    """Compares what each socket heard, and what is stored of the first ten, with what the model said."""
    whole = "".join(answer(model.tokens))
    bad = [each for each in heard if each.text.strip() != whole.strip() or each.last["type"] != "done"]
    if bad:
        print(f"! {bad[0].mark} ended {bad[0].last} with {len(bad[0].text)} of {len(whole)} characters")
    if target.name == "relay":
        return f"{len(bad)} answers with a token lost"
    kept = [stored(target, each.conversation) for each in heard[:10]]
    otherwise = sum(each.strip() != whole.strip() for each in kept)
    return f"{len(bad)} answers with a token lost, {otherwise} of {len(kept)} stored otherwise"


def stored(target: Target, conversation: str) -> str:
    headers = {"Authorization": f"Bearer {target.token}"}
    url = f"http://127.0.0.1:{target.port}/history?conversation={conversation}"
    return str(httpx.get(url, headers=headers, trust_env=False).json()[-1]["content"])


def steady(heard: Sequence[Heard], sent: Sequence[Sequence[float]], samples: Sequence[tuple[float, float]]) -> float:
    """Milliseconds of CPU a token from the last first token to the first last one."""
    begin, end = span(sent)
    inside = [each for each in samples if begin <= each[0] <= end]
    assert len(inside) > 1, "no time at which every socket streamed: ask for more tokens"
    (first, before), (last, after) = inside[0], inside[-1]
    between = sum(bisect.bisect(some, last) - bisect.bisect(some, first) for some in sent)
    return (after - before) * 1000 / between


def delays(heard: Heard, sent: Sequence[float]) -> Iterator[float]:
    """Milliseconds from sending each token to hearing the frame that completes it."""
    characters = number = 0
    for at, text in heard.deltas:
        characters += len(text)
        while number < len(sent) and characters >= 4 * (number + 1):
            yield (at - sent[number]) * 1000
            number += 1


# -- one at a time


async def stops(target: Target, model: Model, others: int) -> None:
    """How long until the model sees that nobody listens any more, with so many other sockets that stream."""
    async with listeners(others + 1, target.port, target.token) as [socket, *rest]:
        around = asyncio.create_task(all_at_once(rest, f"around-{others}", question))
        await asyncio.sleep(others / 20 + 0.5)
        asked = {f"stop-{others}-{number}": await stop(socket, f"stop-{others}-{number}") for number in range(STOPS)}
        streaming = not around.done()
        await around
    said = await asyncio.to_thread(model.said)
    assert streaming or not others, "the others had ended: ask for more tokens"
    say(
        f"stop to the model's end of stream, {others} others",
        [(said[mark]["left"] - at) * 1000 for mark, at in asked.items()],
    )


async def stop(socket: ClientConnection, mark: str) -> float:
    heard = await hear(socket, await send(socket, mark, question(3)), deltas=3)
    at = time.monotonic()
    await socket.send(json.dumps({"type": "stop"}))
    await hear(socket, heard)
    return at


async def first_tokens(target: Target, model: Model, turns: int) -> None:
    """What stands before the first token: the server's CPU, and the wall clock beside the model asked directly."""
    spent, through, direct = [], [], []
    async with listeners(1, target.port, target.token) as [socket]:
        for number in range(turns):
            await asyncio.sleep(0.1)  # what ends the turn before is over
            before = cpu(target.pid)
            heard = await send(socket, f"first-{number}", question(number))
            await hear(socket, heard, deltas=1)
            spent.append((cpu(target.pid) - before) * 1000)
            through.append((heard.deltas[0][0] - heard.asked) * 1000)
            await socket.send(json.dumps({"type": "stop"}))
            await hear(socket, heard)
            direct.append(await bare(model, number))
    print()
    say("CPU before the first token", spent)
    say("first token through Forge", through)
    say("first token of the model itself", direct)


async def bare(model: Model, number: int) -> float:
    body = {"model": "any", "stream": True, "messages": [{"role": "user", "content": question(number)}]}
    async with httpx.AsyncClient(trust_env=False) as client:
        began = time.monotonic()
        async with client.stream("POST", f"{model.url}/v1/chat/completions", json=body) as response:
            async for line in response.aiter_lines():
                if '"content": "' in line:
                    return (time.monotonic() - began) * 1000
    raise AssertionError("the model said nothing")


if __name__ == "__main__":
    main()
