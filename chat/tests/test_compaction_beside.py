"""Others are at work while a conversation is compacted: nothing of theirs is lost, and nothing is done twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event
from typing import Any

import pytest
from django.db import connection, connections
from pytest_django import Settings

from chat.errors import BusyError
from chat.history import window
from chat.leaving.compaction import Compacted, compact
from chat.models import Conversation, Message, Notice, Role, State
from chat.persist import begin, end
from chat.tests.conftest import answered_by
from chat.tests.talks import ask, talk_of
from forgesite.lib.vectors import Vector
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel
from forgesite.testing_server import until
from memory.forget import forget
from memory.models import Entry
from memory.remember import Draft, remember
from memory.tests.hash_door import HashDoor
from memory.verify import verify

pytestmark = pytest.mark.django_db(transaction=True)


class Meanwhile(HashDoor):
    """An embedder while which something else happens, the first time it is asked for an exchange."""

    def __init__(self, happens: Callable[[], Any]) -> None:
        self.happens, self.times = happens, 0

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        assert not connection.in_atomic_block
        if any(text.startswith("user: ") for text in texts):
            self.times += 1
            if self.times == 1:
                self.happens()
        return super().embed_documents(texts)


@pytest.fixture(autouse=True)
def _small(settings: Settings) -> None:
    settings.FORGE = settings.FORGE.model_copy(update={"COMPACTION_THRESHOLD": 8, "COMPACTION_KEEP_RECENT": 4})


def texts(talk: Conversation) -> list[str]:
    return [one.content for one in window(talk.owner, talk.pk).messages]


def test_a_turn_during_a_compaction_loses_nothing(ana: Account) -> None:
    talk = talk_of(ana, 5)
    door = Meanwhile(lambda: ask(ana, "And the palm?", answer="In the hall.", conversation=talk.pk))

    assert compact(ana, talk.pk, door=door).removed == 6
    assert texts(talk)[-2:] == ["And the palm?", "In the hall."]
    assert len(texts(talk)) == 6


def test_a_turn_that_runs_through_a_compaction_ends_where_it_began(ana: Account) -> None:
    talk = talk_of(ana, 5)
    begun = begin(ana, "And the palm?", conversation=talk.pk, run_id="palm")
    compact(ana, talk.pk, door=HashDoor())
    end(begun, "In the hall.", state=State.COMPLETE, answered=True, indexable=True, model="m")

    assert texts(talk)[-2:] == ["And the palm?", "In the hall."]
    assert len(texts(talk)) == 4


def test_what_was_pinned_or_changed_meanwhile_is_seen(ana: Account) -> None:
    talk = talk_of(ana, 5)
    first = Message.objects.filter(role=Role.USER).order_by("id").first()
    assert first
    door = Meanwhile(
        lambda: Message.objects.filter(pk=first.pk).update(pinned=True, content="Mine stands in the hall.")
    )

    done = compact(ana, talk.pk, door=door)

    assert door.times == 2
    assert done.removed == 5
    assert texts(talk)[0] == "Mine stands in the hall."
    assert Entry.objects.order_by("id").first().text.startswith("user: Mine stands")  # type: ignore[union-attr]


def test_what_is_forgotten_meanwhile_is_in_no_summary(ana: Account) -> None:
    talk = talk_of(ana, 5)
    first = Message.objects.order_by("id").first()
    assert first
    draft = Draft("Plant 0 stands in room 0", origin="model", message=first.pk)
    entry = remember(ana, draft, actor="model", cause="test", door=HashDoor()).entry

    with ScriptedModel() as model, answered_by(model, COMPACTION_STRATEGY="llm_summary", COMPACTION_THRESHOLD=8):
        model.will_answer("Plant 0 stands in room 0, and each room is green.", every=0.05)
        model.will_answer("Each room is green.")
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(compacted, ana, talk)
            until(lambda: bool(model.prompts), 20)
            forget(ana, [entry.pk], actor="person", cause="test")
            assert running.result(20).removed

    assert window(ana, talk.pk).pointers[0].content == "[summary of 6 earlier messages] Each room is green."


def test_a_conversation_that_is_deleted_meanwhile_is_left_alone(ana: Account) -> None:
    talk = talk_of(ana, 5)
    door = Meanwhile(Conversation.objects.all().delete)

    assert compact(ana, talk.pk, door=door).removed == 0
    assert Entry.objects.count() == 0


def test_of_two_at_once_one_is_busy_and_nothing_is_there_twice(ana: Account) -> None:
    talk = talk_of(ana, 5)
    with beside(lambda: compact(ana, talk.pk, door=HashDoor())) as other:
        done = compact(ana, talk.pk, door=Meanwhile(other))

    assert done.removed == 6
    assert Entry.objects.count() == 3
    assert Message.objects.filter(place__isnull=False).count() == 1
    assert not verify().findings


def test_of_two_whose_lease_was_lost_the_second_finds_it_done(ana: Account) -> None:
    """A worker that was thought dead writes after all: what it was about to take is not there any more."""
    talk = talk_of(ana, 5)

    def another() -> None:
        Conversation.objects.update(compacting_since=None)
        assert compact(ana, talk.pk, door=HashDoor()).removed == 6

    assert compact(ana, talk.pk, door=Meanwhile(another)) == Compacted(0, 4)
    assert Entry.objects.count() == 3
    assert Message.objects.filter(place__isnull=False).count() == 1
    assert Notice.objects.filter(what="thread").count() == 1


@contextmanager
def beside(act: Callable[[], Any]) -> Iterator[Callable[[], None]]:
    """Does it on another thread, which has to find it busy."""
    over = Event()

    def run() -> None:
        try:
            with pytest.raises(BusyError):
                act()
        finally:
            connections.close_all()
            over.set()

    with ThreadPoolExecutor(1) as pool:

        def go() -> None:
            pool.submit(run).result(20)

        yield go
    assert over.is_set()


def test_no_transaction_is_open_while_a_model_summarises(ana: Account, settings: Settings) -> None:
    """Another connection writes meanwhile: inside of a transaction it would have to wait."""
    talk = talk_of(ana, 5)
    with ScriptedModel() as model, answered_by(model, COMPACTION_STRATEGY="both", COMPACTION_THRESHOLD=8):
        model.will_answer("The plants stand in their rooms, and each of them is green.", every=0.05)
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(compacted, ana, talk)
            until(lambda: bool(model.prompts), 20)
            ask(ana, "And the palm?", answer="In the hall.", conversation=talk.pk)
            assert not running.done()
            assert running.result(20).removed
    assert texts(talk)[-1] == "In the hall."


def compacted(owner: Account, talk: Conversation) -> Compacted:
    try:
        return compact(owner, talk.pk)
    finally:
        connections.close_all()
