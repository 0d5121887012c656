"""A certificate says what went, where it was looked for, and what is left; and no word of what was forgotten."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, transaction
from django_q.models import OrmQ

from chat.models import Conversation, Message, Role
from forgesite.accounts import folder_of
from forgesite.models import Account
from forgesite.sqlite3_vec.driver import Database
from memory import erasure, jobs, word_index
from memory.domain.words import indexed
from memory.erasing.places import database, log, search
from memory.forget import forget, forget_deleted
from memory.models import Entry, Erasure, Link, TextVersion, Tombstone
from memory.relate import relate
from memory.revise import Changes, revise
from memory.tests.entries import saved

pytestmark = pytest.mark.django_db(transaction=True)

#: Words that stand nowhere else, and their forms in the index.
CANARY = "The zebrule quokkafin sleeps in Ouistreham"
STEMS = [stem for stem in indexed(CANARY).split() if stem.startswith(("zebr", "quok", "ouis"))]
ACT: dict[str, Any] = {"actor": "person", "cause": "test"}


@pytest.fixture(autouse=True)
def _own_folder(transactional_db: None) -> Iterator[None]:
    """What tests leave in the data folder, the index of words and free pages is gone before the next one looks."""
    word_index.rebuild()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    yield
    for name in ("accounts", "backups"):
        shutil.rmtree(Path(settings.DATA_DIR) / name, ignore_errors=True)


def holding(*words: str) -> set[str]:
    """The files of the data folder in which any of these stands."""
    files = [path for path in Path(settings.DATA_DIR).rglob("*") if path.is_file()]
    wanted = [word.encode() for word in words]
    return {path.name for path in files if any(word in path.read_bytes() for word in wanted)}


def test_at_once_no_file_holds_a_word_of_it(ana: Account) -> None:
    for number in range(40):
        saved(ana, f"The shelf number {number} is in room {number * 7}", project="shelves")
    entry = saved(ana, CANARY, project="zebrules", key="quokkafin")
    revise(ana, entry.pk, Changes(text=f"{CANARY} no more"), version=1, **ACT)
    assert holding(*STEMS) & {database().name, log().name}
    done = forget(ana, [entry.pk], **ACT)
    assert holding("zebrules", *STEMS) == set()
    assert done.certificate.report["found"] == []


def test_what_a_reader_keeps_in_the_log_is_the_workers_to_clean(ana: Account) -> None:
    entry = saved(ana, CANARY)
    reader = Database.connect(str(database()))
    reader.execute("BEGIN")
    assert reader.execute("SELECT COUNT(*) FROM memory_entry").fetchone() == (1,)
    done = forget(ana, [entry.pk], **ACT)
    assert {place["means"] for place in done.certificate.report["found"]} <= {"log", "free_pages"}
    assert holding(*STEMS)
    reader.close()
    assert [job.task["args"][0] for job in OrmQ.objects.all()] == [erasure.SCRUB]
    assert jobs.scrub()
    assert holding(*STEMS) == set()


def test_the_report_says_what_went_and_its_address_is_its_hash(ana: Account) -> None:
    entry = saved(ana, CANARY)
    fold, old = saved(ana, "Some animals sleep by the sea"), saved(ana, "The zebrule wakes in Caen")
    relate(ana, entry.pk, "supersedes", old.pk, **ACT)
    relate(ana, entry.pk, "speaks_for", fold.pk, **ACT)
    certificate = forget(ana, [entry.pk], actor="person", cause="DELETE /memory").certificate
    report = Erasure.objects.get(pk=certificate.pk).report
    assert (report["v"], report["owner"], report["actor"]) == (1, ana.pk, "person")
    assert report["entries"] == [{"id": entry.pk, "address": entry.address}]
    assert (report["commit"], certificate.commit) == (Tombstone.objects.get().commit, report["commit"])
    assert {name: report["removed"][name] for name in ("entries", "versions", "words", "vectors")} == {
        "entries": 1, "versions": 1, "words": 1, "vectors": 1,
    }  # fmt: skip
    assert (report["archived"], report["released"]) == ([old.pk], [fold.pk])
    assert report["scanned"]["files"] > 0
    assert report["scanned"]["skipped"] == []
    assert certificate.address == erasure.address_of(report) == Erasure.objects.get().address
    assert not Link.objects.standing().exists()


def test_no_word_of_the_text_stands_in_the_report(ana: Account) -> None:
    folder = folder_of(ana) / "uploads" / "a" / "0"
    folder.mkdir(parents=True)
    (folder / f"{CANARY}.json").write_text(json.dumps({"said": f"{CANARY} — été"}))
    (folder_of(ana) / f"{CANARY}.txt").write_text(CANARY)
    report = forget(ana, [saved(ana, CANARY, key="quokkafin").pk], **ACT).certificate.report
    told = json.dumps(report)
    assert {place["means"] for place in report["found"]} == {"upload", "file"}
    assert not any(word in told for word in (*CANARY.split(), "quokkafin") if len(word) > 3)


def test_own_messages_and_backups_are_found_and_say_what_they_are(ana: Account) -> None:
    talk = Conversation.objects.create(owner=ana, title="Animals")
    typed = Message.objects.create(owner=ana, conversation=talk, role=Role.USER, content=f"Remember that {CANARY}")
    Message.objects.create(owner=ana, conversation=talk, role=Role.ASSISTANT, content=f"Saved:\n\n> {CANARY}")
    entry = saved(ana, CANARY, conversation=talk.pk, message=typed.pk)
    backups = Path(settings.DATA_DIR) / "backups"
    backups.mkdir(exist_ok=True)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(backups / "forge-before.db")])
    done = forget(ana, [entry.pk], **ACT)
    found = {(place["file"], place["means"]): place["count"] for place in done.certificate.report["found"]}
    assert found.pop(("backups/forge-before.db", "backup")) >= 3
    assert found == {(database().name, "messages"): 1}
    assert Message.objects.get(role=Role.ASSISTANT).content == f"Saved:\n\n> [forgotten #{entry.pk}]"
    assert done.left == ("What you typed yourself in conversations.", "Backups made before.")


def test_with_my_message_nothing_is_left_but_backups(ana: Account) -> None:
    talk = Conversation.objects.create(owner=ana, title=CANARY)
    typed = Message.objects.create(owner=ana, conversation=talk, role=Role.USER, content=f"Remember that {CANARY}")
    entry = saved(ana, CANARY, conversation=talk.pk, message=typed.pk)
    done = forget(ana, [entry.pk], my_message=True, **ACT)
    assert done.left == ("Backups made before.",)
    assert holding(*STEMS) == set()
    assert Conversation.objects.get().title == f"[forgotten #{entry.pk}]"


def test_nobody_learns_from_a_certificate_what_others_say(ana: Account, ben: Account) -> None:
    folder_of(ben).mkdir(parents=True)
    (folder_of(ben) / "traces.jsonl").write_text(CANARY)
    (Path(settings.DATA_DIR) / "copy.txt").write_text(CANARY)
    saved(ben, CANARY)
    report = forget(ana, [saved(ana, CANARY).pk], **ACT).certificate.report
    (Path(settings.DATA_DIR) / "copy.txt").unlink()
    assert report["found"] == []
    assert report["scanned"]["shared"] > 0
    assert Entry.objects.get().owner == ben


def test_one_that_was_stopped_before_it_looked_says_so(ana: Account) -> None:
    with transaction.atomic():
        forget(ana, [saved(ana, CANARY).pk], **ACT)
        kept = Erasure.objects.get()
        assert (kept.report["scanned"], kept.address) == (None, erasure.address_of(kept.report))
    assert Erasure.objects.get().report["scanned"]["files"] > 0


def test_a_scan_ends_in_time_and_names_what_it_left_out(ana: Account) -> None:
    found = search(ana, [CANARY], seconds=0)
    assert database() in found.looked.skipped
    assert found.looked.files == 0


def test_what_was_deleted_by_sql_is_erased_everywhere_once_it_is_adopted(ana: Account) -> None:
    old, entry = saved(ana, "Some animal wakes in Caen"), saved(ana, CANARY, source="chatgpt:1:2", message=7)
    summary = saved(ana, f"In short: {CANARY}", kind="summary", sources=(entry.pk,), origin="import")
    relate(ana, entry.pk, "supersedes", old.pk, **ACT)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM memory_entry WHERE id = %s", [entry.pk])
    done = forget_deleted(ana, [entry.pk, old.pk, 999], **ACT)
    assert done is not None
    tombstone = Tombstone.objects.get()
    assert (tombstone.entry, tombstone.address, tombstone.message) == (entry.pk, entry.address, 7)
    assert (tombstone.source, done.ids) == ("chatgpt:1:2", (entry.pk,))
    assert Entry.objects.get(pk=summary.pk).text == f"In short: [forgotten #{entry.pk}]"
    assert Entry.objects.get(pk=old.pk).status == "archived"
    assert not TextVersion.objects.filter(entry=entry.pk).exists()
    assert holding(*STEMS) == set()
    assert forget_deleted(ana, [entry.pk], **ACT) is None


def test_certificates_are_the_owners_newest_last(ana: Account, ben: Account) -> None:
    first, second = (forget(ana, [saved(ana, f"Note number {n} here").pk], **ACT).certificate for n in (1, 2))
    forget(ben, [saved(ben, "Ben's own note is here").pk], **ACT)
    assert erasure.certificates(ana) == [first, second]
