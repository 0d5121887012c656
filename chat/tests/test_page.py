"""The chat page as the server draws it: threads with their proof, the list, and the acts on a conversation."""

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from chat.history import show_branch
from chat.models import Continuation, Conversation, Message, Role, State
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


def test_the_channel_and_the_distance_are_in_the_readers_language(
    client: Client, ana: Account, talk: Conversation
) -> None:
    ana.language = "fr"
    ana.save()
    assert "0,74" in page_of(client, ana, talk)


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


@pytest.mark.parametrize("state", [State.FAILED, State.STOPPED, State.INTERRUPTED, State.CUT])
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
    for act in ("rename", "pin", "delete", "archive", "branch"):
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


def retried(talk: Conversation) -> tuple[Message, Message]:
    """The answer of the conversation, and one more beside it."""
    asked, answer = talk.messages.all()
    again = Message.objects.create(
        owner=talk.owner, conversation=talk, role=Role.ASSISTANT, content="Port 9090.", parent=asked.pk, model="tiny"
    )
    return answer, again


def test_an_answer_with_an_alternative_names_both(ana: Account, talk: Conversation) -> None:
    answer, again = retried(talk)

    asked, shown = thread(ana, talk).shown

    assert (asked.parent, asked.siblings, asked.last) == (0, (), False)
    assert (shown.parent, shown.siblings, shown.last) == (asked.message.pk, (answer.pk, again.pk), True)
    assert (shown.model, shown.cut) == ("tiny", False)


def test_the_other_branch_is_brought_in_sight_and_stays(client: Client, ana: Account, talk: Conversation) -> None:
    answer, again = retried(talk)
    client.force_login(ana)

    back = client.post(f"/c/{talk.id}/branch/", {"message": answer.pk})

    assert (back.status_code, back["Location"]) == (302, f"/c/{talk.id}/")
    page = client.get(f"/c/{talk.id}/").content.decode()
    assert "8080</strong>" in page
    assert "9090" not in page
    client.post(f"/c/{talk.id}/branch/", {"message": again.pk})
    assert Conversation.objects.get().tip is None


@pytest.mark.parametrize("message", ["", "0", "-1", "x", "999999", "9" * 40])
def test_a_branch_of_no_message_is_unknown(client: Client, ana: Account, talk: Conversation, message: str) -> None:
    retried(talk)
    client.force_login(ana)

    assert client.post(f"/c/{talk.id}/branch/", {"message": message}).status_code == 404
    assert Conversation.objects.get().tip is None


def test_a_hit_of_a_search_opens_its_branch_and_changes_nothing(
    client: Client, ana: Account, talk: Conversation
) -> None:
    answer, _again = retried(talk)
    client.force_login(ana)

    page = client.get(f"/c/{talk.id}/", {"message": answer.pk})

    assert "8080</strong>" in page.content.decode()
    assert page.context["page"]["tip"] == answer.pk
    assert "9090" in client.get(f"/c/{talk.id}/").content.decode()


def test_a_hit_on_the_branch_in_sight_keeps_it_in_sight(ana: Account, talk: Conversation) -> None:
    answer, _again = retried(talk)
    asked = talk.messages.all()[0]
    talk = show_branch(ana, talk.id, answer.pk)

    assert thread(ana, talk, message=asked.pk).tip == answer.pk


def test_a_hit_far_back_is_shown_with_what_followed_it(ana: Account, talk: Conversation) -> None:
    retried(talk)
    rows = [Message(owner=ana, conversation=talk, role=Role.USER, content=f"line {n}") for n in range(3 * THREAD)]
    Message.objects.bulk_create(rows)
    early = Message.objects.get(content="line 20")

    shown = [one.message.content for one in thread(ana, talk, message=early.pk).shown]

    assert len(shown) <= THREAD
    assert {"line 20", "line 60"} <= set(shown)


def test_what_came_before_a_hit_is_of_its_branch(ana: Account, talk: Conversation) -> None:
    answer, _again = retried(talk)
    rows = [Message(owner=ana, conversation=talk, role=Role.USER, content=f"line {n}") for n in range(THREAD + 50)]
    rows[0].parent = answer.pk
    hit = Message.objects.bulk_create(rows)[-1].pk
    retry = Message.objects.create(owner=ana, conversation=talk, role=Role.USER, content="Anew", parent=0)

    newest = thread(ana, talk, message=hit)
    older = thread(ana, talk, message=newest.message, before=newest.before)

    assert (newest.tip, thread(ana, talk).tip) == (hit, retry.pk)
    assert [one.message.content for one in older.shown[:3]] == ["Which port? <b>", "Port **8080**.", "line 0"]
    assert older.before is None


@pytest.mark.parametrize("state", [State.CUT, State.STOPPED, State.FAILED, State.INTERRUPTED, State.COMPLETE])
def test_only_the_last_answer_of_a_branch_can_be_gone_on_with(ana: Account, talk: Conversation, state: State) -> None:
    Message.objects.filter(role=Role.ASSISTANT).update(state=state)
    shown = thread(ana, talk).shown[-1]
    Message.objects.create(owner=ana, conversation=talk, role=Role.USER, content="And then?")

    assert (shown.can_go_on, shown.cut) == (state != State.COMPLETE, state == State.CUT)
    assert not thread(ana, talk).shown[1].can_go_on


def test_what_an_earlier_run_of_an_answer_refused_stays_under_it(ana: Account, talk: Conversation) -> None:
    answer = talk.messages.get(role=Role.ASSISTANT)
    Refusal.objects.create(owner=ana, rule=Rule.QUESTION, text="Do I own a boat", run_id="r1")
    Continuation.objects.create(owner=ana, message=answer, run_id="r2", after="r1")
    Message.objects.filter(pk=answer.pk).update(run_id="r2")

    assert [refusal.text for refusal in thread(ana, talk).shown[1].refused] == ["Do I own a boat"]


def test_an_archived_conversation_is_in_the_other_list(client: Client, ana: Account, talk: Conversation) -> None:
    client.force_login(ana)

    assert client.post(f"/c/{talk.id}/archive/")["Location"] == "/"
    assert (sidebar(ana).groups, sidebar(ana).elsewhere) == ((), 1)
    assert "Where things run" in client.get("/c/", {"archived": "1"}).content.decode()
    assert "Where things run" in client.get("/c/", {"archived": "1", "q": "8080"}).content.decode()
    assert "Where things run" not in client.get("/c/").content.decode()
    assert client.post(f"/c/{talk.id}/archive/")["Location"] == f"/c/{talk.id}/"
    assert sidebar(ana).groups


def test_the_page_knows_who_answers_and_where_it_ends(client: Client, ana: Account, talk: Conversation) -> None:
    Conversation.objects.update(server="desk", model="tiny", temporary=True)
    client.force_login(ana)

    told = client.get(f"/c/{talk.id}/").context["page"]
    new = client.get("/").context["page"]

    last = talk.messages.last()
    assert (told["server"], told["model"], told["temporary"]) == ("desk", "tiny", True)
    assert (told["tip"], told["urls"]["models"]) == (last and last.pk, "/models")
    assert (new["server"], new["model"], new["temporary"], new["tip"]) == ("", "", False, 0)


@pytest.mark.parametrize("branched", [False, True])
def test_the_page_needs_few_queries_however_long_the_thread(
    client: Client, ana: Account, talk: Conversation, django_assert_max_num_queries: object, branched: bool
) -> None:
    Conversation.objects.bulk_create(Conversation(owner=ana, title=f"Talk {n}") for n in range(LISTED + 3))
    rows = [Message(owner=ana, conversation=talk, role=Role.ASSISTANT, content="yes") for _ in range(5000)]
    Message.objects.bulk_create(rows)
    if branched:
        forks = [row.pk for row in talk.messages.all()[100::100]]
        Message.objects.filter(pk__in=forks).update(parent=F("pk") - 2)
    client.force_login(ana)

    with django_assert_max_num_queries(15):  # type: ignore[operator]
        client.get(f"/c/{talk.id}/")
