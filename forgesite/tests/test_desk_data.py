"""Where the data is and which settings are in force, on the desk: what is told, whom, and what is hidden."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from pytest_django import Settings

from forgesite import stored_files
from forgesite.config import Config
from forgesite.models import Account
from forgesite.receivers import masked_address, where_is
from forgesite.settings_in_force import is_secret

HEALTH, DATA, SETTINGS = (f"/admin/health/{page}" for page in ("", "data/", "settings/"))


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
    assert "2 January 2026, " in page
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

    assert "for a summary; each message of yours once more, to propose entries from it; a question that found" in page


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
