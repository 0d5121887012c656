"""Importing through the terminal, the API and the page: the same report at each."""

from __future__ import annotations

import io
import json
import os
import zipfile
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from chat.importers import reading
from chat.intake import uploads
from chat.models import Conversation
from chat.tests.test_importing import EXPORTS, PHOTOSYNTHESIS, PORT, REPLY, chatgpt, written
from forgesite.accounts import folder_of
from forgesite.models import Account
from forgesite.tests.web import Web, by_session, by_token
from memory.models import Entry

CLAUDE = EXPORTS / "openwebui-importer" / "claude_example.json"
BOUNDARY = "forge-boundary"


def run(*arguments: Any, **options: Any) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("import", *map(str, arguments), stdout=out, stderr=err, **options)
    return out.getvalue(), err.getvalue()


# -- the terminal


def test_the_command_imports_and_reports(ana: Account) -> None:
    out, _err = run(EXPORTS / "chatgpt-export-parser")

    assert "example-conversation.json (ChatGPT)" in out
    assert "new: conversations 1, messages 4, exchanges 2" in out
    assert "messages of side branches left out: 1 (Sample conversation with branch)" in out
    assert out.endswith("Imported: conversations 1, messages 4, exchanges 2.\n")
    assert Entry.objects.of(ana).count() == 2


def test_a_dry_run_writes_nothing(ana: Account) -> None:
    out, _err = run(CLAUDE, "--dry-run")

    assert "conversations without a word skipped: 84 (#1 636f35a1-13bb-479e-836b-e320aec9c6ac; " in out
    assert out.endswith("Would import: conversations 1, messages 10, exchanges 5.\n")
    assert not Conversation.objects.exists()


def test_a_second_run_says_that_nothing_is_new(ana: Account) -> None:
    run(PHOTOSYNTHESIS)
    out, _err = run(PHOTOSYNTHESIS)

    assert "already there: conversations 1, messages 10, exchanges 5" in out
    assert out.endswith("Nothing new.\n")


def test_the_command_imports_for_the_account_it_is_told(ana: Account, ben: Account) -> None:
    run(PHOTOSYNTHESIS, user="ben")

    assert (Entry.objects.of(ana).count(), Entry.objects.of(ben).count()) == (0, 5)


@pytest.mark.parametrize("text", ['{"name": "forge"}', "not json", '{"id": 1, "id": 2}', "[" * 100_000])
def test_a_file_that_cannot_be_read_fails_the_command(ana: Account, tmp_path: Path, text: str) -> None:
    (tmp_path / "notes.json").write_text(text)

    with pytest.raises(CommandError, match=r"notes\.json"):
        run(tmp_path / "notes.json")
    assert not Conversation.objects.exists()


def test_damaged_conversations_go_to_standard_error(ana: Account, tmp_path: Path) -> None:
    [path] = written(tmp_path, [chatgpt(PORT, REPLY), {"id": "c2", "mapping": 3}])
    _out, err = run(path)

    assert err == "  skipped: #2 c2: mapping is 3, not an object\n"


# -- the API


def multipart(**files: bytes) -> tuple[bytes, str]:
    parts = b"".join(
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{name}.json"\r\n\r\n'.encode()
        + data
        + b"\r\n"
        for name, data in files.items()
    )
    return parts + f"--{BOUNDARY}--\r\n".encode(), f"multipart/form-data; boundary={BOUNDARY}"


api_test = pytest.mark.django_db(transaction=True)


@api_test
def test_the_api_previews_unless_told_otherwise(ana: Account) -> None:
    answer = by_token(ana).ask("POST", "/import", PHOTOSYNTHESIS.read_bytes()).json()

    assert answer["dry_run"] is True
    assert answer["new"] == {"conversations": 1, "messages": 10, "exchanges": 5, "entries": 0}
    assert answer["files"][0]["left_out"] == [
        {"code": "hidden", "label": "hidden and system messages left out", "count": 1}
    ]
    assert answer["files"][0]["conversations"][0]["id"] is None
    assert not Conversation.objects.exists()


@api_test
def test_the_api_imports_the_files_of_a_form(ana: Account) -> None:
    body, kind = multipart(gpt=PHOTOSYNTHESIS.read_bytes(), claude=CLAUDE.read_bytes())
    answer = by_token(ana).ask("POST", "/import?dry_run=false", body, **{"Content-Type": kind}).json()

    assert [file["formats"] for file in answer["files"]] == [["chatgpt"], ["claude"]]
    assert [len(file["skipped"]) for file in answer["files"]] == [0, 84]
    assert {one["id"] for file in answer["files"] for one in file["conversations"]} == set(
        Conversation.objects.of(ana).values_list("id", flat=True)
    )
    assert Entry.objects.of(ana).count() == 10


@api_test
def test_the_api_takes_a_zip_as_the_body(ana: Account) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(PHOTOSYNTHESIS, "conversations.json")
    answer = by_token(ana).ask("POST", "/import", packed.getvalue(), **{"Content-Type": "application/zip"}).json()

    assert answer["files"][0]["name"] == "body/conversations.json"
    assert answer["new"]["exchanges"] == 5


@api_test
@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "empty"),
        (b"{}", 422, "not_an_export"),
        (b'{"mapping": NaN}', 422, "not_an_export"),
        (b"\x00" * 10, 422, "not_an_export"),
        (json.dumps([chatgpt(PORT)]).encode()[:-5], 422, "not_an_export"),
    ],
)
def test_the_api_refuses_what_is_no_export(ana: Account, body: bytes, status: int, code: str) -> None:
    answer = by_token(ana).ask("POST", "/import?dry_run=false", body)

    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert not Conversation.objects.exists()


@api_test
def test_the_api_refuses_a_body_beyond_the_limit_by_its_length(ana: Account) -> None:
    too_long = str(reading.LIMIT + 1)
    answer = by_token(ana).ask("POST", "/import", b"[]", **{"Content-Length": too_long})

    assert answer.status_code == 413
    assert answer.json()["error"]["detail"] == {"size": reading.LIMIT + 1, "limit": reading.LIMIT}


@api_test
def test_the_api_imports_for_whoever_asks(ana: Account, ben: Account) -> None:
    by_token(ben).ask("POST", "/import?dry_run=false", PHOTOSYNTHESIS.read_bytes())

    assert (Entry.objects.of(ana).count(), Entry.objects.of(ben).count()) == (0, 5)


@api_test
@pytest.mark.parametrize(("web", "status"), [(Web(), 401), ("session", 403)])
def test_the_api_lets_nobody_in_without_credentials(ana: Account, web: Web | str, status: int) -> None:
    web = by_session(ana, csrf=False) if isinstance(web, str) else web

    assert web.ask("POST", "/import?dry_run=false", PHOTOSYNTHESIS.read_bytes()).status_code == status
    assert not Conversation.objects.exists()


# -- the page


@pytest.fixture
def page(ana: Account) -> Client:
    client = Client(HTTP_ACCEPT="text/html")
    client.force_login(ana)
    return client


def export(path: Path = PHOTOSYNTHESIS) -> SimpleUploadedFile:
    return SimpleUploadedFile(path.name, path.read_bytes())


def test_the_page_shows_what_is_in_a_file_before_it_imports(ana: Account, page: Client) -> None:
    seen = page.post("/import/", {"file": export()})
    assert not Conversation.objects.exists()
    assert "Would import: conversations 1, messages 10, exchanges 5." in seen.text

    done = page.post("/import/confirm/", {"token": seen.context["token"]})
    talk = Conversation.objects.of(ana).get()
    assert f'<a href="/c/{talk.pk}/">How photosynthesis works</a>' in done.text
    assert Entry.objects.of(ana).count() == 5
    assert not list((folder_of(ana) / "uploads").iterdir())


def test_an_upload_is_somebody_s_own_and_used_up_by_its_import(ana: Account, ben: Account, page: Client) -> None:
    token = page.post("/import/", {"file": export()}).context["token"]
    other = Client()
    other.force_login(ben)

    assert other.post("/import/confirm/", {"token": token}).status_code == 404
    assert page.post("/import/confirm/", {"token": token}).status_code == 200
    assert page.post("/import/confirm/", {"token": token}).status_code == 404
    assert not Conversation.objects.of(ben).exists()


@pytest.mark.parametrize("token", ["", "..", "../../secret_key", "0" * 31, "0" * 32, "\x00"])
def test_a_token_that_names_no_upload_is_unknown(page: Client, token: str) -> None:
    assert page.post("/import/confirm/", {"token": token}).status_code == 404


def test_a_file_that_is_no_export_is_explained_and_not_kept(ana: Account, page: Client) -> None:
    answer = page.post("/import/", {"file": SimpleUploadedFile("notes.json", b'{"a": 1}')})

    assert answer.status_code == 422
    assert "notes.json is no export that Forge knows." in answer.text
    assert not list((folder_of(ana) / "uploads").iterdir())


def test_a_name_and_a_title_cannot_run_script(page: Client, tmp_path: Path) -> None:
    [path] = written(tmp_path, [chatgpt(PORT, REPLY, title="<script>alert(1)</script>")])
    answer = page.post("/import/", {"file": SimpleUploadedFile("<img src=x>.json", path.read_bytes())})

    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in answer.text
    assert "<script>alert" not in answer.text
    assert "<img" not in answer.text


def test_the_page_without_a_file_says_what_to_do(page: Client) -> None:
    answer = page.post("/import/")

    assert answer.status_code == 400
    assert "Choose the file of an export first." in answer.text


@pytest.mark.parametrize("path", ["/import/", "/import/confirm/"])
def test_the_page_is_for_people_who_signed_in(db: None, path: str) -> None:
    assert Client().post(path).headers["Location"].startswith("/signin/")


def test_the_page_wants_the_csrf_token(ana: Account) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ana)

    assert client.post("/import/", {"file": export()}).status_code == 403


def test_an_upload_that_nobody_confirmed_is_removed(ana: Account, page: Client, settings: Settings) -> None:
    old = page.post("/import/", {"file": export()}).context["token"]
    folder = folder_of(ana) / "uploads" / old
    os.utime(folder, (0, folder.stat().st_mtime - uploads.KEPT_SECONDS - 1))
    page.post("/import/", {"file": export()})

    assert not folder.exists()
