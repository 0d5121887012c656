"""The desk's pages about the store, its files and its settings: what they tell, whom, and what they hide."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from pytest_django import Settings

from chat.models import Conversation, Message, Role
from forgesite import stored_files
from forgesite.config import Config
from forgesite.models import Account
from forgesite.receivers import masked_address, where_is
from forgesite.settings_in_force import is_secret
from forgesite.testing_embedders import ScriptedEmbedder, served_by
from memory import store_counts
from memory.gathered import Found, Gathered
from memory.models import Entry, Receipt
from memory.recall import Query, recall
from memory.receipts import seal
from memory.remember import Draft, remember
from memory.tests.entries import by_sql

HEALTH, CHECK, DATA, SETTINGS = (f"/admin/health/{page}" for page in ("", "check/", "data/", "settings/"))
WHO: dict[str, Any] = {"actor": "person", "cause": "test"}
PORT = "The test server runs on port 8080"


@pytest.fixture
def desk(client: Client, ana: Account) -> Client:
    """Ana as a member of the house: what is hers is hers."""
    Account.objects.filter(pk=ana.pk).update(is_staff=True)
    ana.user_permissions.set(Permission.objects.filter(content_type__app_label="memory"))
    client.force_login(ana)
    return client


@pytest.fixture
def root(desk: Client, ana: Account) -> Client:
    Account.objects.filter(pk=ana.pk).update(is_superuser=True)
    return desk


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

    assert "built without dbstat" in page or "memory_entry" in page


def test_every_file_is_listed_with_what_it_holds(
    desk: Client, ana: Account, ben: Account, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR, settings.DATABASE_FILE = tmp_path, tmp_path / "forge.db"
    for name in ("forge.db", "forge.db-wal", "backups/forge-20260102T030405000006-before-0.2.0.db", "notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x" * 2048)
    for account in (ana, ben):
        (tmp_path / "accounts" / str(account.pk)).mkdir(parents=True)
        (tmp_path / "accounts" / str(account.pk) / "traces.jsonl").write_text("{}")
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")

    page = text(desk, DATA)

    assert "forge.db 2.0 KB the database:" in page.replace("\xa0", " ")
    assert "never copy one without the other" in page
    assert "before the upgrade to 0.2.0" in page
    assert "Jan. 2, 2026" in page
    assert "not made by Forge" in page
    assert f"accounts/{ana.pk}/traces.jsonl" in page
    assert f"accounts/{ben.pk}/traces.jsonl" not in page
    assert "of another account" in page
    assert [one.path for one in stored_files.on_disk(ana).stored][:1] == ["forge.db"]


def test_a_data_folder_that_others_may_open_is_warned_of(desk: Client, settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR, settings.DATABASE_FILE = tmp_path, tmp_path / "forge.db"
    tmp_path.chmod(0o700)
    assert "only the user that Forge runs as" in text(desk, DATA)

    tmp_path.chmod(0o750)

    assert f"chmod 700 {tmp_path}" in text(desk, DATA)


def test_whoever_is_sent_a_text_is_named_and_no_key_is(desk: Client, ana: Account, settings: Settings) -> None:
    settings.FORGE = settings.FORGE.model_copy(
        update={
            "LLM_PROVIDER": "openai", "LLM_URL": "https://me:hunter2@models.example.org/v1?api_key=hunter3",
            "LLM_API_KEY": "hunter4", "LLM_SERVERS": "box=llamacpp@http://192.168.1.7:8080",
            "EMBEDDING_PROVIDER": "ollama", "EMBEDDING_URL": "",
        }
    )  # fmt: skip

    page = text(desk, DATA)

    assert "hunter" not in page
    assert "models.example.org" in page
    assert "another machine, beyond your network" in page
    assert "http://192.168.1.7:8080 in your network" in page
    assert "http://127.0.0.1:11434 on this machine" in page
    assert "rules judge, and no model" in page


def test_a_judge_is_sent_texts_only_of_those_who_opted_in(desk: Client, ana: Account, settings: Settings) -> None:
    changes = {"JUDGE": "model", "JUDGE_URL": "https://judge.example.org/v1", "JUDGE_API_KEY": "hunter2"}
    settings.FORGE = settings.FORGE.model_copy(update=changes)
    assert "nothing: you have not opted in" in text(desk, DATA)

    Account.objects.filter(pk=ana.pk).update(judge_opt_in=True)

    page = text(desk, DATA)
    assert (
        "the texts of entries that the forgetting pass judges https://judge.example.org/v1 with a key (hidden)" in page
    )
    assert "hunter2" not in page


def test_what_only_some_settings_send_is_told_where_they_are_in_force(desk: Client, settings: Settings) -> None:
    changes = {
        "LLM_PROVIDER": "ollama",
        "COMPACTION_STRATEGY": "both",
        "RECALL_EXPANSION": "llm",
        "EXTRACTION": "propose",
    }
    assert "for a summary" not in text(desk, DATA)
    settings.FORGE = settings.FORGE.model_copy(update=changes)

    page = text(desk, DATA)

    assert (
        "for a summary; each message of yours once more, to propose entries from it; a question that found nothing, to be put in other words"
        in page
    )


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("http://localhost:1", "on this machine"),
        ("http://[::1]:1", "on this machine"),
        ("http://10.0.0.2", "in your network"),
        ("http://box:8080", "in your network"),
        ("http://nas.local", "in your network"),
        ("https://api.openai.com/v1", "another machine, beyond your network"),
        ("https://8.8.8.8/v1", "another machine, beyond your network"),
        ("/models/tiny.gguf", "stays inside Forge’s own process"),
    ],
)
def test_where_an_address_leads_is_told_by_it_alone(address: str, place: str) -> None:
    assert where_is(address) == place


def test_an_address_keeps_its_host_and_loses_its_secrets() -> None:
    told = masked_address("a=openai@https://me:pw@x.org/v1?api-key=pw&v=1,b=ollama@http://box:1")

    assert told == "a=openai@https://•••@x.org/v1?api-key=•••&v=1,b=ollama@http://box:1"


def test_a_network_filesystem_is_warned_of(desk: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text("nas:/export / nfs4 rw 0 0\n")
    monkeypatch.setattr("forgesite.filesystems.MOUNTS", mounts)

    assert "on a network filesystem (nfs4)" in text(desk, DATA)


def test_every_setting_is_shown_with_its_origin_and_no_secret_is(
    root: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "env"
    file.write_text("RECALL_TOP_K=7\nRECALL_HOT_FACTS=false\n")
    monkeypatch.setenv("FORGE_ENV_FILE", str(file))
    monkeypatch.setenv("MAX_STEPS", "5")
    changes = {"LLM_API_KEY": "hunter2", "RECALL_TOP_K": 7, "RECALL_HOT_BLOCK": False}
    settings.FORGE = settings.FORGE.model_copy(update=changes)

    page, html = text(root, SETTINGS), root.get(SETTINGS).content.decode()

    assert all(f'id="{name}"' in html for name in Config.model_fields)
    assert "hunter2" not in page
    assert re.search(rf"RECALL_TOP_K changed .* 7 5 {file} ", page)
    assert "as RECALL_HOT_FACTS" in page
    assert "after a restart: 5" in page  # MAX_STEPS was set when Forge ran already
    assert "environment" in page


def test_a_value_that_would_stop_the_next_start_is_told(root: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECALL_TOP_K", "many")

    assert "Forge would not start again" in text(root, SETTINGS)


def test_what_the_start_says_of_the_settings_is_said_here_too(
    root: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "env").write_text("RECALL_TOPK=7\n")
    monkeypatch.setenv("FORGE_ENV_FILE", str(tmp_path / "env"))
    assert "RECALL_TOP_K=20 is above" not in text(root, SETTINGS)
    settings.FORGE = settings.FORGE.model_copy(update={"RECALL_TOP_K": 20})

    page = text(root, SETTINGS)

    assert "RECALL_TOPK in .env is no setting of Forge; is RECALL_TOP_K meant?" in page
    assert "RECALL_TOP_K=20 is above RECALL_MAX_ITEMS=16" in page


def test_what_is_a_secret_by_its_name_is_treated_as_one() -> None:
    assert is_secret("JUDGE_API_KEY")
    assert is_secret("SECRET_KEY")
    assert not is_secret("RECALL_TOP_K")


def test_the_settings_are_the_superusers(desk: Client) -> None:
    assert desk.get(SETTINGS).status_code == 403
    assert SETTINGS not in desk.get(HEALTH).content.decode()


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
