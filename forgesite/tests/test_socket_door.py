"""Who may open the socket: the origin matrix, on the real application."""

from __future__ import annotations

import pytest
from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator

from forgesite.accounts import new_token
from forgesite.asgi import application
from forgesite.models import Account
from forgesite.tests.web import session_of

pytestmark = pytest.mark.django_db(transaction=True)
OURS, FOREIGN, OPAQUE, HOST = "http://localhost:8000", "http://evil.example", "null", "localhost:8000"


@pytest.fixture
def cookie(ana: Account) -> str:
    return f"sessionid={session_of(ana)}"


@pytest.fixture
def token(ana: Account) -> str:
    return new_token(ana)


async def opened(
    *, path: str = "/ws/chat/", subprotocols: tuple[str, ...] = (), host: str = HOST, **headers: str | None
) -> str | bool:
    """Whether the handshake passes; the subprotocol where one was chosen."""
    sent = [(name.encode(), value.encode()) for name, value in {"host": host, **headers}.items() if value is not None]
    socket = WebsocketCommunicator(application, path, headers=sent, subprotocols=list(subprotocols))
    accepted, chosen = await socket.connect(timeout=10)
    if not accepted:
        return False
    await socket.disconnect()
    return chosen or True


async def test_a_session_needs_an_origin_of_ours(cookie: str) -> None:
    assert await opened(cookie=cookie, origin=OURS)
    assert not await opened(cookie=cookie, origin=FOREIGN)
    assert not await opened(cookie=cookie, origin=OPAQUE)
    assert not await opened(cookie=cookie)


async def test_a_token_comes_with_no_origin_or_ours_and_never_a_foreign_one(token: str) -> None:
    bearer = f"Bearer {token}"
    assert await opened(authorization=bearer)
    assert await opened(authorization=bearer, origin=OURS)
    assert not await opened(authorization=bearer, origin=FOREIGN)
    assert not await opened(authorization=bearer, origin=OPAQUE)


async def test_a_token_is_taken_from_header_subprotocol_and_address(token: str) -> None:
    assert await opened(authorization=f"bearer {token}") is True
    assert await opened(subprotocols=("bearer", token)) == "bearer"
    assert await opened(path=f"/ws/chat/?token={token}") is True


async def test_nobody_gets_in(token: str) -> None:
    assert not await opened(origin=OURS)
    assert not await opened(authorization=f"Bearer {token}x")
    assert not await opened(subprotocols=("bearer",))
    assert not await opened(subprotocols=("bearer", "nonsense"), origin=OURS)
    assert not await opened(path="/ws/chat/?token=")


async def test_a_token_that_may_only_read_opens_no_conversation(ana: Account) -> None:
    token = await database_sync_to_async(new_token)(ana, scope="read")

    assert not await opened(authorization=f"Bearer {token}")


async def test_a_bad_token_never_falls_back_to_the_session(cookie: str) -> None:
    assert not await opened(cookie=cookie, origin=OURS, authorization="Bearer nonsense")
    assert not await opened(cookie=cookie, origin=OURS, path="/ws/chat/?token=nonsense")


async def test_an_account_that_is_switched_off_is_nobody(ana: Account, cookie: str, token: str) -> None:
    await Account.objects.filter(pk=ana.pk).aupdate(is_active=False)

    assert not await opened(cookie=cookie, origin=OURS)
    assert not await opened(authorization=f"Bearer {token}")


async def test_a_refusal_is_logged_with_the_settings_name_and_no_secret(
    cookie: str, token: str, caplog: pytest.LogCaptureFixture
) -> None:
    await opened(cookie=cookie, origin=FOREIGN, path=f"/ws/chat/?token={token}")

    assert "PUBLIC_URL" in caplog.text
    assert "evil.example" in caplog.text
    assert token not in caplog.text
    assert cookie not in caplog.text


async def test_a_foreign_host_is_refused_even_with_its_own_origin(cookie: str) -> None:
    assert not await opened(cookie=cookie, host="evil.example", origin="http://evil.example")


async def test_an_address_without_a_consumer_is_refused_quietly(token: str, caplog: pytest.LogCaptureFixture) -> None:
    assert not await opened(path="/ws/other/", authorization=f"Bearer {token}")
    assert caplog.text == ""
