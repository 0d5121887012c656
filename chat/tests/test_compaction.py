"""Old messages leave the window, their exchanges enter memory and a pointer their place: all of it or none."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from chat.domain.pointer import is_pointer
from chat.errors import BusyError, DisabledError
from chat.history import window
from chat.jobs import compact as job
from chat.leaving.compacting import lease
from chat.leaving.compaction import compact
from chat.models import Conversation, Message, Notice, Role, State
from chat.tests.talks import ask, talk_of
from forgesite.models import Account
from forgesite.testing_embedders import ScriptedEmbedder, served_by
from memory.errors import EmbeddingError
from memory.forget import forget
from memory.models import Entry
from memory.recall import Query, recall


@pytest.fixture(autouse=True)
def _small() -> Iterator[None]:
    with override_settings(FORGE=forge()):
        yield


def forge(**more: Any) -> Any:
    small = {"COMPACTION_THRESHOLD": 8, "COMPACTION_KEEP_RECENT": 4}
    return settings.FORGE.model_copy(update=small | more)


def in_window(talk: Conversation) -> list[str]:
    return [one.content for one in window(talk.owner, talk.pk).messages]


def test_exchanges_enter_memory_and_a_pointer_names_them(ana: Account) -> None:
    talk = talk_of(ana, 5)

    done = compact(ana, talk.pk)

    entries = list(Entry.objects.order_by("id"))
    asked = Message.objects.filter(role=Role.USER).order_by("id")
    assert (done.removed, done.kept, done.units, done.stored, done.duplicates, done.dropped) == (6, 4, 3, 3, 0, 0)
    assert entries[0].text == ("user: My plant number 0 stands in room 0.\nassistant: Then room 0 is green.")
    assert {(entry.kind, entry.origin, entry.conversation) for entry in entries} == {
        ("exchange", "compaction", talk.pk)
    }
    assert [(entry.message, entry.said_at) for entry in entries] == [(one.pk, one.created_at) for one in asked[:3]]
    assert (
        done.pointer == f"[6 messages compacted: #{entries[0].pk}-#{entries[2].pk} (3 entries), searchable via !recall]"
    )
    pointer = Message.objects.get(place__isnull=False)
    assert (pointer.role, pointer.content, pointer.indexable) == (Role.SYSTEM, done.pointer, False)
    assert pointer.place == asked[0].pk


def test_the_rows_stay_and_leave_the_window(ana: Account) -> None:
    talk = talk_of(ana, 5)
    compact(ana, talk.pk)

    seen = window(ana, talk.pk)
    assert len(seen.messages) == 4
    assert len(seen.pointers) == 1
    assert Message.objects.filter(conversation=talk, place=None).count() == 10


def test_a_french_owner_gets_a_french_pointer(ana: Account) -> None:
    ana.language = "fr"
    ana.save()

    assert "messages compactés : " in compact(ana, talk_of(ana, 5).pk).pointer


def test_below_its_triggers_nothing_happens_unless_forced(ana: Account) -> None:
    talk = talk_of(ana, 4)

    assert compact(ana, talk.pk).removed == 0
    assert compact(ana, talk.pk, forced=True).removed == 4
    assert compact(ana, talk.pk, forced=True).removed == 0
    assert Message.objects.filter(place__isnull=False).count() == 1


def test_the_next_prompt_begins_with_what_memory_holds_now(ana: Account) -> None:
    talk = talk_of(ana, 5)
    Conversation.objects.update(hot_upto=7)
    compact(ana, talk.pk)

    assert Conversation.objects.get().hot_upto is None


def test_pinned_messages_never_move_and_their_exchange_is_stored_whole(ana: Account) -> None:
    talk = talk_of(ana, 5)
    asked = Message.objects.filter(role=Role.USER).order_by("id").first()
    assert asked
    Message.objects.filter(pk=asked.pk).update(pinned=True)

    done = compact(ana, talk.pk)

    assert done.removed == 5
    assert in_window(talk)[0] == asked.content
    assert Entry.objects.order_by("id").first().text.startswith("user: My plant number 0")  # type: ignore[union-attr]


def test_what_is_marked_or_answered_nothing_leaves_the_window_all_the_same(ana: Account) -> None:
    talk = talk_of(ana, 1, indexable=False)
    talk_of(ana, 5, first=1, conversation=talk.pk)
    Message.objects.filter(run_id="run1", role=Role.ASSISTANT).update(content="[error] no route to host")

    done = compact(ana, talk.pk)

    assert (done.removed, done.units, done.dropped) == (8, 2, 4)
    assert "4 left out of memory" in done.pointer
    assert not Entry.objects.filter(text__contains="number 0").exists()
    assert not Entry.objects.filter(text__contains="number 1").exists()


def test_a_pointer_says_when_nothing_was_indexable(ana: Account) -> None:
    done = compact(ana, talk_of(ana, 5, indexable=False).pk)

    assert (done.units, done.dropped, Entry.objects.count()) == (0, 6, 0)
    assert done.pointer == "[6 messages compacted: nothing indexable, no entry created]"


def test_a_reply_that_is_known_to_be_none_is_left_out_and_the_persons_words_kept(ana: Account) -> None:
    talk = talk_of(ana, 5)
    Message.objects.filter(run_id="run0", role=Role.ASSISTANT).update(answered=False, indexable=False)
    Message.objects.filter(run_id="run1", role=Role.ASSISTANT).update(model="")  # Forge's own words

    compact(ana, talk.pk)

    texts = list(Entry.objects.order_by("id").values_list("text", flat=True))
    assert texts[:2] == [
        "user: My plant number 0 stands in room 0.",
        "user: My plant number 1 stands in room 1.",
    ]


def test_an_exchange_that_is_too_large_for_an_entry_is_named(ana: Account) -> None:
    talk = talk_of(ana, 5)
    Message.objects.filter(run_id="run0").update(content="The long story goes on. " * 30_000)

    done = compact(ana, talk.pk)

    assert (done.units, done.dropped) == (2, 2)


def test_a_running_answer_and_what_is_newer_stay(ana: Account) -> None:
    talk = talk_of(ana, 6)
    Message.objects.filter(run_id="run1", role=Role.ASSISTANT).update(state=State.RUNNING)

    assert compact(ana, talk.pk).removed == 2
    assert in_window(talk)[0].startswith("My plant number 1")


def test_run_again_it_changes_no_more_and_counts_what_was_there(ana: Account) -> None:
    talk = talk_of(ana, 5)
    compact(ana, talk.pk)
    Message.objects.update(compacted=False)

    again = compact(ana, talk.pk)

    assert (again.units, again.stored, again.duplicates) == (3, 0, 3)
    assert Entry.objects.count() == 3
    assert again.pointer == "[6 messages compacted: in memory already, searchable via !recall]"


def test_what_was_forgotten_is_not_written_again(ana: Account) -> None:
    talk = talk_of(ana, 5)
    compact(ana, talk.pk)
    gone = Entry.objects.order_by("id").first()
    assert gone
    forget(ana, [gone.pk], actor="person", cause="test")
    Message.objects.update(compacted=False)

    assert compact(ana, talk.pk).stored == 0
    assert Entry.objects.count() == 2


def test_an_embedder_that_fails_leaves_the_history_as_it_was_and_the_pages_are_told(ana: Account) -> None:
    talk = talk_of(ana, 5)
    with ScriptedEmbedder() as server, served_by(server, **small()):
        server.mode = "fail"
        with pytest.raises(EmbeddingError):
            compact(ana, talk.pk)
        job(ana.pk, talk.pk)

    assert len(in_window(talk)) == 10
    assert (Entry.objects.count(), Message.objects.filter(place__isnull=False).count()) == (0, 0)
    notice = Notice.objects.get(what="compaction_failed")
    assert (notice.conversation, notice.detail["why"]) == (talk.pk, "embedding")


def small() -> dict[str, Any]:
    return {"COMPACTION_THRESHOLD": 8, "COMPACTION_KEEP_RECENT": 4}


def test_each_text_is_embedded_once_and_before_the_transaction(ana: Account) -> None:
    talk = talk_of(ana, 5)
    with ScriptedEmbedder() as server, served_by(server, **small()):
        compact(ana, talk.pk)
        texts = [text for texts in server.asked for text in texts if text.startswith("user: ")]

    assert len(texts) == len(set(texts)) == 3


def test_what_memory_holds_already_is_not_embedded_again(ana: Account) -> None:
    talk = talk_of(ana, 5)
    with ScriptedEmbedder() as server, served_by(server, **small()):
        compact(ana, talk.pk)
        Message.objects.update(compacted=False)
        asked = len(server.asked)
        assert compact(ana, talk.pk).duplicates == 3

    assert len(server.asked) == asked


def test_what_was_compacted_is_found(ana: Account) -> None:
    talk = talk_of(ana, 5)
    compact(ana, talk.pk)

    found = recall(ana, Query("Where is plant number 2?", explicit=True))
    assert "plant number 2" in found.rows[0].entry.text


def test_while_one_compacts_another_is_busy(ana: Account) -> None:
    talk = talk_of(ana, 5)
    with lease(talk):
        with pytest.raises(BusyError):
            compact(ana, talk.pk)
        job(ana.pk, talk.pk)  # and the worker leaves it alone
    assert compact(ana, talk.pk).removed == 6
    assert Conversation.objects.get().compacting_since is None


def test_the_lease_of_whoever_was_killed_ends(ana: Account, settings: Any) -> None:
    talk = talk_of(ana, 5)
    held = lease(talk)
    held.__enter__()
    settings.JOB_TIMEOUT = 0

    assert compact(ana, talk.pk).removed == 6
    Conversation.objects.update(compacting_since="2026-01-01T00:00Z")
    held.__exit__(None, None, None)
    assert Conversation.objects.get().compacting_since is not None  # not theirs to release


def test_nothing_of_a_temporary_conversation_is_compacted(ana: Account) -> None:
    talk = talk_of(ana, 5)
    Conversation.objects.update(temporary=True)

    with pytest.raises(DisabledError):
        compact(ana, talk.pk, forced=True)
    job(ana.pk, talk.pk)
    assert (Entry.objects.count(), len(in_window(talk))) == (0, 10)


def test_with_memory_off_nothing_is_compacted(ana: Account) -> None:
    talk = talk_of(ana, 5)
    with override_settings(FORGE=forge(MEMORY_ENABLED=False)):
        with pytest.raises(DisabledError):
            compact(ana, talk.pk, forced=True)
        job(ana.pk, talk.pk)

    assert (Entry.objects.count(), len(in_window(talk))) == (0, 10)


@pytest.mark.parametrize(
    "off", [{"COMPACTION_ENABLED": False}, {"MEMORY_ENABLED": False}, {"EMBEDDING_PROVIDER": "llamacpp"}]
)
def test_the_hard_cap_comes_when_compaction_does_not_and_says_so(ana: Account, off: dict[str, Any]) -> None:
    talk = talk_of(ana, 6)
    unreachable = {"EMBEDDING_URL": "http://127.0.0.1:9/embedding"}
    with override_settings(FORGE=forge(MEMORY_MAX_HISTORY=10, MEMORY_HARD_CAP_SLACK=4, **unreachable | off)):
        job(ana.pk, talk.pk)
        job(ana.pk, talk.pk)

    assert len(in_window(talk)) == 6
    pointer = Message.objects.get(place__isnull=False)
    assert pointer.content == "[6 messages compacted: out of the window, not in memory]"
    assert is_pointer(pointer.content)
    assert Entry.objects.count() == 0


def test_the_pages_are_told_what_moved_and_no_words(ana: Account) -> None:
    talk = talk_of(ana, 5)
    job(ana.pk, talk.pk)

    began, changed = Notice.objects.order_by("id")
    assert (began.what, began.conversation, began.owner) == ("compacting", talk.pk, ana)
    assert (changed.what, changed.detail) == ("thread", {"removed": 6, "kept": 4, "stored": 3})


def test_the_log_counts_each_message_once(ana: Account, caplog: pytest.LogCaptureFixture) -> None:
    talk = talk_of(ana, 1, indexable=False)
    talk_of(ana, 4, first=1, conversation=talk.pk)
    with caplog.at_level(logging.INFO, logger="chat.leaving.compaction"):
        compact(ana, talk.pk)

    [line] = [record.getMessage() for record in caplog.records if record.getMessage().startswith("compaction ")]
    assert "messages=6 kept=4 dropped=2 units=2 stored=2 duplicates=0 forgotten=0" in line
    assert "left_out=marked:2 strategy=rag_pointer triggers=messages window=10->4" in line
    assert "below_keep_recent=False limit_messages=8 limit_keep_recent=4 limit_tokens=6000 limit_target=3000" in line


def test_another_branch_keeps_what_is_its_own(ana: Account) -> None:
    """Messages that both hold leave both; the pointer stands on both."""
    talk = talk_of(ana, 5)
    third = Message.objects.filter(role=Role.ASSISTANT).order_by("id")[1]
    aside = ask(ana, "And the palm?", conversation=talk.pk, parent=third.pk)
    Conversation.objects.update(tip=Message.objects.filter(run_id="run4", role=Role.ASSISTANT).get().pk)

    done = compact(ana, talk.pk)

    assert done.removed == 6
    other = window(ana, talk.pk, upto=aside.answer)
    assert [one.content for one in other.messages] == ["And the palm?"]
    assert [one.content for one in other.pointers] == [done.pointer]


def test_somebody_elses_conversation_is_unknown(ana: Account, ben: Account) -> None:
    from forgesite.errors import UnknownError

    with pytest.raises(UnknownError):
        compact(ben, talk_of(ana, 5).pk, forced=True)
