"""Conversations and messages on the desk say who answered, and what follows what."""

import pytest
from django.test import Client

from chat.models import Conversation, Message, Role, State
from forgesite.models import Account


@pytest.fixture
def desk(client: Client, ana: Account) -> Client:
    Account.objects.filter(pk=ana.pk).update(is_staff=True, is_superuser=True)
    client.force_login(Account.objects.get(pk=ana.pk))
    return client


@pytest.fixture
def talk(ana: Account) -> Conversation:
    return Conversation.objects.create(owner=ana, title="Where things run", server="attic", model="tiny-7b")


def page_of(desk: Client, talk: Conversation, parent: int | None) -> str:
    said = Message.objects.create(
        owner=talk.owner, conversation=talk, role=Role.ASSISTANT, state=State.CUT, model="tiny-7b", parent=parent
    )
    return desk.get(f"/admin/chat/message/{said.pk}/change/").content.decode()


def test_a_message_shows_its_model_its_state_and_what_it_follows(desk: Client, talk: Conversation) -> None:
    asked = Message.objects.create(owner=talk.owner, conversation=talk, role=Role.USER, content="Which port?")
    page = page_of(desk, talk, asked.pk)

    assert "tiny-7b" in page
    assert "cut short" in page
    assert f'<a href="/admin/chat/message/{asked.pk}/change/">#{asked.pk}</a>' in page


@pytest.mark.parametrize(
    ("parent", "words"), [(None, "the message before it"), (0, "begins anew with it"), (99999, "#99999")]
)
def test_what_follows_no_message_that_is_here_says_so(
    desk: Client, talk: Conversation, parent: int | None, words: str
) -> None:
    page = page_of(desk, talk, parent)

    assert words in page
    assert "/admin/chat/message/99999/" not in page


def test_who_answers_a_conversation_is_shown_and_not_changed_here(desk: Client, talk: Conversation) -> None:
    path = f"/admin/chat/conversation/{talk.pk}/change/"

    assert "attic" in desk.get(path).content.decode()
    assert desk.post(path, {"server": "desk", "model": "other"}).status_code == 403
