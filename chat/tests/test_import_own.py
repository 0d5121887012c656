"""What one Forge exports another takes in: threads and entries as they stood, and nothing that was erased."""

from __future__ import annotations

import codecs
import json
import time
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from chat.history import create_conversation
from chat.importers import forge_export
from chat.importers.reading import Document
from chat.importing import bring_in, preview
from chat.models import Conversation, Message, Role
from forgesite.models import Account
from memory import move, receipts
from memory.forget import forget
from memory.given.gathered import Found, Gathered
from memory.models import Entry, Link, Receipt
from memory.recall import Query, recall
from memory.remember import Draft, remember
from traces.models import Run

WHO: dict[str, Any] = {"actor": "person", "cause": "test"}
THEN = datetime(2026, 4, 3, 9, tzinfo=UTC)


def say(owner: Account, talk: Conversation, role: str, content: str, **more: Any) -> Message:
    return Message.objects.create(owner=owner, conversation=talk, role=role, content=content, **more)


@pytest.fixture
def file(ana: Account, tmp_path: Path) -> Path:
    """Of a store with a replaced entry, a forgotten one, a due todo, an archived one, a receipt and two threads."""
    remember(ana, Draft("The test server runs on port 8080", key="port", project="shed"), **WHO)
    remember(ana, Draft("The test server runs on port 9090", key="port", project="shed"), **WHO)
    remember(ana, Draft("Renew the passport", kind="todo", event_at=THEN), **WHO)
    chairs = remember(ana, Draft("The attic is full of chairs"), **WHO).entry
    move.archive(ana, chairs.pk, **WHO)
    boat = remember(ana, Draft("The boat is called Bluebell"), **WHO).entry
    talk = create_conversation(ana, title="Of the oven\u2028and others")
    asked = say(ana, talk, Role.USER, "Which oven do we own?", compacted=True)
    say(ana, talk, Role.ASSISTANT, "A green one.", compacted=True)
    say(ana, talk, Role.USER, "And which kettle?")
    say(ana, talk, Role.ASSISTANT, "A red kettle, an old one.")
    say(ana, talk, Role.SYSTEM, "[2 messages compacted]", place=asked.pk)
    say(ana, create_conversation(ana, temporary=True), Role.USER, "This is temporary talk")
    receipts.seal(ana, Gathered([Found("recall", recall(ana, Query("test server port")))]), run_id="one")
    Run.objects.create(owner=ana, run_id="one", started_at=timezone.now(), ok=True, total_ms=3)
    forget(ana, [boat.pk], **WHO)
    path, said = tmp_path / "export.jsonl", StringIO()
    call_command("export", user=ana.get_username(), stdout=said)
    path.write_text(said.getvalue())
    return path


def test_threads_and_entries_come_as_they_stood_and_proofs_are_passed_over(file: Path, ben: Account) -> None:
    foreseen = preview(ben, [file])
    report = bring_in(ben, [file])
    assert (foreseen.new, report.files[0].error) == (report.new, "")

    rows = {row.text: row for row in Entry.objects.of(ben)}
    assert rows["The test server runs on port 9090"].status == "active"
    assert (rows["The test server runs on port 9090"].key, rows["The test server runs on port 9090"].project) == (
        "port",
        "shed",
    )
    assert rows["The test server runs on port 8080"].status == "retracted"
    assert rows["The attic is full of chairs"].status == "archived"
    assert (rows["Renew the passport"].status, rows["Renew the passport"].event_at) == ("open", THEN)
    assert not any("Bluebell" in text or "green one" in text for text in rows)
    assert [row.kind for row in rows.values() if "kettle" in row.text] == ["exchange"]
    [talk] = Conversation.objects.of(ben)
    said = Message.objects.of(ben).filter(conversation=talk).order_by("id").values_list("role", "content")
    assert [content for _role, content in said] == [
        "Which oven do we own?",
        "A green one.",
        "And which kettle?",
        "A red kettle, an old one.",
    ]
    assert "it was temporary" in {one.reason for one in report.files[0].skipped}
    assert not Receipt.objects.of(ben).exists()
    assert not Link.objects.of(ben).exists()


def test_a_second_time_nothing_is_new_and_older_exports_and_broken_lines_are_read(file: Path, ben: Account) -> None:
    bring_in(ben, [file])
    lines = [line for line in file.read_text().split("\n") if line]
    older = [line for line in lines if json.loads(line)["type"] in ("entry", "conversation", "message", "proposal")]
    assert 0 < len(older) < len(lines)
    file.write_text("\n".join([*older, '{"type": "entry", "id"']))

    report = bring_in(ben, [file])

    assert (report.new.messages, report.new.entries, report.new.exchanges) == (0, 0, 0)
    assert (f"line {len(older) + 1}", "it is no JSON object") in {
        (one.name, one.reason) for one in report.files[0].skipped
    }


def test_a_damaged_name_of_an_entry_stops_no_import(file: Path, ben: Account) -> None:
    lines = [json.loads(line) for line in file.read_text().split("\n") if line]
    first = next(line for line in lines if line["type"] == "entry")
    first["address"] = "\ud800" + first["address"]
    file.write_text("\n".join(json.dumps(line) for line in lines))

    report = bring_in(ben, [file])

    assert report.new.entries == sum(line["type"] == "entry" for line in lines)


def test_of_two_exports_in_one_file_nothing_is_lost_and_nothing_linked_by_a_guess(tmp_path: Path, ben: Account) -> None:
    line = {"type": "entry", "kind": "fact", "superseded_by": 2, "superseded_how": "fold", "said_at": THEN.isoformat()}
    texts = ["The shed is green", "The attic is dry", "The boat leaks", "The oven is new"]
    lines = [
        line | {"id": 1 + number % 2, "address": str(number) * 64, "content": said} for number, said in enumerate(texts)
    ]
    path = tmp_path / "export.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in [*lines, lines[0]]))

    bring_in(ben, [path])

    assert sorted(Entry.objects.of(ben).values_list("text", flat=True)) == sorted(texts)
    assert not Link.objects.of(ben).exists()


def test_a_long_list_on_one_line_is_not_parsed_to_see_that_it_is_no_export() -> None:
    data = b"[" + b'{"a": 1},' * 1_000_000 + b"1]"
    since = time.process_time()
    assert not forge_export.matches(Document("conversations.json", data))
    assert time.process_time() - since < 0.1


@pytest.mark.parametrize("before", [b"", codecs.BOM_UTF8, b"\r\n", codecs.BOM_UTF8 + b"\n"])
def test_it_is_known_by_its_first_line(before: bytes) -> None:
    assert forge_export.matches(Document("export.jsonl", before + b'{"type": "entry", "id": 1}\nand no more'))


def test_where_it_was_exported_nothing_is_doubled_and_what_was_taken_away_since_stays_away(
    file: Path, ana: Account
) -> None:
    forget(ana, [Entry.objects.get(text__contains="9090").pk], **WHO)
    Message.objects.filter(content__contains="red kettle").delete()
    before = list(Entry.objects.values_list("pk", "text")), list(Message.objects.values_list("pk", flat=True))

    report = bring_in(ana, [file])

    assert (list(Entry.objects.values_list("pk", "text")), list(Message.objects.values_list("pk", flat=True))) == before
    assert report.files[0].entries[0].forgotten == 1
