"""The curation desk as a whole: whose rows it shows, and what a verb alone may do to them."""

import re
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from chat.models import Conversation, Message, Role
from forgesite.accounts import new_token
from forgesite.models import Account, Token
from memory.forget import forget
from memory.models import Commit, Entry, Refusal, Rule
from memory.remember import Draft, remember
from traces.models import Run

OWNED = (
    "memory/entry", "memory/refusal", "memory/commit", "memory/erasure", "chat/conversation", "chat/message",
    "traces/run", "memory/receipt",
)  # fmt: skip
WHO: dict[str, Any] = {"actor": "person", "cause": "test"}
SUPERUSERS = ("forgesite/account", "forgesite/token", "health/settings")


@pytest.fixture
def member(client: Client, ana: Account) -> Client:
    """Ana as `account create` makes her: staff, with the rights on what a person owns."""
    ana.is_staff = True
    ana.save()
    apps = ["memory", "chat", "traces"]
    ana.user_permissions.set(Permission.objects.filter(content_type__app_label__in=apps))
    client.force_login(ana)
    return client


@pytest.mark.parametrize("page", OWNED)
def test_a_member_has_the_pages_of_their_own_rows(member: Client, page: str) -> None:
    assert member.get(f"/admin/{page}/").status_code == 200


@pytest.mark.parametrize("page", SUPERUSERS)
def test_accounts_tokens_and_settings_are_the_superusers(member: Client, ana: Account, page: str) -> None:
    assert member.get(f"/admin/{page}/").status_code == 403
    Account.objects.filter(pk=ana.pk).update(is_superuser=True)
    assert member.get(f"/admin/{page}/").status_code == 200


def test_groups_are_nobodys_business() -> None:
    assert not admin.site.is_registered(Group)


def test_a_signed_in_account_without_the_desk_is_told_so(client: Client, ana: Account) -> None:
    client.force_login(ana)

    answer = client.get("/admin/login/", headers={"accept": "text/html"})

    assert answer.status_code == 403


def test_a_token_is_revoked_by_action_and_never_shown(member: Client, ana: Account) -> None:
    Account.objects.filter(pk=ana.pk).update(is_superuser=True)
    secret = new_token(ana, name="laptop")
    token = Token.objects.get()

    page = member.get(f"/admin/forgesite/token/{token.pk}/change/").content.decode()
    member.post("/admin/forgesite/token/", {"action": "revoke", "_selected_action": [token.pk]})

    assert secret not in page
    assert token.digest not in page
    assert Token.objects.get().revoked_at is not None


def test_messages_and_runs_of_another_account_stay_theirs(member: Client, ben: Account) -> None:
    talk = Conversation.objects.create(owner=ben, title="Ben's canary sings")
    said = Message.objects.create(owner=ben, conversation=talk, role=Role.USER, content="Ben's canary sings")
    run = Run.objects.create(
        owner=ben, run_id="r", started_at=timezone.now(), ok=True, total_ms=1, user_input_preview="canary"
    )
    pages = [f"/admin/{page}/" for page in OWNED]
    pages += ["/admin/chat/message/?q=sings", f"/admin/chat/message/?conversation__id__exact={talk.pk}"]
    pages += [f"/admin/chat/message/{said.pk}/change/", f"/admin/traces/run/{run.pk}/change/"]

    for page in pages:
        assert "canary" not in member.get(page, follow=True).content.decode(), page


def test_conversations_are_deleted_through_their_verb_and_memory_stays(member: Client, ana: Account) -> None:
    talk = Conversation.objects.create(owner=ana, title="Where things run")
    Message.objects.create(owner=ana, conversation=talk, role=Role.USER, content="Port 8080")

    asked = member.post("/admin/chat/conversation/", {"action": "delete_selected", "_selected_action": [talk.pk]})
    assert "Where things run" in asked.content.decode()
    member.post(
        "/admin/chat/conversation/", {"action": "delete_selected", "_selected_action": [talk.pk], "post": "yes"}
    )

    assert not Message.objects.exists()


@pytest.mark.parametrize("page", ["chat/message", "traces/run", "chat/conversation", "memory/commit", "memory/erasure"])
def test_what_only_forge_writes_cannot_be_changed_by_a_made_up_post(member: Client, ana: Account, page: str) -> None:
    talk = Conversation.objects.create(owner=ana, title="Where things run")
    said = Message.objects.create(owner=ana, conversation=talk, role=Role.USER, content="Port 8080")
    run = Run.objects.create(owner=ana, run_id="r", started_at=timezone.now(), ok=True, total_ms=1)
    forgotten = forget(ana, [remember(ana, Draft("Port 8080 is open"), **WHO).entry.pk], **WHO)
    commit = Commit.objects.get(address=forgotten.certificate.commit)
    rows = {"chat/message": said, "traces/run": run, "chat/conversation": talk, "memory/commit": commit}
    pk = (rows | {"memory/erasure": forgotten.certificate})[page].pk

    answer = member.post(f"/admin/{page}/{pk}/change/", {"content": "Port 1", "title": "Mine", "ok": ""})

    assert answer.status_code == 403
    assert member.get(f"/admin/{page}/add/").status_code == 403


def test_an_entry_cannot_be_given_away(member: Client, ana: Account, ben: Account) -> None:
    member.post("/admin/memory/entry/add/", {"text": "The choir meets on Tuesdays", "kind": "fact", "owner": ben.pk})

    assert Entry.objects.get().owner == ana


def test_the_navigation_counts_what_is_the_accounts_own_in_one_statement(
    member: Client, ana: Account, ben: Account
) -> None:
    for owner in (ana, ana, ben):
        remember(owner, Draft(f"Shed {Entry.objects.count()} is locked"), **WHO)
    saved = Entry.objects.of(ana).first()
    Refusal.objects.create(owner=ana, rule=Rule.QUESTION, text="Do I own a boat", saved_as=saved)

    with CaptureQueriesContext(connection) as asked:
        page = member.get("/admin/traces/run/").content.decode()

    assert re.findall(r'/admin/(\w+/\w+)/"[^>]*>[^<]+<span class="count">(\d+)<', page) == [
        ("memory/entry", "2"),
        ("memory/refusal", "0"),
    ]
    assert sum('"memory_refusal"' in each["sql"] or '"memory_entry"' in each["sql"] for each in asked) == 1
