"""Deleted is deleted: by every door the entry leaves words and vectors in the same act, and no file keeps a word."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission
from django.core.management import call_command
from django.db import connection
from django.test import Client

from chat.models import Conversation, Message, Role
from chat.outcome import complete
from chat.turn_request import TurnRequest
from forgesite.models import Account
from forgesite.tests.web import by_token
from memory import consistency, jobs, vector_channel
from memory.adopt import adopt
from memory.domain.words import indexed
from memory.drafts import Draft
from memory.errors import ForgottenError
from memory.models import Commit, Entry, Erasure, Tombstone
from memory.remember import remember
from memory.tests.entries import count_of, found, saved
from memory.verify import verify
from traces.recorder import Recorder

pytestmark = pytest.mark.django_db(transaction=True)

CANARY = "The zebrule quokkafin sleeps in the port of Ouistreham"
STEMS = [stem for stem in indexed(CANARY).split() if stem.startswith(("zebr", "quok", "ouis"))]
QUESTION = "Does the zebrule quokkafin sleep in the port of Ouistreham?"
NEXT = "The dog sleeps in the port of Brest"


def by_chat(owner: Account, entry: Entry) -> None:
    asyncio.run(complete(TurnRequest(owner, f"!forget {entry.pk}")))


def by_rest(owner: Account, entry: Entry) -> None:
    answer = by_token(owner).ask("DELETE", f"/memory/{entry.address}")
    certificate = answer.json()["certificate"]
    assert (certificate["address"], certificate["found"]) == (Erasure.objects.get().address, [])
    assert certificate["scanned"]["files"] > 0


def desk_of(owner: Account) -> Client:
    owner.is_staff = True
    owner.save()
    owner.user_permissions.set(Permission.objects.filter(content_type__app_label="memory"))
    client = Client()
    client.force_login(owner)
    return client


def by_desk(owner: Account, entry: Entry) -> None:
    form = {"sure": "on", "number": str(entry.pk)}
    assert desk_of(owner).post(f"/admin/memory/entry/{entry.pk}/delete/", form).status_code == 302


def by_desk_in_bulk(owner: Account, entry: Entry) -> None:
    other = saved(owner, "A goat that nobody needs any more")
    desk, ids = desk_of(owner), [entry.pk, other.pk]
    asked = desk.post("/admin/memory/entry/", {"action": "forget_selected", "_selected_action": ids})
    assert "Forget 2 entries for good?" in asked.content.decode()
    form = {"sure": "on", "number": "2", "ids": ",".join(map(str, ids))}
    assert desk.post("/admin/memory/entry/forget/", form).status_code == 302


def by_about(owner: Account, entry: Entry) -> None:
    desk = desk_of(owner)
    assert "checked" in desk.post("/admin/memory/entry/about/", {"about": "quokkafin"}).content.decode()
    desk.post("/admin/memory/entry/about/", {"about": "quokkafin", "pick": [entry.pk]})
    by_desk(owner, entry)


def by_sql(owner: Account, entry: Entry) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM memory_entry WHERE id = %s", [entry.pk])
    assert adopt(owner, cause="test").forgotten == (entry.pk,)


def by_account(owner: Account, _entry: Entry) -> None:
    Account.objects.exclude(pk=owner.pk).update(is_superuser=True)
    call_command("account", "delete", owner.username, "--apply")


DOORS: dict[str, Callable[[Account, Entry], None]] = {
    "chat": by_chat,
    "rest": by_rest,
    "desk": by_desk,
    "desk in bulk": by_desk_in_bulk,
    "about": by_about,
    "adopt": by_sql,
    "account": by_account,
}


@pytest.fixture(autouse=True)
def _own_folder(transactional_db: None) -> Iterator[None]:
    """The log has no model, so that Django empties the other tables after a test, and leaves its lines of that."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM memory_change_log")
    yield
    shutil.rmtree(Path(settings.DATA_DIR) / "accounts", ignore_errors=True)


def everywhere(owner: Account) -> Entry:
    """An entry that has left its words in every place that Forge writes them to, but what the person typed."""
    talk = Conversation.objects.create(owner=owner, title=CANARY)
    entry = saved(owner, CANARY, conversation=talk.pk, message=4711, project="quokkafins")
    Message.objects.create(owner=owner, conversation=talk, role=Role.ASSISTANT, content=f"From memory:\n\n> {CANARY}")
    run = Recorder(owner, run_id="r1", conversation=talk.pk, text=f"Remember that {CANARY}")
    with run.step("recall", CANARY) as step:
        step.detail = {"entries": [{"id": entry.pk, "preview": CANARY}]}
    run.finish(ok=True)
    saved(owner, f"In short: {CANARY}", kind="summary", sources=(entry.pk,), origin="import")
    return entry


def holding() -> set[str]:
    files = [path for path in Path(settings.DATA_DIR).rglob("*") if path.is_file()]
    wanted = [word.encode() for word in (*STEMS, "quokkafins", "Ouistreham")]
    return {path.name for path in files if any(word in path.read_bytes() for word in wanted)}


@pytest.mark.parametrize("door", DOORS)
def test_it_leaves_every_index_in_the_same_act_and_no_file_keeps_a_word(ana: Account, ben: Account, door: str) -> None:
    entry = everywhere(ana)
    saved(ana, NEXT)
    saved(ben, "Ben's own dog sleeps in Ben's own port")
    assert found(ana, QUESTION, policy="vector", top_k=1) == [CANARY]
    assert "traces.jsonl" in holding()
    vectors = count_of("memory_vec")
    DOORS[door](ana, entry)
    assert count_of("memory_words") == count_of("memory_entry")
    assert not Entry.objects.filter(pk=entry.pk).exists()
    assert count_of("memory_vec") < vectors
    assert count_of("memory_vec_queue") == 0
    assert consistency.check().ok
    if door != "account":
        assert found(ana, QUESTION, policy="vector", top_k=1) == [NEXT]
        assert found(ana, "quokkafin", policy="lexical") == []
    assert jobs.scrub()
    assert holding() == set()


@pytest.mark.parametrize("door", [door for door in DOORS if door != "account"])
def test_the_chain_stays_whole_and_nothing_is_written_again_from_its_message(ana: Account, door: str) -> None:
    entry = everywhere(ana)
    DOORS[door](ana, entry)
    chain = Commit.objects.of(ana).order_by("tick")
    assert [finding.message for finding in verify(ana).findings] == []
    assert consistency.check().ok
    forgets = [c.address for c in chain if any(change["do"] == "forget" for change in c.changes)]
    assert list(Erasure.objects.values_list("commit", flat=True)) == forgets
    assert set(Tombstone.objects.values_list("commit", flat=True)) == set(forgets)
    again = Draft(CANARY, origin="model", message=4711)
    with pytest.raises(ForgottenError):
        remember(ana, again, actor="model", cause="test")
    assert remember(ana, Draft(CANARY, message=4711), actor="person", cause="test").created


def test_an_account_leaves_no_row_in_any_table_of_memory(ana: Account, ben: Account) -> None:
    own = saved(ben, "Ben's own dog sleeps in Ben's own port")
    before = rows()
    entry = everywhere(ana)
    by_rest(ana, entry)
    by_desk(ana, saved(ana, "A goat that nobody needs any more"))
    with connection.cursor() as cursor:  # an edit from outside that nobody adopted
        cursor.execute("UPDATE memory_entry SET pinned = 1 WHERE owner_id = %s", [ana.pk])
    assert count_of("memory_change_log") > 0
    by_account(ana, entry)
    assert rows() == before
    assert found(ben, QUESTION, policy="vector", top_k=1) == [own.text]
    assert not (Path(settings.DATA_DIR) / "accounts" / str(entry.owner_id)).exists()


def rows() -> dict[str, int]:
    """How many there are, by table of memory."""
    if vector_channel.available():
        vector_channel.settle()
    tables = [name for name in connection.introspection.table_names() if name.startswith("memory_")]
    # The last one tells a copy of the vectors which of them moved, by number alone.
    own = (
        "memory_vec_moved",
        "memory_fts",
        "memory_vec_metadata",
        "memory_vec_vector",
        "memory_vec_chunks",
        "memory_vec_info",
    )
    return {name: count_of(name) for name in tables if not name.startswith(own)}


def test_nothing_of_it_is_told_to_anybody_else(ana: Account, ben: Account) -> None:
    entry = everywhere(ana)
    refused: Any = by_token(ben).ask("DELETE", f"/memory/{entry.pk}")
    assert refused.status_code == 404
    assert Entry.objects.filter(pk=entry.pk).exists()
    assert not Erasure.objects.exists()
