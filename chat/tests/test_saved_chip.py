"""What was saved stands under its answer with the commit that saved it, undone or not, after a reload too."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from chat.models import Conversation, Message, Role
from chat.quoting import quote
from forgesite.models import Account
from forgesite.tests.web import by_token
from memory.models import Commit, Entry
from memory.remember import Draft, remember
from memory.undo import undo

WHO: dict[str, Any] = {"actor": "person", "cause": "test"}


@pytest.fixture
def asked(ana: Account) -> Message:
    """A message that is to be answered, and its answer."""
    talk = Conversation.objects.create(owner=ana, title="Disks")
    message = Message.objects.create(owner=ana, conversation=talk, role=Role.USER, content="Remember the four disks")
    Message.objects.create(owner=ana, conversation=talk, role=Role.ASSISTANT, content="Saved.", run_id="r1")
    return message


def chip(client: Client, asked: Message) -> tuple[str, str]:
    """Its commit, and what undid that."""
    client.force_login(asked.owner)
    page = client.get(f"/c/{asked.conversation_id}/").content.decode()
    [found] = re.findall(r'data-entry="\d+" data-commit="(\w*)" data-undone-by="(\w*)"', page)
    commit, undone_by = found
    return commit, undone_by


def test_a_chip_names_the_commit_that_saved_it_and_what_undid_that(client: Client, asked: Message) -> None:
    draft = Draft("The NAS has four disks", conversation=asked.conversation_id, message=asked.pk)
    saved = remember(asked.owner, draft, **WHO)
    assert chip(client, asked) == (saved.commit, "")

    back = undo(asked.owner, saved.commit, **WHO)
    assert chip(client, asked) == (saved.commit, back.address)

    undo(asked.owner, back.address, **WHO)
    assert chip(client, asked) == (saved.commit, "")


def test_a_chip_names_the_project(client: Client, asked: Message) -> None:
    draft = Draft("The NAS has four disks", project="home", conversation=asked.conversation_id, message=asked.pk)
    remember(asked.owner, draft, **WHO)
    client.force_login(asked.owner)
    page = client.get(f"/c/{asked.conversation_id}/").content.decode()
    assert '<span class="tag" data-slot="project">home</span>' in page


@pytest.mark.django_db(transaction=True)
def test_what_a_turn_saved_is_undone_by_the_commit_that_it_names(ana: Account) -> None:
    web = by_token(ana)
    [saved] = web.ask("POST", "/chat", {"message": "Remember that the NAS has four disks"}).json()["saved"]
    assert saved["entry"]["commit"] == Commit.objects.get().address

    done = web.ask("POST", f"/commits/{saved['entry']['commit']}/undo")

    assert done.status_code == 200
    assert Entry.objects.get().status == "retracted"


def test_a_message_is_quoted_to_its_owner_alone(asked: Message, ben: Account) -> None:
    told = quote(asked.owner, asked.pk)

    assert told is not None
    assert (told.text, told.title) == ("Remember the four disks", "Disks")
    assert quote(ben, asked.pk) is None
