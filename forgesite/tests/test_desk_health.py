"""Store health on the desk: what it tells, whom, and what each of its buttons does."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from pytest_django import Settings

from chat.models import Conversation, Message, Role
from forgesite.models import Account
from forgesite.testing_embedders import ScriptedEmbedder, served_by
from memory import store_counts, table_sizes
from memory.given.gathered import Found, Gathered
from memory.models import Entry, Receipt
from memory.recall import Query, recall
from memory.receipts import seal
from memory.remember import Draft, remember
from memory.tests.entries import by_sql

HEALTH, CHECK, DATA = (f"/admin/health/{page}" for page in ("", "check/", "data/"))
WHO: dict[str, Any] = {"actor": "person", "cause": "test"}
PORT = "The test server runs on port 8080"


@pytest.fixture
def desk(client: Client, ana: Account) -> Client:
    """Ana as a member of the house: what is hers is hers."""
    Account.objects.filter(pk=ana.pk).update(is_staff=True)
    ana.user_permissions.set(Permission.objects.filter(content_type__app_label="memory"))
    client.force_login(ana)
    return client


def text(client: Client, page: str) -> str:
    answer = client.get(page)
    assert answer.status_code == 200
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def test_the_store_is_told_by_kind_with_its_indexes_and_its_cutoff(desk: Client, ana: Account, ben: Account) -> None:
    remember(ana, Draft(PORT), **WHO)
    remember(ana, Draft("Renew the certificate", kind="todo"), **WHO)
    remember(ben, Draft("Ben's canary sings"), **WHO)

    page = text(desk, HEALTH)

    assert "kind live open all fact 1 – 1 todo – 1 1" in page
    assert "words 3 3 0 ✓ in step" in page
    assert "3 of 3 entries have vectors; 0 wait for theirs." in page
    assert "in force 1.22@e3b0c4.6fe03d" in page
    assert "canary" not in page


def test_an_index_that_does_not_follow_is_told_and_the_full_check_names_the_row(desk: Client, ana: Account) -> None:
    entry = remember(ana, Draft(PORT), **WHO).entry
    by_sql("DELETE FROM memory_words WHERE entry_id = %s", entry.pk)

    assert "out of step" in text(desk, HEALTH)
    answer = desk.post(CHECK).content.decode()

    assert f"Entry #{entry.pk} is not in the word index as it is." in answer
    assert f'href="/admin/memory/entry/{entry.pk}/change/"' in answer


def test_the_full_check_tells_of_others_rows_only_how_many(desk: Client, ben: Account) -> None:
    entry = remember(ben, Draft("Ben's canary sings"), **WHO).entry
    by_sql("DELETE FROM memory_words WHERE entry_id = %s", entry.pk)

    answer = desk.post(CHECK).content.decode()

    assert f"#{entry.pk}" not in answer
    assert "1 finding about what is not yours" in answer


def test_entries_that_wait_are_told_with_the_reason(desk: Client, ana: Account) -> None:
    entry = remember(ana, Draft(PORT), **WHO).entry
    by_sql("DELETE FROM memory_vector WHERE entry_id = %s", entry.pk)
    by_sql("UPDATE memory_vec_pending SET why = 'The server is down.', tries = 2")

    page = text(desk, HEALTH)

    assert "1 · The server is down. (2 tries)" in page


def test_the_last_verify_is_told_with_what_came_after_it(desk: Client, ana: Account) -> None:
    remember(ana, Draft(PORT), **WHO)
    assert "Not run on this desk yet." in text(desk, HEALTH)

    desk.post("/admin/memory/commit/verify/")
    assert "Memory was what the chain says." in text(desk, HEALTH)
    by_sql("UPDATE memory_entry SET kind = 'note'")
    desk.post("/admin/memory/commit/verify/")
    remember(ana, Draft("The choir meets on Tuesdays"), **WHO)

    page = text(desk, HEALTH)
    assert "1 difference was found." in page
    assert "1 commit since" in page


def test_growth_counts_weeks_without_new_entries_too(ana: Account) -> None:
    for day, words in ((5, "one"), (8, "two"), (28, "three")):
        entry = remember(ana, Draft(f"The choir sang song number {words}"), **WHO).entry
        Entry.objects.filter(pk=entry.pk).update(recorded_at=datetime(2026, 1, day, 12, tzinfo=UTC))

    counted = store_counts.counted(ana)
    weeks = store_counts.by_week(counted)

    assert [(week.monday, week.new, week.total) for week in weeks] == [
        (date(2026, 1, 5), 2, 2), (date(2026, 1, 12), 0, 2), (date(2026, 1, 19), 0, 2), (date(2026, 1, 26), 1, 3),
    ]  # fmt: skip
    assert store_counts.by_week(counted, most=1) == weeks[-1:]


def test_the_distances_of_receipts_stand_beside_the_cutoff(desk: Client, ana: Account, ben: Account) -> None:
    for owner in (ana, ben):
        remember(owner, Draft(PORT), **WHO)
        seal(owner, Gathered([Found("recall", recall(owner, Query("Which port has the test server?")))]), run_id="r")
    [asked] = Receipt.objects.of(ana).get().body["recalls"]

    page = desk.get(HEALTH).content.decode()

    assert f'<td class="num">{asked["given"][0]["distance"]:.2f}</td>' in page
    assert page.count("<circle") == 1
    assert "cutoff 1.22" in page


def test_recalls_of_another_regime_are_counted_and_not_drawn(desk: Client, ana: Account) -> None:
    remember(ana, Draft(PORT), **WHO)
    seal(ana, Gathered([Found("recall", recall(ana, Query("Which port has the test server?")))]), run_id="r")
    body = Receipt.objects.get().body
    body["recalls"][0]["regime"] = "aaaaaa.bbbbbb"
    Receipt.objects.update(body=body)

    page = text(desk, HEALTH)

    assert "1 recall was measured in another regime" in page
    assert "No receipt has a distance yet" in page


def test_a_damaged_receipt_takes_the_page_down_for_nobody(desk: Client, ana: Account) -> None:
    remember(ana, Draft(PORT), **WHO)
    seal(ana, Gathered([Found("recall", recall(ana, Query("Which port has the test server?")))]), run_id="r")
    Receipt.objects.update(body={"recalls": [{"given": 3}]})

    assert "No receipt has a distance yet" in text(desk, HEALTH)


def test_without_an_embedder_the_page_says_so(desk: Client, settings: Settings) -> None:
    settings.FORGE = settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "none"})

    assert "Search by meaning is off: there is nothing to cut." in text(desk, HEALTH)
    assert "nothing: memory is searched by words" in text(desk, DATA)


def test_another_model_is_told_with_what_is_stored_and_what_is_served(desk: Client, ana: Account) -> None:
    remember(ana, Draft(PORT), **WHO)
    recall(ana, Query(PORT))  # makes the index, whatever model another test had it made for
    with ScriptedEmbedder() as server, served_by(server):
        page = text(desk, HEALTH)

    assert "the vectors in store are of another model (e3b0c4.6fe03d, 512 numbers)" in page
    assert "Regime stored e3b0c4.6fe03d · 512" in page
    assert re.search(r"Regime served \w{6}\.\w{6} · \d", page)


def test_of_a_server_that_does_not_answer_nothing_is_claimed(desk: Client, settings: Settings) -> None:
    changes = {"EMBEDDING_PROVIDER": "llamacpp", "EMBEDDING_URL": "http://127.0.0.1:9/embedding"}
    settings.FORGE = settings.FORGE.model_copy(update=changes)

    page = text(desk, HEALTH)

    assert "the embedder does not answer" in page
    assert "not known" in page


def test_tables_are_measured_when_they_are_asked_for(desk: Client) -> None:
    assert "dbstat" not in text(desk, HEALTH)

    page = text(desk, f"{HEALTH}?tables")

    assert "table or index" in page
    assert ("An estimate" in page) == (store_counts.tables() is None)


def test_sizes_are_estimated_from_some_rows_and_come_to_the_pages_in_use(ana: Account) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE much (id INTEGER PRIMARY KEY, words TEXT, more BLOB)")
        cursor.execute("CREATE INDEX of_words ON much (words)")
        cursor.executemany("INSERT INTO much (words, more) VALUES (%s, %s)", [("w" * 100, b"b" * 900)] * 3000)
        cursor.execute("SELECT (page_count - freelist_count) * 4096 FROM pragma_page_count, pragma_freelist_count")
        [whole] = cursor.fetchone()
    found = {table.name: table.size for table in table_sizes.estimated() or ()}
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert found["much"] == pytest.approx(3000 * 1010, rel=0.15)
    assert found["of_words"] == pytest.approx(3000 * 110, rel=0.25)
    assert sum(found.values()) == pytest.approx(whole, rel=0.2)


def test_the_navigation_leads_with_what_people_come_for_and_names_where_one_is(desk: Client) -> None:
    page = desk.get("/admin/memory/commit/").content.decode()
    [nav] = re.findall(r'<nav aria-label="Main">(.*?)</nav>', page, re.DOTALL)
    leading, more = nav.split("<details")

    assert all(f'href="/admin/{page}/"' in leading for page in ("memory/entry", "memory/refusal", "health"))
    assert all(f'href="/admin/{page}/"' in more for page in ("memory/commit", "memory/receipt", "memory/alias"))
    assert "<b>Commits</b> · More" in more
    assert more.count('aria-current="page"') == 1
    assert "aria-current" not in leading


def test_nobody_sees_these_pages_without_the_right(desk: Client, ana: Account) -> None:
    ana.user_permissions.clear()

    assert [desk.get(page).status_code for page in (HEALTH, DATA, "/admin/health/jobs/")] == [403, 403, 403]
    assert HEALTH not in desk.get("/admin/").content.decode()


def test_a_hand_made_check_of_someone_who_may_only_look_is_refused(desk: Client, ana: Account) -> None:
    ana.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))

    assert desk.post(CHECK).status_code == 403
    assert desk.get(CHECK, follow=True).redirect_chain == [(HEALTH, 302)]
    assert "Check every row" not in text(desk, HEALTH)


@pytest.mark.parametrize("rows", [100, 5000])
def test_a_large_store_needs_few_queries(
    desk: Client, ana: Account, rows: int, django_assert_max_num_queries: object
) -> None:
    first = remember(ana, Draft(PORT), **WHO).entry
    found = Gathered([Found("recall", recall(ana, Query("Which port has the test server?")))])
    for n in range(rows // 50):
        seal(ana, found, run_id=f"r{n}")
    kept = {field.attname: getattr(first, field.attname) for field in Entry._meta.fields if field.attname != "id"}
    Entry.objects.bulk_create(Entry(**kept | {"address": f"{n:064x}"}) for n in range(rows))
    talk = Conversation.objects.create(owner=ana, title="Films")
    Message.objects.bulk_create(
        Message(owner=ana, conversation=talk, role=Role.USER, content=f"film {n}") for n in range(rows)
    )
    desk.post("/admin/memory/commit/verify/") if rows == 100 else None
    queries = {HEALTH: 14, DATA: 8, "/admin/health/jobs/": 14}

    for page, most in queries.items():
        with django_assert_max_num_queries(most):  # type: ignore[operator]
            assert desk.get(page).status_code == 200, page
