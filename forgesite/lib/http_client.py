"""One HTTP client for each running event loop, shared by all doors to model servers."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator
from functools import cache
from weakref import WeakKeyDictionary

import httpx

#: Known within this time whether anybody is there, whatever the time an answer may take.
CONNECT_TIMEOUT = 3.0
Keeper = AsyncGenerator[httpx.AsyncClient, None]
_open: WeakKeyDictionary[asyncio.AbstractEventLoop, tuple[httpx.AsyncClient, Keeper]] = WeakKeyDictionary()


async def client() -> httpx.AsyncClient:
    """The client of the running loop. It is closed by `close`, at the latest by `loop.shutdown_asyncgens()`."""
    loop = asyncio.get_running_loop()
    if loop not in _open:
        keeper = _kept()
        _open[loop] = (await anext(keeper), keeper)
    return _open[loop][0]


async def close() -> None:
    """Closes the running loop's client, and with it every connection. A later call to `client` opens another."""
    if kept := _open.pop(asyncio.get_running_loop(), None):
        await kept[1].aclose()


def patience(timeout: float) -> httpx.Timeout:
    """`timeout` is the longest silence, not the longest answer."""
    return httpx.Timeout(timeout, connect=min(CONNECT_TIMEOUT, timeout))


async def _kept() -> Keeper:
    """An asynchronous generator, because a loop that ends closes those that it has seen begin."""
    async with httpx.AsyncClient(verify=_certificates(), trust_env=False, limits=_limits()) as opened:
        yield opened


def _limits() -> httpx.Limits:
    # llama.cpp closes an idle connection after 5 s: one that we would use just then would break.
    return httpx.Limits(max_connections=1000, max_keepalive_connections=100, keepalive_expiry=2.0)


@cache
def _certificates() -> ssl.SSLContext:
    """Reading them takes 20 ms. `SSL_CERT_FILE` names an authority of one's own; proxies are never used."""
    return httpx.create_ssl_context(trust_env=True)
