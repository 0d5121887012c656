"""What an earlier Forge kept comes in whole: history and facts, the store, sessions, notes. Once, and nothing else."""

from __future__ import annotations

import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

from chat.importing import bring_in, preview
from chat.intake.report import Report
from chat.models import Conversation, Message
from chat.tests import earlier
from chat.tests.earlier import HISTORY, forge_rag, left_behind, memory_json, written
from forgesite.models import Account
from forgesite.tests.web import by_token
from memory.models import Entry, Kind, Link, Origin
from memory.remember import Draft, remember
from memory.verify import verify


def texts(owner: Account, **where: Any) -> list[str]:
    return list(Entry.objects.of(owner).filter(**where).order_by("id").values_list("text", flat=True))


def one(report: Report, name: str) -> str:
    """Why a file could not be read."""
    return next(file.error for file in report.files if file.name == name)


# -- all of it


def test_a_folder_is_taken_whole_and_each_file_is_named(ana: Account, tmp_path: Path) -> None:
    report = bring_in(ana, [left_behind(tmp_path)])

    assert {file.name: file.formats for file in report.files} == {
        ".forge/memory/2026-02-03.md": ("notes_md",),
        ".forge/memory/MEMORY.md": ("notes_md",),
        ".forge/memory/network.md": ("notes_md",),
        ".forge/sessions/task_42.json": ("session_json",),
        "data/forge_rag.db": ("forge_rag",),
        "data/memory.json": ("memory_json",),
    }
    assert Conversation.objects.of(ana).count() == 2
    assert verify(ana).ok


def test_importing_again_changes_nothing(ana: Account, tmp_path: Path) -> None:
    bring_in(ana, [left_behind(tmp_path)])
    before = [Entry.objects.count(), Message.objects.count(), Link.objects.count()]
    again = bring_in(ana, [tmp_path])

    assert again.new.__dict__ == {"conversations": 0, "messages": 0, "exchanges": 0, "entries": 0}
    assert (again.there.entries, sum(store.spoken_for for store in again.entries)) == (13, 0)
    assert [Entry.objects.count(), Message.objects.count(), Link.objects.count()] == before


def test_a_preview_foresees_what_an_import_does_and_writes_nothing(ana: Account, tmp_path: Path) -> None:
    foreseen = preview(ana, [left_behind(tmp_path)])
    assert not Entry.objects.exists()
    assert not Message.objects.exists()

    done = bring_in(ana, [tmp_path])
    assert (foreseen.new, foreseen.there) == (done.new, done.there)
    assert [store.kinds for store in foreseen.entries] == [store.kinds for store in done.entries]
    assert [store.spoken_for for store in foreseen.entries] == [store.spoken_for for store in done.entries]


def test_a_damaged_file_between_two_good_ones_is_named(ana: Account, tmp_path: Path) -> None:
    left_behind(tmp_path)
    written(tmp_path / "data" / "jobs.json", '{"jobs": ')
    report = bring_in(ana, [tmp_path])

    assert one(report, "data/jobs.json").startswith("data/jobs.json is not valid JSON")
    assert report.new.entries == 13


def test_a_link_that_leads_out_of_the_folder_is_refused_by_name(ana: Account, tmp_path: Path) -> None:
    written(tmp_path / "secret" / "MEMORY.md", "- The safe opens with 1234 today\n")
    inside = tmp_path / "inside"
    written(inside / "notes.md", "The switch has eight ports\n")
    (inside / "MEMORY.md").symlink_to(tmp_path / "secret" / "MEMORY.md")
    (inside / "more").symlink_to(tmp_path / "secret")
    (inside / "again.md").symlink_to(inside / "notes.md")
    report = bring_in(ana, [inside])

    assert one(report, "MEMORY.md") == "MEMORY.md is a link that leads out of the folder: it was not read."
    assert one(report, "more") == "more is a link that leads out of the folder: it was not read."
    assert texts(ana) == ["The switch has eight ports"]


def test_a_link_in_a_circle_or_to_nowhere_harms_nobody(ana: Account, tmp_path: Path) -> None:
    written(tmp_path / "notes.md", "The switch has eight ports\n")
    (tmp_path / "circle.md").symlink_to(tmp_path / "circle.md")
    (tmp_path / "nowhere.md").symlink_to("/nowhere/at/all.md")

    assert bring_in(ana, [tmp_path]).new.entries == 1


def test_a_hostile_name_is_shown_harmlessly(ana: Account, tmp_path: Path) -> None:
    os.mkdir(tmp_path / "a")
    for name in (b"\xff.md", b"line\nend\x1b[31m.md"):
        Path(os.fsdecode(os.fsencode(tmp_path / "a") + b"/" + name)).write_text("The switch has eight ports\n")
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    call_command("import", str(tmp_path / "a"), stdout=out)

    assert {file.name for file in preview(ana, [tmp_path / "a"]).files} == {"line�end�[31m.md", "�.md"}
    assert texts(ana) == ["The switch has eight ports"]


def test_a_pipe_is_no_file(ana: Account, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "memory.json")

    assert one(bring_in(ana, [tmp_path / "memory.json"]), "memory.json") == "memory.json is no ordinary file."


def test_a_zip_of_it_is_read_and_nothing_is_unpacked_to_where_it_says(ana: Account, tmp_path: Path) -> None:
    folder = left_behind(tmp_path / "left")
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as packed:
        for path in sorted(folder.rglob("*.*")):
            packed.write(path, f"../../{path.name}") if path.is_file() else None
    report = bring_in(ana, [tmp_path / "all.zip"])

    assert report.new.entries == 13
    assert {path.name for path in tmp_path.iterdir()} == {"left", "all.zip"}


# -- memory.json


def test_a_history_becomes_one_thread_in_the_order_of_its_ids(ana: Account, tmp_path: Path) -> None:
    report = bring_in(ana, [memory_json(tmp_path / "memory.json")])

    said = Message.objects.of(ana).order_by("id").values_list("role", "pinned", "indexable")
    assert list(said) == [
        ("user", True, True),
        ("assistant", False, True),
        ("user", False, False),
        ("assistant", False, False),
    ]
    [talk] = report.conversations
    assert {note.value: count for note, count in talk.notes.items()} == {"pointer": 1, "no_date": 4}


def test_a_pinned_message_stands_where_it_was_said_and_not_where_the_file_has_it(ana: Account, tmp_path: Path) -> None:
    said = [
        {"id": 9, "role": "user", "content": "said later", "pinned": True},
        {"role": "assistant", "content": "Yes."},
    ]
    bring_in(ana, [memory_json(tmp_path / "memory.json", [*said, {"id": 2, "role": "user", "content": "said first"}])])

    assert list(Message.objects.order_by("id").values_list("content", flat=True)) == [
        "said first",
        "said later",
        "Yes.",
    ]


def test_what_was_marked_stays_out_of_memory(ana: Account, tmp_path: Path) -> None:
    older = [{"answered" if name == "index" else name: value for name, value in item.items()} for item in HISTORY]
    report = bring_in(ana, [memory_json(tmp_path / "memory.json", older)])

    assert texts(ana, kind=Kind.EXCHANGE) == [
        "user: Keep in mind that the router stands in the hall\nassistant: The router stands in the hall."
    ]
    assert report.conversations[0].unindexed == 1


def test_facts_keep_their_keys(ana: Account, tmp_path: Path) -> None:
    bring_in(ana, [memory_json(tmp_path / "memory.json")])

    [fact] = Entry.objects.of(ana).filter(kind=Kind.FACT)
    assert (fact.key, fact.text, fact.origin) == ("coffee", "coffee: black, no sugar", Origin.IMPORT)


def test_a_changed_fact_is_a_new_version_of_its_key(ana: Account, tmp_path: Path) -> None:
    twice = [{"key": "coffee", "value": "black, no sugar"}, {"key": "coffee", "value": "with milk"}]
    path = memory_json(tmp_path / "memory.json", [], facts=twice)
    assert preview(ana, [path]).new.entries == bring_in(ana, [path]).new.entries == 2
    assert [entry.text for entry in Entry.objects.of(ana).live()] == ["coffee: with milk"]

    assert bring_in(ana, [path]).new.entries == 0


def test_a_fact_under_a_person_s_own_key_is_refused_and_the_others_come_in(ana: Account, tmp_path: Path) -> None:
    remember(ana, Draft("I drink tea now", key="coffee"), actor="person", cause="chat 1")
    facts = [{"key": "coffee", "value": "black"}, {"key": "editor", "value": "helix it is"}]
    report = bring_in(ana, [memory_json(tmp_path / "memory.json", [], facts=facts)])

    assert texts(ana) == ["I drink tea now", "editor: helix it is"]
    assert [skipped.name for skipped in report.files[0].skipped if skipped.damaged] == ["fact 1 coffee"]


@pytest.mark.parametrize(
    "value",
    [
        {"history": [], "facts": [], "next_id": True},
        {"history": "?", "facts": 3, "next_id": "x"},
        {"history": None, "next_id": 1},
        {"history": [3, None, [], {"role": 5, "content": "x y"}, {"role": "user", "content": {}}], "next_id": 1},
        {"facts": [3, {"key": 1}, {"key": "a", "value": None}, {"key": "b", "value": " "}], "next_id": 1},
    ],
)
def test_nothing_in_it_is_no_error(ana: Account, tmp_path: Path, value: dict[str, Any]) -> None:
    report = bring_in(ana, [written(tmp_path / "memory.json", json.dumps(value))])

    assert report.readable
    assert not Entry.objects.exists()
    assert not Message.objects.exists()


def test_whatever_is_no_message_is_counted_and_the_rest_is_taken(ana: Account, tmp_path: Path) -> None:
    damaged = [None, "hello", {"role": "user", "content": 3}, {"content": "nobody said this one", "id": True}]
    report = bring_in(ana, [memory_json(tmp_path / "memory.json", [*damaged, *HISTORY], facts={"editor": "vim it is"})])

    [talk] = report.conversations
    assert talk.notes["damaged"] == 3  # type: ignore[index]
    assert talk.new.messages == 5
    assert texts(ana, kind=Kind.FACT) == ["editor: vim it is"]


def test_half_characters_and_nul_are_replaced_and_counted(ana: Account, tmp_path: Path) -> None:
    said = [{"id": 1, "role": "user", "content": "the \ud83d router \u0000 is slow"}]
    path = memory_json(tmp_path / "memory.json", said, facts=[{"key": "k\udc00", "value": "a \u0000 value"}])
    report = bring_in(ana, [path])

    assert Message.objects.get().content == "the � router � is slow"
    assert texts(ana, kind=Kind.FACT) == ["k�: a � value"]
    assert report.files[0].notes["mended"] == 4  # type: ignore[index]


def test_half_a_character_in_a_role_harms_nobody(ana: Account, tmp_path: Path) -> None:
    report = bring_in(
        ana, [memory_json(tmp_path / "memory.json", [{"id": 1, "role": "us\ud800", "content": "Is it?"}])]
    )

    assert report.conversations[0].notes["no_sender"] == 1  # type: ignore[index]


def test_a_later_history_adds_what_is_new_though_its_beginning_is_gone(ana: Account, tmp_path: Path) -> None:
    bring_in(ana, [memory_json(tmp_path / "memory.json")])
    later = [*HISTORY[2:], {"id": 7, "role": "user", "content": "And where is the modem?"}]
    report = bring_in(ana, [memory_json(tmp_path / "memory.json", later)])

    assert (report.new.conversations, report.new.messages, report.new.exchanges) == (0, 1, 1)


def test_another_machine_s_history_is_not_taken_for_known_by_its_ids(ana: Account, tmp_path: Path) -> None:
    bring_in(ana, [memory_json(tmp_path / "memory.json")])
    other = [{"id": 3, "role": "user", "content": "The laptop has a new battery"}]

    assert bring_in(ana, [memory_json(tmp_path / "memory.json", other)]).new.messages == 1


# -- the page and the API


def test_the_page_takes_the_files_of_an_earlier_forge(ana: Account, tmp_path: Path) -> None:
    page = Client(HTTP_ACCEPT="text/html")
    page.force_login(ana)
    files = [forge_rag(tmp_path / "forge_rag.db"), written(tmp_path / "MEMORY.md", earlier.MEMORY_MD)]
    sent = [SimpleUploadedFile(file.name, file.read_bytes()) for file in files]
    seen = page.post("/import/", {"file": sent})
    assert "Would import entries: decision 1, exchange 1, fact 5, todo 1." in seen.text

    done = page.post("/import/confirm/", {"token": seen.context["token"]})
    assert "Imported entries: decision 1, exchange 1, fact 5, todo 1." in done.text
    assert Entry.objects.of(ana).count() == 8


@pytest.mark.django_db(transaction=True)
def test_the_api_takes_a_database_as_the_body(ana: Account, tmp_path: Path) -> None:
    body = forge_rag(tmp_path / "forge_rag.db").read_bytes()
    answer = (
        by_token(ana).ask("POST", "/import?dry_run=false", body, **{"Content-Type": "application/vnd.sqlite3"}).json()
    )

    [file] = answer["files"]
    assert file["entries"] == [
        {
            "format": "forge_rag",
            "new": {"decision": 1, "exchange": 1, "fact": 2, "todo": 1},
            "already_there": 0,
            "spoken_for": 1,
            "forgotten": 0,
        }
    ]
    assert answer["new"]["entries"] == Entry.objects.of(ana).count() == 5
