"""Who may ask what: every operation of the API, by nobody, by token, by session, and for somebody else's rows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import override_settings

from forgesite.accounts import new_token
from forgesite.models import Account
from forgesite.tests.operations import OPEN, REQUESTS, Scene, operations, scene
from forgesite.tests.web import Web, by_session, by_token, nobody

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _everything_is_on() -> Iterator[None]:
    """No operation is refused since it is switched off."""
    with override_settings(FORGE=settings.FORGE.model_copy(update={"FORGETTING_PASS_ENABLED": True})):
        yield


@pytest.fixture
def anas(ana: Account) -> Scene:
    return scene(ana, "heron4711")


@pytest.fixture
def bens(ben: Account) -> Scene:
    return scene(ben, "otter0815")


def statuses(web: Web, of: Scene) -> dict[tuple[str, str], int]:
    asked = {named: make(of) for named, make in REQUESTS.items()}
    return {named: web.ask(named[0], call.path, call.body).status_code for named, call in asked.items()}


def test_every_operation_has_a_request_here() -> None:
    assert set(operations()) == set(REQUESTS)


def test_nobody_is_answered_but_where_it_is_open(anas: Scene) -> None:
    found = statuses(nobody(), anas)

    assert found == {named: 200 if named in OPEN else 401 for named in REQUESTS}


def test_a_token_needs_no_csrf_token(anas: Scene) -> None:
    assert set(statuses(by_token(anas.owner), anas).values()) == {200}


def test_a_session_needs_a_csrf_token_wherever_it_would_change_something(anas: Scene) -> None:
    found = statuses(by_session(anas.owner, csrf=False), anas)

    assert found == {named: 200 if named[0] == "GET" else 403 for named in REQUESTS}


def test_a_session_with_its_csrf_token_may_do_everything(anas: Scene) -> None:
    assert set(statuses(by_session(anas.owner), anas).values()) == {200}


def test_a_bad_token_never_falls_back_to_the_session(anas: Scene) -> None:
    web = by_session(anas.owner)
    web.headers["Authorization"] = "Bearer not-a-token"

    assert set(statuses(web, anas).values()) == {200, 401}
    assert web.ask("GET", "/me").headers["WWW-Authenticate"] == "Bearer"


def test_a_token_that_may_read_writes_nothing(anas: Scene) -> None:
    web = Web({"Authorization": f"Bearer {new_token(anas.owner, scope='read')}"})

    reading = {named for named, status in statuses(web, anas).items() if status == 200}

    assert reading == {named for named in REQUESTS if named[0] == "GET"} | {("POST", "/search")}


def test_an_account_that_is_switched_off_is_nobody(anas: Scene) -> None:
    webs = by_token(anas.owner), by_session(anas.owner)
    Account.objects.filter(pk=anas.owner.pk).update(is_active=False)

    assert [web.ask("GET", "/me").status_code for web in webs] == [401, 401]


def test_what_is_anas_is_unknown_to_ben(anas: Scene, bens: Scene) -> None:
    web = by_token(bens.owner)
    for (method, path), make in REQUESTS.items():
        call = make(anas)
        answer = web.ask(method, call.path, call.body)
        named = "{" in path or "conversation" in str(call) or "message_id" in str(call)
        named = named or "'entries'" in str(call)
        assert answer.status_code == (404 if named and path != "/conversations" else 200), (method, path)
        assert anas.canary not in answer.text, (method, path)
    assert anas.owner.pk == type(anas.entry).objects.get(pk=anas.entry.pk).owner_id


def test_each_finds_their_own_canary(anas: Scene, bens: Scene) -> None:
    for one, other in ((anas, bens), (bens, anas)):
        web = by_token(one.owner)
        for path in ("/search?q=heron4711+otter0815", "/memory", "/conversations", "/traces", "/golden", "/export"):
            text = web.ask("GET", path).text
            assert one.canary in text, path
            assert other.canary not in text, path
