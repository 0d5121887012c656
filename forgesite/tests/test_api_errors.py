"""Every error of the API has one shape, whoever raised it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from pytest_django import Settings

from forgesite.models import Account
from forgesite.tests.web import Web, by_session, by_token, nobody

pytestmark = pytest.mark.django_db(transaction=True)


def error(web: Web, status: int, method: str, path: str, body: Any = None, **headers: str) -> dict[str, Any]:
    """The error's own object, after a look at its shape."""
    answer = web.ask(method, path, body, **headers)
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"].startswith("application/json")
    assert set(answer.json()) == {"error"}
    told: dict[str, Any] = answer.json()["error"]
    assert set(told) == {"code", "message", "detail"}
    assert told["message"]
    return told


def test_a_blank_text_is_400(ana: Account) -> None:
    assert error(by_token(ana), 400, "POST", "/remember", {"content": "  \n"})["code"] == "empty"
    assert error(by_token(ana), 400, "GET", "/search?q=+")["code"] == "empty"


def test_one_word_is_400(ana: Account) -> None:
    assert error(by_token(ana), 400, "POST", "/remember", {"content": "Hello"})["code"] == "degenerate"


def test_nobody_is_401() -> None:
    assert error(nobody(), 401, "GET", "/memory")["code"] == "unauthorized"


def test_a_session_without_csrf_token_is_403(ana: Account) -> None:
    told = error(by_session(ana, csrf=False), 403, "POST", "/remember", {"content": "A fact to keep"})

    assert told["code"] == "forbidden"
    assert "PUBLIC_URL" in told["message"]


@pytest.mark.parametrize(
    "path",
    [
        "/memory/999",
        "/memory/nonsense",
        f"/memory/{'a' * 64}",
        f"/memory/{2**63}",
        f"/memory/{10**30}",
        "/memory/²",
        "/memory/-1",
        "/memory/1%00",
        "/traces/none",
        "/traces/%F0%9F%A6%89",
        "/conversations/none",
        "/history?conversation=none",
        "/no/such/route",
        "/memory/",
    ],
)
def test_what_does_not_exist_is_404(ana: Account, path: str) -> None:
    assert error(by_token(ana), 404, "GET", path)["code"] == "unknown"


def test_a_refusal_that_does_not_exist_is_404(ana: Account) -> None:
    for number in (1, 0, -1, 2**63, 10**30):
        assert error(by_token(ana), 404, "POST", f"/memory/refused/{number}/save")["code"] == "unknown"


def test_a_wrong_method_is_405_and_names_the_right_ones(ana: Account) -> None:
    assert error(by_token(ana), 405, "PUT", "/memory")["code"] == "method_not_allowed"
    assert by_token(ana).ask("PUT", "/memory").headers["Allow"] == "GET"


def test_too_large_is_413_with_size_and_limit(ana: Account) -> None:
    web, mib = by_token(ana), 1024 * 1024

    told = error(web, 413, "POST", "/remember", {"content": "é " * (mib // 2)})
    assert told["detail"] == {"size": 3 * mib // 2, "limit": mib}
    assert error(web, 413, "POST", "/chat", {"message": "é " * (mib // 2)})["detail"]["limit"] == mib
    assert error(web, 413, "POST", "/search", {"q": "a " * mib})["detail"]["limit"] == mib // 4
    assert error(web, 413, "POST", "/remember", b"x" * (9 * mib))["detail"]["size"] == 9 * mib


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/search", None),
        ("GET", "/search?q=port&top_k=0", None),
        ("GET", "/search?q=port&top_k=51", None),
        ("GET", f"/search?q=port&top_k={10**30}", None),
        ("GET", "/search?q=port&policy=magic", None),
        ("GET", "/search?q=port&kind=memory", None),
        ("GET", "/search?q=port&topk=3", None),
        ("POST", "/search", {"q": "port", "topk": 3}),
        ("POST", "/search", {"q": 7}),
        ("POST", "/search", {"q": "port", "kind": ["fact"]}),
        ("POST", "/search", ["port"]),
        ("GET", "/memory?limit=501", None),
        ("GET", "/memory?limit=0", None),
        ("GET", "/memory?offset=-1", None),
        ("GET", f"/memory?offset={2**63}", None),
        ("GET", "/memory?status=lost", None),
        ("GET", "/memory/refused?limit=501", None),
        ("GET", "/traces?n=0", None),
        ("GET", "/conversations?limit=9999", None),
        ("GET", f"/history?before={2**63}", None),
        ("POST", "/remember", {"content": "The port is 8080", "kind": "memory"}),
        ("POST", "/remember", {"content": "The port is 8080", "status": "closed"}),
        ("POST", "/remember", {"content": "The port is 8080", "colour": "red"}),
        ("POST", "/remember", {"content": "The port is 8080", "project": "p" * 257}),
        ("POST", "/remember", {"content": "The port is 8080", "event_at": "soon"}),
        ("POST", "/remember", {"content": "The port is 8080", "event_at": "0001-01-01T00:00:00+14:00"}),
        ("POST", "/remember", {"content": None}),
        ("POST", "/remember", b"{not json"),
        ("POST", "/remember", b"\xff\xfe"),
        ("POST", "/remember", b"[" * 100_000),
        ("POST", "/remember", b'{"content": ' + b"9" * 5000 + b"}"),
        ("POST", "/remember", b""),
        ("POST", "/chat", {"message": "Hello there", "conversation": "c" * 33}),
        ("POST", "/memory/refused/one/save", None),
        ("PATCH", "/me", {"time_zone": "Mars/Olympus"}),
        ("PATCH", "/me", {"is_superuser": True}),
    ],
)
def test_a_wrong_shape_or_range_is_422(ana: Account, method: str, path: str, body: Any) -> None:
    assert error(by_token(ana), 422, method, path, body)["code"] == "invalid"


def test_too_many_is_429_with_retry_after(ana: Account, settings: Settings) -> None:
    settings.FORGE = settings.FORGE.model_copy(update={"RATE_LIMIT_REQUESTS": 2})
    web = by_token(ana)
    assert [web.ask("GET", "/search?q=port").status_code for _ in range(2)] == [200, 200]

    assert error(web, 429, "GET", "/search?q=port")["detail"]["retry_after"] > 50
    assert int(web.ask("POST", "/chat", {"message": "!help"}).headers["Retry-After"]) > 50


def test_a_table_that_is_gone_is_500_and_says_nothing_of_it(ana: Account, caplog: pytest.LogCaptureFixture) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE traces_run RENAME TO traces_run_away")
    try:
        told = error(by_token(ana), 500, "GET", "/traces")
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE traces_run_away RENAME TO traces_run")

    assert told["code"] == "internal"
    assert "traces_run" not in told["message"]
    assert "traces_run" in caplog.text


def test_an_unknown_host_is_400_and_names_the_setting() -> None:
    told = error(Web(base_url="http://evil.example"), 400, "GET", "/health")

    assert told["code"] == "unknown_host"
    assert "PUBLIC_URL" in told["message"]


def test_a_browser_is_told_on_a_page() -> None:
    answer = nobody().ask("GET", "/no/such/page", Accept="text/html,*/*")

    assert answer.status_code == 404
    assert "<main" in answer.text


def test_answers_carry_the_headers_that_keep_browsers_safe() -> None:
    headers = nobody().ask("GET", "/health").headers

    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "Server" not in headers
