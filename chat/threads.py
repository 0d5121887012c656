"""Where a turn's blocking work runs: short row writes on one thread, searches and saves on a few of their own.

A search of seconds must not stand before everybody's row writes, and neither may run on the event loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from channels.db import database_sync_to_async

P = ParamSpec("P")
R = TypeVar("R")

#: Each keeps a database connection; the embedder's own threads are bounded by itself.
SEARCHERS = ThreadPoolExecutor(max_workers=2, thread_name_prefix="search")


async def short(work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """A read or write of a few rows."""
    result: R = await database_sync_to_async(work)(*args, **kwargs)
    return result


async def long(work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """What may embed or scan. Cancelled, its thread goes on unheard: for reads, and inside `whole`."""
    run: Any = database_sync_to_async(work, thread_sensitive=False, executor=SEARCHERS)
    result: R = await run(*args, **kwargs)
    return result


async def whole(work: Awaitable[R]) -> R:
    """A write: a cancellation waits for its end and is raised then."""
    return await unbroken(work, keep_cancelled=True)


async def unbroken(work: Awaitable[R], *, keep_cancelled: bool = False) -> R:
    """Wait for `work` through every cancellation."""
    task, cancelled = asyncio.ensure_future(work), False
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            cancelled = True
    if cancelled and keep_cancelled and not task.cancelled() and not task.exception():
        raise asyncio.CancelledError
    return task.result()
