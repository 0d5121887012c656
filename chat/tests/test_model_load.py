"""Many pages that wait for a slow model hold up nobody."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator

from chat.tests.sockets import Page, text_of
from forgesite.asgi import application
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel

pytestmark = pytest.mark.django_db(transaction=True)
PAGES = 30


@asynccontextmanager
async def worst_stall() -> AsyncIterator[list[float]]:
    """How late the event loop was, at worst, in seconds of its own thread's work and not of the machine's."""
    worst = [0.0]

    async def beat() -> None:
        while True:
            worked = time.thread_time()
            await asyncio.sleep(0.01)
            worst[0] = max(worst[0], time.thread_time() - worked)

    beating = asyncio.create_task(beat())
    try:
        yield worst
    finally:
        beating.cancel()


async def get(path: str) -> tuple[int, float]:
    """The status of a request to the whole site, and how long it took."""
    scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b""}
    scope |= {
        "headers": [(b"host", b"localhost")],
        "http_version": "1.1",
        "scheme": "http",
        "server": ("localhost", 80),
    }
    since = time.monotonic()
    make: Any = ApplicationCommunicator
    request = make(application, scope)
    await request.send_input({"type": "http.request", "body": b""})
    start = await request.receive_output(30)
    while (await request.receive_output(30)).get("more_body"):
        pass
    await request.wait(30)
    return start["status"], time.monotonic() - since


async def test_thirty_pages_that_wait_hold_up_nobody(ana: Account, model: ScriptedModel) -> None:
    for _number in range(PAGES):
        model.will_hang()
    pages = [await Page(ana).open() for _number in range(PAGES)]
    async with worst_stall() as worst:
        for number, page in enumerate(pages):
            await page.say("send", text=f"Are you there, number {number}?")
        while len(model.sent_to("/v1/chat/completions")) < PAGES:
            await asyncio.sleep(0.02)
        status, seconds = await get("/health")
        other = await Page(ana).open()
        since = time.monotonic()
        answer = await other.ask("How do plants eat?")
        answered = time.monotonic() - since
    for page in pages:
        await page.say("stop")
    for page in pages:
        await page.until("stopped")
    for page in [*pages, other]:
        await page.close()
    assert (status, text_of(answer)) == (200, "OK.")
    assert max(seconds, answered) < 1.0
    assert worst[0] < 0.2
    assert len(model.left) == PAGES


async def test_a_large_paste_stalls_nobody(ana: Account, model: ScriptedModel) -> None:
    model.window = 1_000_000
    page = await Page(ana).open()
    async with worst_stall() as worst:
        frames = await page.ask("The quick brown fox jumps over the lazy dog. " * 20_000)
    await page.close()
    assert frames[-1]["type"] == "done"
    assert worst[0] < 0.2
