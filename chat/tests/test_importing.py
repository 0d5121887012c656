"""Exports become threads and exchanges: once, whole, with their own dates, each for its owner."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from chat.importing import bring_in, preview
from chat.intake.wording import counted
from chat.models import Conversation, Message
from forgesite.models import Account
from memory.forget import forget
from memory.models import Commit, Entry
from memory.recall import Query, recall
from memory.revise import Changes, revise

EXPORTS = Path(__file__).parent / "data" / "exports"
PHOTOSYNTHESIS = EXPORTS / "openwebui-importer" / "gpt_example.json"
SAID_AT = datetime(2025, 6, 21, 20, 24, 43, 102000, tzinfo=UTC)


def chatgpt(*said: tuple[str, str], id: str = "c1", title: str = "The test server") -> dict[str, Any]:
    """An export of one conversation without branches: (role, text) a message."""
    mapping = {
        f"m{place}": {
            "parent": f"m{place - 1}" if place else None,
            "message": {
                "author": {"role": role},
                "create_time": 1_700_000_000 + place,
                "content": {"content_type": "text", "parts": [text]},
            },
        }
        for place, (role, text) in enumerate(said)
    }
    return {"id": id, "title": title, "create_time": 1_700_000_000, "mapping": mapping}


def written(folder: Path, value: Any, name: str = "conversations.json") -> list[Path]:
    path = folder / name
    path.write_text(json.dumps(value))
    return [path]


@pytest.fixture
def embedder() -> Iterator[None]:
    """The bundled one: elsewhere the tests of this app go without."""
    with override_settings(FORGE=settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "bundled"})):
        yield


PORT = ("user", "Which port does the test server use?")
REPLY = ("assistant", "The test server uses port 8080.")
BACKUP = ("user", "When does the backup of the NAS run?")


def test_a_real_export_becomes_a_thread_with_its_own_dates(ana: Account) -> None:
    report = bring_in(ana, [PHOTOSYNTHESIS])

    [talk] = Conversation.objects.of(ana)
    assert (talk.title, talk.source) == ("How photosynthesis works", "chatgpt:6857150a-cd20-800f-a5f7-d2404f94b935")
    assert talk.created_at == datetime(2025, 6, 21, 20, 24, 42, 970556, tzinfo=UTC)
    assert [message.role for message in talk.messages.all()] == ["user", "assistant"] * 5
    assert talk.messages.all()[0].created_at == SAID_AT
    assert (report.new.conversations, report.new.messages, report.new.exchanges) == (1, 10, 5)


def test_every_exchange_becomes_an_entry_that_names_where_it_came_from(ana: Account) -> None:
    bring_in(ana, [PHOTOSYNTHESIS])

    entries = Entry.objects.of(ana).order_by("id")
    first = entries[0]
    assert len(entries) == 5
    assert first.text.startswith("user: Can you explain how photosynthesis works in simple terms?\nassistant: Photosyn")
    assert (first.kind, first.origin, first.said_at) == ("exchange", "import", SAID_AT)
    assert first.source == "chatgpt:6857150a-cd20-800f-a5f7-d2404f94b935:4a718348-3eb5-4e00-a464-38417f6cb252"
    assert first.conversation == Conversation.objects.get().pk
    assert first.message == Message.objects.order_by("id")[0].pk


def test_all_the_real_exports_at_once(ana: Account) -> None:
    report = bring_in(ana, [EXPORTS])

    assert not report.errors
    assert (report.new.conversations, report.new.messages, report.new.exchanges) == (10, 47, 24)
    assert Conversation.objects.of(ana).count() == 10
    assert Message.objects.of(ana).count() == 47
    assert Entry.objects.of(ana).count() == 24


def test_a_second_import_changes_nothing(ana: Account) -> None:
    bring_in(ana, [EXPORTS])
    commits = Commit.objects.of(ana).count()
    again = bring_in(ana, [EXPORTS])

    assert (again.new.conversations, again.new.messages, again.new.exchanges) == (0, 0, 0)
    assert (again.there.conversations, again.there.messages, again.there.exchanges) == (10, 47, 24)
    assert (Conversation.objects.count(), Message.objects.count(), Entry.objects.count()) == (10, 47, 24)
    assert Commit.objects.of(ana).count() == commits


def test_a_preview_says_the_same_and_writes_nothing(ana: Account) -> None:
    foreseen = preview(ana, [EXPORTS, PHOTOSYNTHESIS])

    assert (Conversation.objects.count(), Message.objects.count(), Entry.objects.count()) == (0, 0, 0)
    done = bring_in(ana, [EXPORTS, PHOTOSYNTHESIS])
    assert [(file.new, file.there, file.notes) for file in foreseen.files] == [
        (file.new, file.there, file.notes) for file in done.files
    ]


def test_a_longer_export_adds_only_what_is_new(ana: Account, tmp_path: Path) -> None:
    bring_in(ana, written(tmp_path, [chatgpt(PORT, REPLY)]))
    report = bring_in(ana, written(tmp_path, [chatgpt(PORT, REPLY, BACKUP, ("assistant", "At three at night."))]))

    assert (report.new.conversations, report.new.messages, report.new.exchanges) == (0, 2, 1)
    assert (Message.objects.count(), Entry.objects.count()) == (4, 2)


def test_an_answer_that_came_since_completes_its_exchange(ana: Account, tmp_path: Path) -> None:
    bring_in(ana, written(tmp_path, [chatgpt(PORT)]))
    report = bring_in(ana, written(tmp_path, [chatgpt(PORT, REPLY)]))

    assert report.conversations[0].completed == 1
    assert Entry.objects.get().text == f"user: {PORT[1]}\nassistant: {REPLY[1]}"


def test_an_exchange_that_a_person_edited_is_left_as_they_wrote_it(ana: Account, tmp_path: Path) -> None:
    bring_in(ana, written(tmp_path, [chatgpt(PORT)]))
    edited = Changes(text="The test server's port was asked about.")
    revise(ana, Entry.objects.get().pk, edited, version=1, actor="person", cause="edit")
    bring_in(ana, written(tmp_path, [chatgpt(PORT, REPLY)]))

    assert Entry.objects.get().text == edited.text


@pytest.mark.parametrize("change", [Changes(pinned=True), Changes(status="archived")])
def test_an_exchange_that_a_person_pinned_or_put_away_is_left_as_it_was(
    ana: Account, tmp_path: Path, change: Changes
) -> None:
    bring_in(ana, written(tmp_path, [chatgpt(PORT)]))
    before = Entry.objects.get().text
    revise(ana, Entry.objects.get().pk, change, version=1, actor="person", cause="desk")
    report = bring_in(ana, written(tmp_path, [chatgpt(PORT, REPLY)]))

    assert (Entry.objects.get().text, Message.objects.count()) == (before, 2)
    assert not report.files[0].error


def test_what_was_forgotten_does_not_come_back(ana: Account, tmp_path: Path) -> None:
    bring_in(ana, written(tmp_path, [chatgpt(PORT, REPLY)]))
    forget(ana, [Entry.objects.get().pk], actor="person", cause="!forget")
    bring_in(ana, written(tmp_path, [chatgpt(PORT, REPLY)]))
    bring_in(ana, written(tmp_path, [chatgpt(PORT, REPLY, ("assistant", "Or 8081 at night."))]))

    assert not Entry.objects.exists()


def test_forgotten_with_its_conversation_it_is_counted_and_not_brought_back(ana: Account, tmp_path: Path) -> None:
    bring_in(ana, written(tmp_path, [chatgpt(PORT, REPLY)]))
    forget(ana, [Entry.objects.get().pk], actor="person", cause="!forget")
    Conversation.objects.all().delete()
    report = bring_in(ana, written(tmp_path, [chatgpt(PORT, REPLY)]))

    assert (report.forgotten, report.new.exchanges, Entry.objects.count()) == (1, 0, 0)
    assert "Forgotten here" in counted(report)


def test_a_damaged_conversation_between_two_good_ones_is_named_and_skipped(ana: Account, tmp_path: Path) -> None:
    damaged = {"id": "c2", "title": "Half a file", "mapping": {"m0": "lost"}}
    good = [chatgpt(PORT, REPLY), chatgpt(BACKUP, id="c3")]
    report = bring_in(ana, written(tmp_path, [good[0], damaged, good[1]]))

    [skipped] = report.files[0].skipped
    assert (skipped.name, skipped.reason) == ("#2 Half a file", "m0 is 'lost', not an object")
    assert {talk.source for talk in Conversation.objects.all()} == {"chatgpt:c1", "chatgpt:c3"}


@pytest.mark.parametrize("broken", [None, 7, "x", [], {}, {"mapping": None}, {"mapping": {"a": {"message": 3}}}])
def test_whatever_stands_between_two_good_conversations_they_are_read(
    ana: Account, tmp_path: Path, broken: object
) -> None:
    report = bring_in(ana, written(tmp_path, [chatgpt(PORT, REPLY), broken, chatgpt(BACKUP, id="c3")]))

    assert report.new.conversations == 2
    assert len(report.files[0].skipped) == 1


def test_a_file_that_is_no_export_does_not_stop_the_others(ana: Account, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"name": "forge"}')
    written(tmp_path, [chatgpt(PORT, REPLY)], "b.json")
    report = bring_in(ana, [tmp_path])

    assert "a.json is no export that Forge knows. Expected: the conversations.json" in report.errors[0]
    assert report.new.conversations == 1


def test_a_failed_reply_stays_in_the_thread_and_out_of_memory(ana: Account, tmp_path: Path) -> None:
    report = bring_in(ana, written(tmp_path, [chatgpt(PORT, ("assistant", "[error] no route to host"))]))

    assert [message.answered for message in Message.objects.order_by("id")] == [True, False]
    assert not Entry.objects.exists()
    assert report.conversations[0].unindexed == 1


def test_an_exchange_too_large_for_memory_stays_in_the_thread(ana: Account, tmp_path: Path) -> None:
    report = bring_in(ana, written(tmp_path, [chatgpt(PORT, ("assistant", "log line\n" * 120_000), BACKUP)]))

    assert Message.objects.count() == 3
    assert [entry.text for entry in Entry.objects.all()] == [f"user: {BACKUP[1]}"]
    assert report.conversations[0].unindexed == 1


def test_the_same_exchange_in_two_conversations_is_one_entry(ana: Account, tmp_path: Path) -> None:
    twice = written(tmp_path, [chatgpt(PORT, REPLY), chatgpt(PORT, REPLY, id="c2")])
    foreseen, report = preview(ana, twice), bring_in(ana, twice)

    assert Entry.objects.count() == 1
    assert [(one.new.exchanges, one.duplicates) for one in report.conversations] == [(1, 0), (0, 1)]
    assert [one.new for one in foreseen.conversations] == [one.new for one in report.conversations]


def test_each_owner_has_their_own_import(ana: Account, ben: Account) -> None:
    bring_in(ana, [PHOTOSYNTHESIS])
    report = bring_in(ben, [PHOTOSYNTHESIS])

    assert report.new.exchanges == 5
    assert Entry.objects.of(ana).count() == Entry.objects.of(ben).count() == 5
    assert {message.owner_id for message in Message.objects.filter(conversation__owner=ben)} == {ben.pk}


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Are ponds sentient?", "Are ponds sentient?"),
        ("how do plants make their food", "Photosynthesis"),
        ("Les étangs sont-ils conscients ?", "Are ponds sentient?"),
        ("how to write a function in JavaScript", "function greet(name)"),
    ],
)
@pytest.mark.usefixtures("embedder")
def test_questions_about_what_was_imported_are_answered_from_it(ana: Account, question: str, words: str) -> None:
    bring_in(ana, [EXPORTS])

    assert any(words in row.entry.text for row in recall(ana, Query(question)).rows)


@pytest.mark.usefixtures("embedder")
def test_nothing_imported_is_found_by_somebody_else(ana: Account, ben: Account) -> None:
    bring_in(ana, [PHOTOSYNTHESIS])

    assert recall(ben, Query("Are ponds sentient?")).nothing


def test_without_an_embedder_every_import_is_found_by_its_words(ana: Account) -> None:
    bring_in(ana, [EXPORTS])

    for entry in Entry.objects.of(ana):
        found = recall(ana, Query(entry.text, policy="lexical", top_k=50)).rows
        assert entry.pk in {row.entry.pk for row in found}, entry.text[:80]
