"""Counted requests: per token, per session, per address."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import Settings

from forgesite.models import Account
from forgesite.tests.web import Web, by_session, by_token
from forgesite.throttle import seconds_to_wait

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _three_a_minute(settings: Settings) -> None:
    settings.FORGE = settings.FORGE.model_copy(update={"RATE_LIMIT_REQUESTS": 3})
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "throttle"}}


def searches(web: Web, times: int) -> list[int]:
    return [web.ask("GET", "/search?q=port").status_code for _ in range(times)]


def test_each_token_and_each_session_has_its_own_count(ana: Account) -> None:
    for web in (by_token(ana), by_token(ana), by_session(ana)):
        assert searches(web, 4) == [200, 200, 200, 429]


def test_the_pages_own_reads_are_not_counted(ana: Account) -> None:
    web = by_session(ana)

    assert {web.ask("GET", path).status_code for path in ["/memory", "/traces", "/history", "/health"] * 3} == {200}


def test_zero_is_no_limit(ana: Account, settings: Settings) -> None:
    settings.FORGE = settings.FORGE.model_copy(update={"RATE_LIMIT_REQUESTS": 0})

    assert set(searches(by_token(ana), 8)) == {200}


def test_a_window_slides(settings: Settings) -> None:
    settings.FORGE = settings.FORGE.model_copy(update={"RATE_LIMIT_WINDOW_SECONDS": 100})
    waits = [seconds_to_wait("somebody") for _ in range(5)]

    assert waits[:3] == [0, 0, 0]
    assert 99 < waits[3] <= 100
    assert waits[4] <= waits[3], "a refused request is not counted"


def test_guessing_tokens_ends_and_good_ones_go_on(ana: Account) -> None:
    guessing, good = Web({"Authorization": "Bearer guess"}), by_token(ana)

    assert [guessing.ask("GET", "/memory").status_code for _ in range(5)] == [401, 401, 401, 429, 429]
    assert good.ask("GET", "/memory").status_code == 200


def test_signing_in_is_counted_by_address() -> None:
    client = Client()
    tries = [client.post("/signin/", {"username": "ana", "password": "wrong"}) for _ in range(4)]

    assert [answer.status_code for answer in tries] == [200, 200, 200, 429]
    assert int(tries[-1]["Retry-After"]) > 0
    assert client.post("/signin/", {}, REMOTE_ADDR="10.1.1.1").status_code == 200


def test_a_forwarded_address_counts_only_behind_a_trusted_proxy(settings: Settings) -> None:
    def guess(address: str) -> int:
        return Web({"Authorization": "Bearer guess", "X-Forwarded-For": address}).ask("GET", "/memory").status_code

    assert [guess(f"10.0.0.{number}") for number in range(4)][-1] == 429
    settings.FORGE = settings.FORGE.model_copy(update={"TRUST_PROXY": True})
    assert guess("6.6.6.6, 10.0.0.9") == 401
