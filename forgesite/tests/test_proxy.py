"""Forge behind a proxy that ends TLS: sign-in, admin and chat work under PUBLIC_URL, and under no other name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from socket import create_connection

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from forgesite.testing_server import LiveForge
from forgesite.tests.proxy import Proxy

NAME = "forge.example.org"
OURS = f"https://{NAME}"
PASSWORD = "a long enough password"


@pytest.fixture(scope="module", params=["true", "false"], ids=["trusted", "not trusted"])
def proxied(request: pytest.FixtureRequest) -> Iterator[LiveForge]:
    env = {"PUBLIC_URL": OURS, "TRUST_PROXY": request.param}
    with LiveForge(env=env, arguments=("--no-worker",)) as running:
        done = running.run("account", "password", "amelie", stdin=f"{PASSWORD}\n{PASSWORD}\n")
        assert done.returncode == 0, done.stderr
        yield running


@pytest.fixture
def browser(proxied: LiveForge) -> Iterator[httpx.Client]:
    """What a browser at `https://forge.example.org` sends, as far as the proxy passes it on."""
    with Proxy(proxied.port) as proxy:
        headers = {"Host": NAME, "Connection": "close", "Accept": "text/html"}
        with httpx.Client(base_url=f"http://127.0.0.1:{proxy.port}", headers=headers) as client:
            yield client


def sign_in(browser: httpx.Client, origin: str = OURS) -> httpx.Response:
    page = browser.get("/signin/")
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
    assert token
    assert "Secure" in page.headers["Set-Cookie"]
    form = {"username": "amelie", "password": PASSWORD, "csrfmiddlewaretoken": token[1]}
    cookies = {"csrftoken": page.cookies["csrftoken"]}
    return browser.post("/signin/", data=form, headers={"Origin": origin, "Cookie": _cookie(cookies)})


def _cookie(cookies: dict[str, str]) -> str:
    # By hand: to httpx this is plain HTTP, over which it would keep a Secure cookie to itself.
    return "; ".join(f"{name}={value}" for name, value in cookies.items())


def socket(browser: httpx.Client, session: str, origin: str) -> ClientConnection:
    # The name stands in the address, as in a browser's, and the connection goes to the proxy.
    reached = create_connection(("127.0.0.1", browser.base_url.port))
    headers = {"Cookie": f"sessionid={session}"}
    return connect(f"ws://{NAME}/ws/chat/", sock=reached, origin=Origin(origin), additional_headers=headers)


def test_sign_in_admin_and_chat_work_under_the_public_address(browser: httpx.Client) -> None:
    answer = sign_in(browser)
    assert answer.status_code == 302, answer.text
    session = answer.cookies["sessionid"]

    assert browser.get("/admin/", headers={"Cookie": f"sessionid={session}"}).status_code == 200
    with socket(browser, session, OURS) as chat:
        assert json.loads(chat.recv(timeout=10))["user"] == "amelie"


def test_a_foreign_page_can_neither_sign_in_nor_open_the_socket(browser: httpx.Client) -> None:
    refused = sign_in(browser, "https://evil.example")
    assert refused.status_code == 403
    assert "PUBLIC_URL" in refused.text

    session = sign_in(browser).cookies["sessionid"]
    for origin in ("https://evil.example", "null"):
        with pytest.raises(InvalidStatus, match="403"), socket(browser, session, origin):
            pass


def test_another_name_is_refused_with_the_setting_that_would_allow_it(browser: httpx.Client) -> None:
    answer = browser.get("/health", headers={"Host": "other.example.org"})

    assert answer.status_code == 400
    assert "PUBLIC_URL" in answer.text
