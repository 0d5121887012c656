"""The store of an earlier Forge, its notes and its sessions: each entry and each turn as what it was."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from chat.importers import notes_md
from chat.importing import bring_in
from chat.intake.report import Report
from chat.models import Conversation, Message
from chat.tests import earlier
from chat.tests.earlier import BLOCK, DECISION, forge_rag, session, written
from forgesite.models import Account
from forgesite.sqlite3_vec.driver import Database
from memory.errors import EmbeddingError
from memory.forget import forget
from memory.models import Entry, Kind, Link, LinkType, Status
from memory.relate import unrelate


def texts(owner: Account, **where: Any) -> list[str]:
    return list(Entry.objects.of(owner).filter(**where).order_by("id").values_list("text", flat=True))


def one(report: Report, name: str) -> str:
    """Why a file could not be read."""
    return next(file.error for file in report.files if file.name == name)


# -- forge_rag.db


def test_a_store_keeps_kinds_projects_and_times(ana: Account, tmp_path: Path) -> None:
    report = bring_in(ana, [forge_rag(tmp_path / "forge_rag.db")])

    decision = Entry.objects.of(ana).get(kind=Kind.DECISION)
    assert (decision.text, decision.project, decision.said_at) == (
        "We chose Podman over Docker for the home server",
        "homelab",
        datetime(2026, 3, 1, 9, tzinfo=UTC),
    )
    assert Entry.objects.of(ana).get(kind=Kind.TODO).status == Status.OPEN
    assert texts(ana, kind=Kind.EXCHANGE) == [BLOCK]
    [store] = report.entries
    assert store.kinds == (("decision", 1), ("exchange", 1), ("fact", 2), ("todo", 1))
    assert store.notes["block"] == 1  # type: ignore[index]


def test_what_speaks_for_another_goes_on_to_until_a_person_unwinds_it(ana: Account, tmp_path: Path) -> None:
    path = forge_rag(tmp_path / "forge_rag.db")
    bring_in(ana, [path])
    [link] = Link.objects.of(ana).standing()
    assert (link.type, link.entry.text[:17], link.other.text[:11]) == (
        LinkType.SPEAKS_FOR,
        "The NiPoGi AM06PR",
        "The NiPoGi ",
    )

    unrelate(ana, link.pk, actor="person", cause="admin")
    assert bring_in(ana, [path]).entries[0].spoken_for == 0
    assert not Link.objects.of(ana).standing().exists()


def test_an_import_that_was_cut_off_before_its_links_makes_them_the_next_time(ana: Account, tmp_path: Path) -> None:
    unlinked = [(*row[:-1], None) for row in earlier.ROWS]
    bring_in(ana, [forge_rag(tmp_path / "cut-off" / "forge_rag.db", unlinked)])
    report = bring_in(ana, [forge_rag(tmp_path / "forge_rag.db")])

    assert (report.new.entries, report.entries[0].spoken_for) == (0, 1)


def test_an_older_store_has_no_column_for_what_speaks(ana: Account, tmp_path: Path) -> None:
    path = forge_rag(tmp_path / "forge_rag.db")
    with closing(Database.connect(str(path))) as shell, shell:
        shell.execute("ALTER TABLE memory_entries DROP COLUMN superseded_by")

    assert bring_in(ana, [path]).new.entries == 5


def test_what_was_forgotten_here_is_not_brought_back(ana: Account, tmp_path: Path) -> None:
    path = forge_rag(tmp_path / "forge_rag.db")
    bring_in(ana, [path])
    forget(ana, [Entry.objects.get(kind=Kind.DECISION).pk], actor="person", cause="admin")
    again = bring_in(ana, [path])

    assert (again.forgotten, again.new.entries) == (1, 0)


def test_a_damaged_row_between_two_good_ones_is_skipped_and_named(ana: Account, tmp_path: Path) -> None:
    rows = [DECISION, (2, "fact", b"\xff\x00", None, "?", "active", 9), (3, "fact", "word", None, None, "x", None)]
    good = (4, "idea", "Paint the fence in green", 7, "yesterday", 3, 77)
    schema = earlier.SCHEMA.replace("created_at TEXT NOT NULL", "created_at TEXT")
    report = bring_in(ana, [forge_rag(tmp_path / "forge_rag.db", [*rows, good], schema)])

    assert texts(ana) == [DECISION[2], "Paint the fence in green"]
    assert Entry.objects.get(text__startswith="Paint").kind == Kind.NOTE
    assert [skipped.name for skipped in report.files[0].skipped] == ["#2", "#4 -> #77", "#3"]


def test_a_repeated_exchange_is_kept_once(ana: Account, tmp_path: Path) -> None:
    block = (9, "history_summary", BLOCK, None, "2026-03-02T09:00:00+00:00", "active", None)
    report = bring_in(ana, [forge_rag(tmp_path / "forge_rag.db", [*earlier.ROWS, block])])

    assert (report.new.entries, report.there.entries) == (5, 1)


def test_the_file_is_not_touched_and_what_stands_beside_it_is_read(ana: Account, tmp_path: Path) -> None:
    path = forge_rag(tmp_path / "data" / "forge_rag.db", [DECISION])
    with closing(Database.connect(str(path))) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("INSERT INTO memory_entries (kind, content, created_at) VALUES ('fact', 'The fence is red', '')")
        writer.commit()
        before = {one.name: one.read_bytes() for one in path.parent.iterdir()}
        bring_in(ana, [path])
        after = {one.name: one.read_bytes() for one in path.parent.iterdir()}

    assert "forge_rag.db-wal" in before
    assert before == after
    assert texts(ana, kind=Kind.FACT) == ["The fence is red"]


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ("CREATE TABLE notes (id)", "is a database without the table memory_entries"),
        ("CREATE TABLE memory_entry (id); CREATE TABLE memory_commit (id)", "is a database of this Forge"),
        ("CREATE TABLE memory_entries (id, kind)", "of another make"),
        ("CREATE TABLE memory_entries (id, kind, content AS (hex(zeroblob(9))))", "of another make"),
        ("CREATE VIRTUAL TABLE memory_entries USING fts5(id, kind, content)", "of another make"),
        ("CREATE VIEW memory_entries AS SELECT 1 AS id, 'fact' AS kind, 'a b' AS content", "without the table"),
    ],
)
def test_a_foreign_database_is_refused(ana: Account, tmp_path: Path, schema: str, why: str) -> None:
    with closing(Database.connect(str(tmp_path / "forge_rag.db"))) as shell:
        shell.executescript(schema)

    assert why in one(bring_in(ana, [tmp_path / "forge_rag.db"]), "forge_rag.db")


@pytest.mark.parametrize("at", [17, 100, 5000])
def test_a_broken_database_is_refused_with_what_sqlite_says(ana: Account, tmp_path: Path, at: int) -> None:
    path = forge_rag(
        tmp_path / "forge_rag.db", [(n, *DECISION[1:2], f"{n} {DECISION[2]}" * 9, *DECISION[3:]) for n in range(1, 99)]
    )
    data = path.read_bytes()
    path.write_bytes(data[:at] + b"\xff" * 4096 + data[at + 4096 :])
    report = bring_in(ana, [path])

    assert "forge_rag.db is a database that cannot be read: " in one(report, "forge_rag.db")
    assert not Entry.objects.exists()


# -- .forge/memory


def test_evergreen_facts_are_facts_below_their_heading(ana: Account, tmp_path: Path) -> None:
    bring_in(ana, [written(tmp_path / "MEMORY.md", earlier.MEMORY_MD)])

    assert texts(ana, kind=Kind.FACT) == [
        "The staging cluster is called Kestrel",
        "Releases go out on Tuesdays\n  after lunch",
        "Old server: It has 8 GB of RAM",
    ]


def test_a_day_s_log_keeps_its_times_and_an_agent_s_words_are_no_facts(ana: Account, tmp_path: Path) -> None:
    bring_in(ana, [written(tmp_path / "2026-02-03.md", earlier.LOG)])

    found = Entry.objects.of(ana).order_by("id").values_list("kind", "text", "said_at")
    at = datetime(2026, 2, 3, 14, 3, 9, tzinfo=UTC)
    assert list(found) == [
        ("exchange", "assistant: [tool:web_search] The release notes of Postgres 18 mention asynchronous reads.", at),
        ("exchange", "assistant: [decision] The upgrade waits until the pgvector packages are there.", at),
        ("note", "Ask Marie about the new switch", datetime(2026, 2, 3, 18, 30, tzinfo=UTC)),
    ]


def test_a_log_that_grew_adds_what_is_new(ana: Account, tmp_path: Path) -> None:
    path = written(tmp_path / "2026-02-03.md", earlier.LOG)
    bring_in(ana, [path])
    path.write_text(f"{earlier.LOG}\n## 19:00:00\nMarie says it comes on Friday\n")

    assert bring_in(ana, [path]).new.entries == 1


def test_other_files_are_notes_section_by_section(ana: Account, tmp_path: Path) -> None:
    text = "# Network\n\n## Switch\n\nIt has 8 ports\n\n```sh\n# not a heading\nip a\n# nor is this\n```\n\n"
    text += "## Router\r\nIt is slow\n"
    bring_in(ana, [written(tmp_path / "network.md", text)])

    assert texts(ana, kind=Kind.NOTE) == [
        "# Network\n## Switch\n\nIt has 8 ports\n\n```sh\n# not a heading\nip a\n# nor is this\n```",
        "## Router\nIt is slow",
    ]


def test_a_long_section_is_parted_at_blank_lines_and_loses_nothing(ana: Account, tmp_path: Path) -> None:
    paragraphs = [f"Paragraph {place} of the long report{' on cables' * 100}" for place in range(12)]
    bring_in(ana, [written(tmp_path / "report.md", "\n\n".join(paragraphs))])

    found = texts(ana)
    assert len(found) > 1
    assert "\n\n".join(found).split("\n\n") == paragraphs


def test_a_file_name_that_is_no_date_is_a_note(ana: Account, tmp_path: Path) -> None:
    bring_in(ana, [written(tmp_path / "2026-13-45.md", "## 14:03:09\nNobody knows this day\n")])

    assert texts(ana, kind=Kind.NOTE) == ["## 14:03:09\nNobody knows this day"]


def test_many_unclosed_comments_and_headings_take_no_time(ana: Account, tmp_path: Path) -> None:
    text = "<!--" * 200_000 + "\n# " + "#" * 200_000 + "x\n- The switch has eight ports\n"
    began = process_time()
    bring_in(ana, [written(tmp_path / "MEMORY.md", text)])

    assert process_time() - began < 5
    assert texts(ana, text__endswith="eight ports") != []


def test_a_file_of_more_entries_than_anybody_writes_is_refused(ana: Account, tmp_path: Path) -> None:
    path = written(tmp_path / "MEMORY.md", "- a b\n" * (notes_md.MOST + 1))

    assert "would be more than 20000 entries" in one(bring_in(ana, [path]), "MEMORY.md")


# -- .forge/sessions


def test_a_session_becomes_a_thread_without_its_tools_and_repeats(ana: Account, tmp_path: Path) -> None:
    report = bring_in(ana, [session(tmp_path / "task_42.json")])

    assert list(Message.objects.of(ana).order_by("id").values_list("role", "content")) == [
        ("user", "When does the certificate expire?"),
        ("assistant", "The certificate expires on 30 November."),
    ]
    [talk] = report.conversations
    notes = {"summary": 1, "repeated": 1, "tool": 3, "blank": 1, "no_date": 2}
    assert {note.value: count for note, count in talk.notes.items()} == notes
    assert Conversation.objects.get().source == "session_json:task/42"
    assert not Entry.objects.filter(text__contains="certificate was looked at").exists()


def test_a_damaged_turn_of_a_session_is_counted(ana: Account, tmp_path: Path) -> None:
    turns = [3, {"role": 1}, {"role": "user", "content": 5}, {"role": "user", "content": [{"text": "Is it on?"}, 1]}]
    report = bring_in(ana, [session(tmp_path / "s.json", messages=turns)])

    assert report.conversations[0].notes["damaged"] == 3  # type: ignore[index]
    assert Message.objects.get().content == "Is it on?"


# -- while the embedder is down


@pytest.mark.django_db(transaction=True)
def test_nothing_is_half_written_where_the_embedder_fails_and_importing_again_goes_on(
    ana: Account, tmp_path: Path
) -> None:
    path = forge_rag(tmp_path / "forge_rag.db")
    down = {"EMBEDDING_PROVIDER": "llamacpp", "EMBEDDING_URL": "http://127.0.0.1:9/embedding"}
    with override_settings(FORGE=settings.FORGE.model_copy(update=down)), pytest.raises(EmbeddingError):
        bring_in(ana, [path])
    assert not Entry.objects.exists()

    queued = settings.FORGE.model_copy(update=down | {"EMBEDDING_OUTAGE": "queue"})
    with override_settings(FORGE=queued):
        assert bring_in(ana, [path]).waiting == 5
    assert Link.objects.of(ana).standing().count() == 1
