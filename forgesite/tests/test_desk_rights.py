"""Who may do what on the desk: every page and every action, for every kind of account, found from the site itself."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.db import connection, transaction
from django.test import Client, RequestFactory

from forgesite.accounts import new_token
from forgesite.models import Account, Token
from forgesite.tests import desk_pages, operations
from forgesite.tests.desk_pages import ACTIONS, MEASURED, STAFF, SUPERUSER, Page
from memory.forget import forget
from memory.models import Alias, Calibration, Commit, Entry, Receipt
from memory.remember import Draft, remember
from retention.models import Proposal
from traces.models import Run

APPS = ("memory", "chat", "traces", "retention")
WHO: dict[str, Any] = {"actor": "person", "cause": "test"}
CANARY = "xylophone"
ROLES = ("superuser", "member", "viewer", "bare", "outsider", "other")


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Every refusal is logged with its traceback, and here there are a thousand of them."""
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture
def rows(ana: Account) -> dict[str, Any]:
    """A row of Ana's of each model, by the name that the address of its page has it by."""
    scene = operations.scene(ana, CANARY)
    gone = forget(ana, [remember(ana, Draft("Port 8080 is open"), **WHO).entry.pk], **WHO).certificate
    commit = Commit.objects.of(ana).latest("tick")
    new_token(ana, name="laptop")
    found: dict[str, Any] = {
        "memory.Entry": scene.entry,
        "memory.Refusal": scene.refusal,
        "memory.Commit": commit,
        "memory.Erasure": gone,
        "memory.Receipt": Receipt.objects.of(ana).get(),
        "memory.GoldenQuestion": scene.golden,
        "memory.Alias": Alias.objects.create(owner=ana, name=CANARY, other="marimba"),
        "memory.Calibration": Calibration.objects.create(owner=ana, regime="r", asked=MEASURED),
        "traces.Run": Run.objects.of(ana).get(run_id=scene.run_id),
        "retention.Proposal": Proposal.objects.get(pk=operations.proposed(scene)),
        "forgesite.Account": ana,
        "forgesite.Token": Token.objects.get(),
    }
    pks = {label: row.pk for label, row in found.items()}
    return pks | {"chat.Conversation": scene.conversation, "chat.Message": scene.message, "address": commit.address}


def account(role: str, ana: Account, ben: Account) -> Account:
    """Ben is the other owner, and a superuser at that."""
    who = ben if role == "other" else ana
    who.is_staff, who.is_superuser = role != "outsider", role in ("superuser", "other")
    who.save()
    rights = Permission.objects.filter(content_type__app_label__in=APPS)
    rights = rights.filter(codename__startswith="view_") if role == "viewer" else rights
    who.user_permissions.set(rights if role in ("member", "viewer", "outsider") else [])
    return Account.objects.get(pk=who.pk)


def may(who: Account, right: str | None) -> bool:
    if right is None or not who.is_staff:
        return False
    return who.is_superuser or right == STAFF or (right != SUPERUSER and who.has_perm(right))


@contextmanager
def taken_back() -> Iterator[list[int]]:
    """What happens in it, and how many rows it wrote, also of those that it took back itself."""
    written: list[int] = []
    before = connection.connection.total_changes
    with transaction.atomic():
        yield written
        transaction.set_rollback(True)
    written.append(connection.connection.total_changes - before)


def wrong(answer: Any, allowed: bool, written: int, *, foreign: bool, tells: bool) -> str:
    """Why an answer is not what it should be; empty where it is. 403 for another's row: so it is for any that is not.

    `tells`: an act on what is not there leads back, with a message.
    """
    away = answer.status_code == 302 and answer["Location"].startswith(("/admin/login/", "/signin/"))
    if allowed and not foreign:
        right = answer.status_code in (200, 302, 400) and not away
    elif foreign:
        right = not written and (answer.status_code in (403, 404) or (tells and answer.status_code == 302))
    else:
        right = not written and (away or answer.status_code in (403, 404, 405))
    return "" if right else f"{answer.status_code}, wrote {written}"


def test_every_page_and_model_of_the_desk_has_its_line_here() -> None:
    assert desk_pages.names() == {page.name for page in desk_pages.pages()}
    assert {model._meta.label for model in admin.site._registry} == desk_pages.MODELS.keys()


@pytest.mark.parametrize("role", ROLES)
def test_every_page_shows_and_does_what_the_account_may(
    client: Client, ana: Account, ben: Account, rows: dict[str, Any], role: str
) -> None:
    who = account(role, ana, ben)
    client.force_login(who)
    client.raise_request_exception = False
    faults = []
    for page in desk_pages.pages():
        if page.get is not None:
            faults += asked(client, who, page, "GET", rows)
        if tried(role, page):
            faults += asked(client, who, page, "POST", rows)

    assert faults == []


def tried(role: str, page: Page) -> bool:
    """Whether to POST to it: who may only look tries everything. What a member may a superuser may too, to Django."""
    if role == "viewer":
        return not page.query  # a search may make vectors that are missing, whoever searches
    return page.post == SUPERUSER if role == "superuser" else page.post is not None


def asked(client: Client, who: Account, page: Page, method: str, rows: dict[str, Any]) -> list[str]:
    """A POST to what only shows something shows it, and does nothing."""
    foreign = page.of not in ("", *desk_pages.UNOWNED) and who.username == "ben"
    path, right = page.path(rows), page.get if method == "GET" else page.post
    with taken_back() as written:
        answer = client.get(path) if method == "GET" else client.post(path, dict(page.body))
    fault = "wrote" * bool(written[0])
    if right is not None:
        fault = wrong(answer, may(who, right), written[0], foreign=foreign, tells=page.tells)
    sees = may(who, page.get) or may(who, right)
    if CANARY in answer.content.decode() and (foreign or not sees):
        fault += " shows what it must not"
    return [f"{method} {path} {fault}"] * bool(fault)


def test_every_action_has_its_line_here_and_is_offered_to_whom_may(ana: Account, ben: Account) -> None:
    request = RequestFactory().get("/")
    for role in ROLES:
        request.user = who = account(role, ana, ben)
        if role == "outsider":
            continue
        assert desk_pages.actions(request) == {action for action, right in ACTIONS.items() if may(who, right)}, role


@pytest.mark.parametrize("role", ["viewer", "bare", "outsider"])
def test_a_made_up_action_is_refused(
    client: Client, ana: Account, ben: Account, rows: dict[str, Any], role: str
) -> None:
    client.force_login(account(role, ana, ben))
    faults = []
    for label, action in ACTIONS:
        with taken_back() as written:
            sent = {"action": action, "_selected_action": [rows[label]], "post": "yes"}
            client.post(f"/admin/{label.replace('.', '/').lower()}/", sent)
        faults += [f"{label} {action} wrote {written[0]}"] * bool(written[0])

    assert faults == []


def test_an_action_on_another_owners_row_does_nothing(
    client: Client, ana: Account, ben: Account, rows: dict[str, Any]
) -> None:
    client.force_login(account("other", ana, ben))
    before = Entry.objects.of(ana).values_list("id", "status", "pinned", "version")
    for label, action in ACTIONS:
        if label in desk_pages.UNOWNED:
            continue
        sent = {"action": action, "_selected_action": [rows[label]], "post": "yes"}
        client.post(f"/admin/{label.replace('.', '/').lower()}/", sent)

    assert list(before.all()) == list(before)
    assert not Entry.objects.of(ben).exists()
    assert Alias.objects.get().state == "proposed"
