"""The pages of conversations and runs on the desk: found by their words, read a page at a time, deleted by the verb."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from chat.models import Conversation, Message, Role
from forgesite.models import Account
from memory.given.gathered import Found, Gathered
from memory.models import Entry, Receipt
from memory.recall import Query, recall
from memory.receipts import seal
from memory.remember import Draft, remember
from traces.models import Run, Step

TALKS, RUNS = "/admin/chat/conversation/", "/admin/traces/run/"
WHO: dict[str, Any] = {"actor": "person", "cause": "test"}


@pytest.fixture
def desk(client: Client, ana: Account) -> Client:
    Account.objects.filter(pk=ana.pk).update(is_staff=True, is_superuser=True)
    client.force_login(Account.objects.get(pk=ana.pk))
    return client


def talk_of(owner: Account, *texts: str, **more: Any) -> Conversation:
    talk = Conversation.objects.create(owner=owner, **{"title": "Ports"} | more)
    Message.objects.bulk_create(
        Message(owner=owner, conversation=talk, role=(Role.USER, Role.ASSISTANT)[n % 2], content=text)
        for n, text in enumerate(texts)
    )
    return talk


def run_of(owner: Account, run_id: str, **more: Any) -> Run:
    given = {"started_at": timezone.now(), "ok": True, "total_ms": 2400, "user_input_preview": "Which port?"} | more
    return Run.objects.create(owner=owner, run_id=run_id, **given)


def page(desk: Client, path: str) -> str:
    return desk.get(path).content.decode()


def test_a_conversation_is_found_by_its_title_and_by_what_was_said_in_it(desk: Client, ana: Account) -> None:
    talk_of(ana, "The boiler hums", title="Warmth")
    talk_of(ana, "The roof leaks", title="Rain")

    for words in ("warm", "boiler hums"):
        found = page(desk, f"{TALKS}?q={words}")
        assert "Warmth" in found
        assert "Rain" not in found


@pytest.mark.parametrize("kind", ["pinned", "archived", "temporary", "expired"])
def test_each_kind_of_conversation_has_its_filter(desk: Client, ana: Account, kind: str, settings: Any) -> None:
    settings.FORGE = settings.FORGE.model_copy(update={"CONVERSATION_RETENTION_DAYS": 30})
    long_ago = {"updated_at": timezone.now() - timedelta(days=31)}
    talk_of(ana, title="Wanted", **(long_ago if kind == "expired" else {kind: True}))
    talk_of(ana, title="Other")

    listed = page(desk, f"{TALKS}?{kind}=1" if kind == "expired" else f"{TALKS}?{kind}__exact=1")

    assert "Wanted" in listed
    assert "Other" not in listed


def test_nothing_is_said_to_expire_where_everything_is_kept(desk: Client, settings: Any) -> None:
    settings.FORGE = settings.FORGE.model_copy(update={"CONVERSATION_RETENTION_DAYS": 0})

    assert "?expired=1" not in page(desk, TALKS)


def test_its_messages_come_a_page_at_a_time_and_one_is_found_on_its_own(desk: Client, ana: Account) -> None:
    talk = talk_of(ana, *(f"line {n}." for n in range(120)))
    first, last = page(desk, f"{TALKS}{talk.pk}/change/"), page(desk, f"{TALKS}{talk.pk}/change/?p=3")
    middle = Message.objects.order_by("id")[70]

    assert "line 49." in first
    assert "line 50." not in first
    assert "line 119." in last
    assert "line 70." in page(desk, f"{TALKS}{talk.pk}/change/?message={middle.pk}")
    assert "line 0." in page(desk, f"{TALKS}{talk.pk}/change/?p=soon&message=none")


def test_a_message_shows_its_run_its_state_and_the_entry_made_from_it(desk: Client, ana: Account) -> None:
    talk = talk_of(ana, "Which port?", "No idea.")
    asked, answer = Message.objects.order_by("id")
    run = run_of(ana, "abcdefabcdef", conversation=talk.pk, not_answered="empty")
    Message.objects.filter(pk=answer.pk).update(run_id=run.run_id, compacted=True)
    entry = remember(ana, Draft("Port 8080 is open", conversation=talk.pk, message=asked.pk), **WHO).entry

    seen = page(desk, f"{TALKS}{talk.pk}/change/")

    assert f'<a href="{RUNS}{run.pk}/change/"><span aria-hidden="true">∅</span>' in seen
    assert '<span class="state">compacted</span>' in seen
    assert seen.count(f'<a href="/admin/memory/entry/{entry.pk}/change/">') == 2


def test_a_long_text_is_cut_and_markup_stays_text(desk: Client, ana: Account) -> None:
    talk = talk_of(ana, "<script>alert(1)</script>" + "é" * 3000, title="<b>Ports</b>")

    seen = page(desk, f"{TALKS}{talk.pk}/change/")

    assert "&lt;script&gt;alert(1)" in seen
    assert "é" * 2001 not in seen
    assert "the whole message" in seen
    assert "<b>Ports</b>" not in seen


def test_deleting_says_what_goes_and_what_memory_keeps(desk: Client, ana: Account) -> None:
    talk = talk_of(ana, "Port 8080 is open", "Noted.")
    remember(ana, Draft("Port 8080 is open", conversation=talk.pk), **WHO)

    asked = page(desk, f"{TALKS}{talk.pk}/delete/")
    desk.post(f"{TALKS}{talk.pk}/delete/", {"post": "yes"})

    assert "Ports, 2 messages" in asked
    assert "What memory keeps of it stays, 1 entry" in asked
    assert not Message.objects.exists()
    assert Entry.objects.count() == 1


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("mark=nothing", {"empty", "slow"}),
        ("mark=failed", {"broken"}),
        ("mark=answered", {"fine"}),
        ("degraded=1", {"slow"}),
        ("degraded=0&mark=nothing", {"empty"}),
    ],
)
def test_runs_are_filtered_by_how_they_ended(desk: Client, ana: Account, query: str, found: set[str]) -> None:
    run_of(ana, "1" * 12, user_input_preview="is it empty", not_answered="nothing found")
    run_of(ana, "2" * 12, user_input_preview="is it broken", ok=False)
    run_of(ana, "3" * 12, user_input_preview="is it fine")
    run_of(ana, "4" * 12, user_input_preview="is it slow", degraded="embedding", not_answered="stopped")
    names = ("empty", "broken", "fine", "slow")

    listed = page(desk, f"{RUNS}?{query}")

    assert {name for name in names if f"is it {name}" in listed} == found


def test_the_tools_to_filter_by_are_ones_own_and_few(desk: Client, ana: Account, ben: Account) -> None:
    for n in range(30):
        run_of(ana, f"a{n}", final_tool=f"tool{n:02}")
    run_of(ben, "b", final_tool="bens")

    listed = page(desk, RUNS)

    assert listed.count("?final_tool=") == 20
    assert "bens" not in listed


def test_a_run_shows_its_steps_what_it_was_given_and_its_error(desk: Client, ana: Account) -> None:
    entry = remember(ana, Draft("The printer is on port 8080"), **WHO).entry
    run = run_of(ana, "abcdefabcdef", ok=False, error={"code": "unreachable", "message": "Nobody answered."})
    chip = {"id": entry.pk, "channel": "words", "distance": 0.5}
    gone = {"id": 99999}
    Step.objects.create(run=run, step=1, tool="recall", duration_ms=600, detail={"entries": [chip, gone]})
    seal(ana, Gathered([Found("recall", recall(ana, Query("Which port has the printer?")))]), run_id=run.run_id)

    seen = page(desk, f"{RUNS}{run.run_id}/change/")

    assert '<meter min="0" max="2400" value="600" aria-label="Time of recall">600\u00a0ms</meter>' in seen
    assert "words · 0.50" in seen
    assert "/admin/memory/entry/99999/history/" in seen
    assert f"/admin/memory/receipt/{Receipt.objects.get().pk}/change/" in seen
    assert "1 row given" in seen
    assert "Nobody answered." in seen
    assert seen == page(desk, f"{RUNS}{run.pk}/change/")


def test_a_run_with_nothing_to_show_says_so(desk: Client, ana: Account) -> None:
    run = run_of(ana, "abcdefabcdef", conversation="gone", error="odd", llm=["odd"])

    seen = page(desk, f"{RUNS}{run.pk}/change/")

    assert "It took no step." in seen
    assert "It has no receipt" in seen
    assert "deleted since" in seen
