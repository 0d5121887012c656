"""When an exchange was stored: is a compaction queued, once, and only where the window asks for one?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from django_q.models import OrmQ
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from chat.begun import begun_of
from chat.leaving import compacting
from chat.leaving.compacting import due, maybe
from chat.models import Conversation, Message, State
from chat.progress import Progress
from chat.tests.talks import talk_of
from forgesite.models import Account
from traces.recorder import Recorder

Set = Callable[..., None]


@pytest.fixture
def change(settings: Settings) -> Set:
    def changed(**more: Any) -> None:
        settings.FORGE = settings.FORGE.model_copy(update=more)

    return changed


def progress(talk: Conversation) -> Progress:
    asked, answer = Message.objects.filter(conversation=talk).order_by("-id")[:2][::-1]
    begun = begun_of(talk, asked, answer)
    return Progress(talk.owner, begun, "page", Recorder(talk.owner, run_id="r", conversation=talk.pk, text=""))


def test_a_short_conversation_is_settled_by_one_query_without_its_texts(
    ana: Account, django_assert_num_queries: Any
) -> None:
    talk = talk_of(ana, 3)

    with django_assert_num_queries(1) as queries:
        assert not due(talk)
    assert '"chat_message"."content",' not in queries[0]["sql"]


def test_too_many_messages_are_due(ana: Account, change: Set) -> None:
    talk = talk_of(ana, 5)
    assert not due(talk)
    change(COMPACTION_THRESHOLD=8)
    assert due(talk)
    change(COMPACTION_ENABLED=False)
    assert not due(talk)
    change(MEMORY_MAX_HISTORY=8)
    assert due(talk)


def test_too_many_tokens_are_due_by_what_a_prompt_shows(ana: Account, change: Set) -> None:
    talk = talk_of(ana, 3)
    change(COMPACTION_TOKEN_THRESHOLD=60)
    assert due(talk)
    Message.objects.update(model="", content="!memory of Forge's own words, as long as one likes")
    assert not due(talk)


def test_the_window_that_the_server_says_sets_the_ratio(ana: Account) -> None:
    talk = talk_of(ana, 40)

    assert not due(talk)
    assert due(talk, 1000)


def test_nothing_of_a_temporary_conversation_is_due_but_its_cap(ana: Account, change: Set) -> None:
    talk = talk_of(ana, 5)
    talk.temporary = True
    change(COMPACTION_THRESHOLD=8)
    assert not due(talk)
    change(MEMORY_MAX_HISTORY=8)
    assert due(talk)


def test_it_is_queued_once_a_conversation_and_when_the_exchange_is_stored(
    ana: Account, change: Set, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    change(COMPACTION_THRESHOLD=8)
    talk = talk_of(ana, 5)
    with django_capture_on_commit_callbacks(execute=True):
        maybe(progress(talk))
        maybe(progress(talk))

    [job] = [queued.task for queued in OrmQ.objects.all()]
    assert job["args"] == (compacting.COMPACT, {"owner": ana.pk, "conversation": talk.pk, "window": None})


@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_is_rolled_back_queues_nothing(ana: Account, change: Set) -> None:
    change(COMPACTION_THRESHOLD=8)
    talk = talk_of(ana, 5)
    with transaction.atomic():
        maybe(progress(talk))
        transaction.set_rollback(True)

    assert not OrmQ.objects.exists()


def test_a_conversation_that_is_gone_queues_nothing(ana: Account) -> None:
    talk = talk_of(ana, 1)
    gone = progress(talk)
    Conversation.objects.all().delete()

    maybe(gone)


def test_a_running_answer_alone_is_due_but_not_taken(ana: Account, change: Set) -> None:
    change(COMPACTION_THRESHOLD=2)
    talk = talk_of(ana, 2)
    Message.objects.filter(run_id="run0").update(state=State.RUNNING)

    assert due(talk)
