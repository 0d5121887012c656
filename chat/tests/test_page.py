"""The chat page as the server draws it: threads with their proof, the list, and the acts on a conversation."""

import pytest
from django.test import Client
from django.utils import timezone

from chat.models import Conversation, Message, Role, State
from chat.page import LISTED, THREAD, sidebar, thread
from forgesite.models import Account
from memory.models import Refusal, Rule
from memory.remember import Draft, remember
from traces.models import Run, Step

GIVEN = {"id": 7, "kind": "fact", "channel": "both", "distance": 0.7412, "preview": "The test server runs on port 8080"}


@pytest.fixture
def talk(ana: Account) -> Conversation:
    """A question, answered from one entry."""
    talk = Conversation.objects.create(owner=ana, title="Where things run")
    run = Run.objects.create(
        owner=ana, run_id="r1", conversation=talk.id, started_at=timezone.now(), ok=True, total_ms=1900
    )
    Step.objects.create(run=run, step=1, tool="recall", duration_ms=12, detail={"entries": [GIVEN]})
    Message.objects.create(owner=ana, conversation=talk, role=Role.USER, content="Which port? <b>", run_id="r1")
    Message.objects.create(owner=ana, conversation=talk, role=Role.ASSISTANT, content="Port **8080**.", run_id="r1")
    return talk


def page_of(client: Client, owner: Account, talk: Conversation) -> str:
    client.force_login(owner)
    return client.get(f"/c/{talk.id}/").content.decode()


def test_an_answer_carries_its_proof_after_a_reload(client: Client, ana: Account, talk: Conversation) -> None:
    page = page_of(client, ana, talk)

    assert "<strong>8080</strong>" in page
    assert "both · 0.74" in page
    assert 'href="/admin/memory/entry/7/change/"' in page
    assert "1.90 s" in page


def test_what_a_person_typed_is_shown_as_typed(client: Client, ana: Account, talk: Conversation) -> None:
    assert "Which port? &lt;b&gt;" in page_of(client, ana, talk)


def test_a_saved_entry_and_a_refusal_stand_under_their_answer(client: Client, ana: Account, talk: Conversation) -> None:
    asked = Message.objects.get(role=Role.USER)
    remember(ana, Draft("The NAS has four disks", conversation=talk.id, message=asked.pk), actor="person", cause="test")
    Refusal.objects.create(owner=ana, rule=Rule.QUESTION, text="Do I own a boat", run_id="r1")

    page = page_of(client, ana, talk)

    assert "The NAS has four disks" in page
    assert "a question never writes" in page
    assert "data-save-anyway" in page


@pytest.mark.parametrize("state", [State.FAILED, State.STOPPED, State.INTERRUPTED])
def test_an_answer_that_ended_early_offers_a_retry(
    client: Client, ana: Account, talk: Conversation, state: State
) -> None:
    Message.objects.filter(role=Role.ASSISTANT).update(state=state)

    [_asked, answer] = thread(ana, talk).shown

    assert answer.mark != "ok"
    assert "data-retry" in page_of(client, ana, talk)


def test_a_long_thread_is_shown_from_its_end(ana: Account, talk: Conversation) -> None:
    rows = [Message(owner=ana, conversation=talk, role=Role.USER, content=f"line {n}") for n in range(THREAD + 5)]
    Message.objects.bulk_create(rows)

    newest = thread(ana, talk)
    older = thread(ana, talk, before=newest.before)

    assert newest.shown[-1].message.content == f"line {THREAD + 4}"
    assert len(newest.shown) == THREAD
    assert older.before is None


def test_another_accounts_conversation_is_unknown(client: Client, ben: Account, talk: Conversation) -> None:
    client.force_login(ben)

    assert client.get(f"/c/{talk.id}/").status_code == 404
    for act in ("rename", "pin", "delete"):
        assert client.post(f"/c/{talk.id}/{act}/", {"title": "mine"}).status_code == 404
    assert Conversation.objects.get().title == "Where things run"


def test_a_conversation_is_renamed_pinned_and_deleted(client: Client, ana: Account, talk: Conversation) -> None:
    client.force_login(ana)

    client.post(f"/c/{talk.id}/rename/", {"title": "Servers"})
    client.post(f"/c/{talk.id}/pin/")
    assert [group.name for group in sidebar(ana).groups] == ["Pinned"]
    assert Conversation.objects.get().title == "Servers"
    client.post(f"/c/{talk.id}/delete/")

    assert not Conversation.objects.exists()


def test_the_list_is_searched_by_title_and_by_words_said(client: Client, ana: Account, talk: Conversation) -> None:
    client.force_login(ana)

    assert "Where things run" in client.get("/c/", {"q": "8080"}).content.decode()
    assert "No conversation with these words." in client.get("/c/", {"q": "boat"}).content.decode()


def test_the_list_says_how_many_it_leaves_out(ana: Account) -> None:
    Conversation.objects.bulk_create(Conversation(owner=ana, title=f"Talk {n}") for n in range(LISTED + 3))

    assert sidebar(ana).more == 3


def test_the_page_needs_few_queries_however_long_the_thread(
    client: Client, ana: Account, talk: Conversation, django_assert_max_num_queries: object
) -> None:
    rows = [Message(owner=ana, conversation=talk, role=Role.ASSISTANT, content="yes") for _ in range(150)]
    Message.objects.bulk_create(rows)
    client.force_login(ana)

    with django_assert_max_num_queries(15):  # type: ignore[operator]
        client.get(f"/c/{talk.id}/")
