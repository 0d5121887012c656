"""Messages that left the window, as the page folds them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from chat.history import conversations, page
from chat.models import Conversation, Message, Role
from chat.page import THREAD, Shown, Thread, thread
from chat.page_folds import Fold, stand_in
from forgesite.models import Account
from forgesite.tests.web import by_token

POINTER = "[35 messages compacted: #10-#24 (15 entries), searchable via !recall; 2 left out of memory]"


@pytest.fixture
def talk(ana: Account) -> Conversation:
    """Six exchanges, ids in order: questions `q0` … and answers `a0` …."""
    talk = Conversation.objects.create(owner=ana, title="Disks")
    rows = [("user", f"q{n}") if role == "q" else ("assistant", f"a{n}") for n in range(6) for role in "qa"]
    for role, content in rows:
        Message.objects.create(owner=ana, conversation=talk, role=role, content=content)
    return talk


def compact(talk: Conversation, first: str, last: str, pointer: str = "") -> Message | None:
    ids = {message.content: message.pk for message in talk.messages.all()}
    gone = talk.messages.filter(pk__range=(ids[first], ids[last]), place=None, pinned=False)
    gone.update(compacted=True)
    if not pointer:
        return None
    return Message.objects.create(
        owner=talk.owner, conversation=talk, role=Role.SYSTEM, content=pointer, place=gone.order_by("pk")[0].pk
    )


def drawn(found: Thread) -> list[str]:
    """`q0` for a message, `q0-a1 35` for a fold and its count; `+`: it goes on with one above, `!`: it is open."""
    return [_fold(part) if isinstance(part, Fold) else part.message.content for part in found.parts]


def _fold(part: Fold) -> str:
    words = [one.message.content for one in part.shown]
    marks = "+" * part.continued + "!" * part.open
    return f"{words[0]}-{words[-1]} {part.count}{marks}"


def test_what_left_the_window_is_folded_under_its_pointer(ana: Account, talk: Conversation) -> None:
    compact(talk, "q0", "a3", POINTER)

    found = thread(ana, talk)

    assert drawn(found) == ["q0-a3 35", "q4", "a4", "q5", "a5"]
    [fold] = [part for part in found.parts if isinstance(part, Fold)]
    assert [one.message.content for one in fold.shown] == ["q0", "a0", "q1", "a1", "q2", "a2", "q3", "a3"]


def test_each_pointer_has_a_fold_of_its_own_and_what_has_none_too(ana: Account, talk: Conversation) -> None:
    compact(talk, "q0", "a0")
    compact(talk, "q1", "a1", "[2 messages compacted: #7, searchable via !recall]")
    compact(talk, "q2", "a3", "[4 messages compacted: out of the window, not in memory]")

    assert drawn(thread(ana, talk)) == ["q0-a0 2", "q1-a1 2", "q2-a3 4", "q4", "a4", "q5", "a5"]


def test_what_is_pinned_in_between_stands_by_itself(ana: Account, talk: Conversation) -> None:
    talk.messages.filter(content__in=["q1", "a1"]).update(pinned=True)
    compact(talk, "q0", "a3", POINTER)

    assert drawn(thread(ana, talk)) == ["q0-a0 35", "q1", "a1", "q2-a3 4+", "q4", "a4", "q5", "a5"]


def test_a_message_that_is_looked_for_opens_its_fold(ana: Account, talk: Conversation) -> None:
    compact(talk, "q0", "a3", POINTER)
    sought = talk.messages.get(content="a2")

    assert drawn(thread(ana, talk, message=sought.pk))[0] == "q0-a3 35!"


def test_a_fold_that_began_on_an_earlier_page_goes_on(ana: Account, talk: Conversation) -> None:
    compact(talk, "q0", "a5", POINTER)
    rows = [Message(owner=ana, conversation=talk, role=Role.USER, content=f"n{n}") for n in range(THREAD - 2)]
    Message.objects.bulk_create(rows)

    assert drawn(thread(ana, talk))[:2] == ["q5-a5 2+", "n0"]


def test_another_branch_does_not_show_a_pointer_that_is_not_on_it(ana: Account, talk: Conversation) -> None:
    compact(talk, "q1", "a3", POINTER)
    answer = talk.messages.get(content="a0")
    other = Message.objects.create(owner=ana, conversation=talk, role=Role.USER, content="else", parent=answer.pk)

    assert drawn(thread(ana, talk, message=other.pk)) == ["q0", "a0", "else"]
    assert [isinstance(part, Shown) for part in thread(ana, talk).parts] == [True] * 3


def test_the_entries_of_a_pointer_are_links_to_the_desk(client: Client, ana: Account, talk: Conversation) -> None:
    compact(talk, "q0", "a3", POINTER)
    client.force_login(ana)

    page = client.get(f"/c/{talk.pk}/").content.decode()

    assert "35 messages compacted" in page
    assert re.findall(r'<a href="/admin/memory/entry/(\d+)/change/">(#\d+)</a>', page) == [("10", "#10"), ("24", "#24")]


@pytest.mark.parametrize(
    ("content", "pieces", "label"),
    [
        ("[2 messages compacted: #7, searchable via !recall]", [("#7", 7), (", searchable via !recall", None)], ""),
        ("[1 message compacté : rien d’indexable]", [("rien d’indexable", None)], ""),
        ("[summary of 35 earlier messages] They spoke of #3.", [], "summary of 35 earlier messages"),
        ("[]", [], ""),
        ("nothing of the kind", [], "nothing of the kind"),
    ],
)
def test_a_pointer_is_taken_apart_and_a_summary_is_shown(
    content: str, pieces: list[tuple[str, int | None]], label: str
) -> None:
    found = stand_in(content)

    assert [(one.words, one.entry) for one in found.pieces] == pieces
    assert found.label == (label if found.html else "")
    assert ("They spoke of" in found.html) == ("They spoke of" in content)


@pytest.mark.django_db(transaction=True)
def test_an_export_says_what_left_the_window_and_what_stands_where(ana: Account, talk: Conversation) -> None:
    pointer = compact(talk, "q0", "a3", POINTER)
    assert pointer

    lines = [json.loads(line) for line in by_token(ana).ask("GET", "/export").text.splitlines()]

    told = {line["content"]: line for line in lines if line["type"] == "message"}
    assert [told[name]["compacted"] for name in ("q0", "a3", "q4")] == [True, True, False]
    assert (told[POINTER]["place"], told["q0"]["place"]) == (told["q0"]["id"], None)


def test_a_pointer_whose_message_is_gone_stands_before_what_followed_it(ana: Account, talk: Conversation) -> None:
    pointer = compact(talk, "q0", "a3", POINTER)
    talk.messages.filter(content="q0").delete()

    def said(**limits: Any) -> list[str]:
        return [row.message.content for row in page(ana, talk.pk, **limits)]

    assert pointer
    assert said(limit=100)[:2] == [POINTER, "a0"]
    assert said(limit=3) == ["a4", "q5", "a5"]
    assert drawn(thread(ana, talk))[0] == "a0-a3 35"


def test_a_search_finds_no_pointer(ana: Account, talk: Conversation) -> None:
    compact(talk, "q0", "a3", POINTER)

    assert [vars(one)["hit"] for one in conversations(ana, "q2")] == [talk.messages.get(content="q2").pk]
    assert not conversations(ana, "compacted").exists()


def test_a_summary_is_no_way_into_the_page(client: Client, ana: Account, talk: Conversation) -> None:
    compact(talk, "q0", "a3", "[summary of 8 earlier messages] <script>alert(1)</script> [8 messages compacted: <b>]")
    client.force_login(ana)

    assert "<script>alert" not in client.get(f"/c/{talk.pk}/").content.decode()
