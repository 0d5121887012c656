"""Who may open a socket: a page of ours with its session cookie, or a program with a token.

A foreign or `null` Origin is always refused, a missing one unless a token comes with it. A bad token is refused even
where a session would do.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from importlib import import_module
from typing import Any
from urllib.parse import parse_qs

from channels.auth import get_user
from channels.db import database_sync_to_async
from django.conf import settings
from django.http import parse_cookie
from django.utils.encoding import iri_to_uri

from forgesite.accounts import account_of_token
from forgesite.models import Account
from forgesite.origins import host_allowed, same_site
from forgesite.static_files import Receive, Scope, Send

log = logging.getLogger(__name__)
BEARER = "bearer"


class SocketDoor:
    """Sets `scope["user"]` for the application inside, or refuses the handshake (HTTP 403)."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {name.decode("latin1"): value.decode("latin1") for name, value in scope["headers"]}
        token = _token(scope, headers)
        account = None
        if _right_place(headers, token):
            account = await (_by_token(token) if token is not None else _by_session(headers))
        if account is None:
            await receive()
            await send({"type": "websocket.close", "code": 4403})
            return
        # A token in the address goes no further than here, so nothing inside can log it.
        inside = {**scope, "user": account, "query_string": b""}
        await self.inner(inside, receive, _choosing_bearer(scope, send))


def _right_place(headers: Mapping[str, str], token: str | None) -> bool:
    origin, host = headers.get("origin"), headers.get("host", "")
    if host_allowed(host) and (same_site(origin, host) if origin is not None else token is not None):
        return True
    log.warning(
        "refused a socket origin=%s host=%s: set PUBLIC_URL to the address people open",
        iri_to_uri(origin or "-")[:200],
        iri_to_uri(host)[:200],
    )
    return False


def _token(scope: Scope, headers: Mapping[str, str]) -> str | None:
    """The token offered by header, by subprotocol or in the address, in this order; empty if named but missing."""
    scheme, _, secret = headers.get("authorization", "").partition(" ")
    if scheme.lower() == BEARER:
        return secret.strip()
    offered = list(scope.get("subprotocols", []))
    if BEARER in offered:
        return next((name for name in offered if name != BEARER), "")
    in_address = parse_qs(scope.get("query_string", b"").decode("latin1"), keep_blank_values=True).get("token")
    return in_address[0] if in_address else None


async def _by_token(secret: str) -> Account | None:
    found = await database_sync_to_async(account_of_token)(secret)
    if found is None:
        return None
    account, token = found
    # A socket is for talking, which writes.
    return account if token is None or token.scope == "all" else None


async def _by_session(headers: Mapping[str, str]) -> Account | None:
    key = parse_cookie(headers.get("cookie", "")).get(settings.SESSION_COOKIE_NAME)
    user = await get_user({"session": import_module(settings.SESSION_ENGINE).SessionStore(key)})
    return user if isinstance(user, Account) and user.is_active else None


def _choosing_bearer(scope: Scope, send: Send) -> Send:
    """A browser closes a socket whose answer picks none of the subprotocols it offered."""

    async def answering(message: Any) -> None:
        if message["type"] == "websocket.accept" and BEARER in scope.get("subprotocols", []):
            message = {**message, "subprotocol": BEARER}
        await send(message)

    return answering
