"""Conversations expire only where that is set, nothing pinned does, and memory has first what it keeps of them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from django_q.models import Schedule
from pytest_django import Settings

from chat import jobs
from chat.leaving.compaction import compact
from chat.leaving.expiry import Expired, expire
from chat.models import Conversation, Message, Role, State
from chat.tests.talks import ask, talk_of
from forgesite.models import Account
from memory.models import Entry


@pytest.fixture(autouse=True)
def _a_month(settings: Settings) -> None:
    settings.FORGE = settings.FORGE.model_copy(update={"CONVERSATION_RETENTION_DAYS": 30, "COMPACTION_KEEP_RECENT": 4})


def old(owner: Account, exchanges: int = 3, **rows: Any) -> Conversation:
    talk = talk_of(owner, exchanges, **rows)
    aged(talk)
    return talk


def aged(talk: Conversation, days: int = 31) -> None:
    Conversation.objects.filter(pk=talk.pk).update(updated_at=timezone.now() - timedelta(days=days))


def texts() -> list[str]:
    return list(Entry.objects.order_by("id").values_list("text", flat=True))


def test_what_has_expired_is_stored_and_removed(ana: Account) -> None:
    talk, young = old(ana), talk_of(ana, 1, first=9)

    assert jobs.expire() == 1
    assert list(Conversation.objects.all()) == [young]
    assert len(texts()) == 3
    assert {entry.conversation for entry in Entry.objects.all()} == {talk.pk}
    assert jobs.expire() == 0


def test_by_default_nothing_expires(ana: Account, settings: Settings) -> None:
    settings.FORGE = settings.FORGE.model_copy(update={"CONVERSATION_RETENTION_DAYS": 0})
    old(ana)

    assert jobs.expire() == 0


def test_what_was_compacted_before_is_no_second_entry(ana: Account) -> None:
    talk = old(ana, 5)
    compact(ana, talk.pk, forced=True)
    jobs.expire()

    assert len(texts()) == 5


def test_of_units_that_are_left_out_the_persons_own_words_are_kept(ana: Account) -> None:
    old(ana, 1, indexable=False)
    talk = old(ana, 1)
    Message.objects.filter(conversation=talk, role=Role.ASSISTANT).update(content="[error] no route to host")
    commands = ask(ana, "!memory fact", answer="#1 [fact] the code of the shed")
    aged(Conversation.objects.get(pk=commands.conversation))

    assert jobs.expire() == 3
    assert texts() == ["user: My plant number 0 stands in room 0."]  # said twice, in the same words


@pytest.mark.parametrize("pinned", ["conversation", "message"])
def test_what_somebody_pinned_does_not_expire(ana: Account, pinned: str) -> None:
    talk = old(ana)
    if pinned == "conversation":
        Conversation.objects.update(pinned=True)
    else:
        Message.objects.filter(pk=Message.objects.first().pk).update(pinned=True)  # type: ignore[union-attr]

    assert jobs.expire() == 0
    assert Conversation.objects.filter(pk=talk.pk).exists()


def test_nothing_is_removed_that_could_not_be_stored(ana: Account, settings: Settings) -> None:
    down = {"EMBEDDING_PROVIDER": "llamacpp", "EMBEDDING_URL": "http://127.0.0.1:9/embedding"}
    settings.FORGE = settings.FORGE.model_copy(update=down)
    old(ana)

    assert jobs.expire() == 0
    assert (Message.objects.count(), Entry.objects.count()) == (6, 0)


def test_with_memory_off_only_what_was_temporary_goes(ana: Account, settings: Settings) -> None:
    settings.FORGE = settings.FORGE.model_copy(update={"MEMORY_ENABLED": False})
    kept, gone = old(ana), old(ana)
    Conversation.objects.filter(pk=gone.pk).update(temporary=True)

    assert jobs.expire() == 1
    assert list(Conversation.objects.all()) == [kept]
    assert texts() == []


def test_a_long_work_is_left_to_a_next_run(ana: Account) -> None:
    old(ana)

    assert expire(longest=0) == Expired(0, more=True)
    assert expire() == Expired(1)


def test_one_that_still_answers_stays(ana: Account) -> None:
    old(ana)
    Message.objects.filter(run_id="run2", role=Role.ASSISTANT).update(state=State.RUNNING)

    assert jobs.expire() == 0


def test_every_branch_is_stored_once(ana: Account) -> None:
    talk = talk_of(ana, 2)
    first = Message.objects.filter(role=Role.ASSISTANT).order_by("id").first()
    assert first
    ask(ana, "And the palm in the hall?", conversation=talk.pk, parent=first.pk)
    Message.objects.update(indexable=True)
    aged(talk)
    jobs.expire()

    assert texts() == [
        "user: My plant number 0 stands in room 0.\nassistant: Then room 0 is green.",
        "user: My plant number 1 stands in room 1.\nassistant: Then room 1 is green.",
        "user: And the palm in the hall?",
    ]


def test_it_is_looked_for_once_a_day_where_that_is_set(ana: Account, settings: Settings) -> None:
    jobs.keep_schedule()
    jobs.keep_schedule()
    assert [plan.schedule_type for plan in Schedule.objects.filter(name=jobs.EXPIRE)] == [Schedule.DAILY]
    settings.FORGE = settings.FORGE.model_copy(update={"CONVERSATION_RETENTION_DAYS": 0})
    jobs.keep_schedule()
    assert not Schedule.objects.filter(name=jobs.EXPIRE).exists()
