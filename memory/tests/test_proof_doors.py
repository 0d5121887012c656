"""The commands and the API's operation of a proof: what they answer, and with which status."""

from __future__ import annotations

import io

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from forgesite import accounts
from forgesite.models import Account
from forgesite.tests.web import Web, by_token
from memory import change_log, proof_api
from memory.models import Entry
from memory.tests.entries import by_sql, saved

PORT = "The test server runs on port 8080"
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("words_only")]


def run(*arguments: str) -> tuple[str, str]:
    """What a command prints, on both sides, and its error's message after it."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command(*arguments, stdout=out, stderr=err)
    except CommandError as error:
        err.write(str(error))
    return out.getvalue(), err.getvalue()


@pytest.fixture
def entry(ana: Account) -> Entry:
    return saved(ana, PORT)


def test_a_clean_memory_says_what_was_read(entry: Entry) -> None:
    out, err = run("verify")
    assert (err, "commits 1, entries 1" in out) == ("", True)


def test_findings_are_an_error_until_they_are_adopted(ana: Account, entry: Entry) -> None:
    by_sql("UPDATE memory_entry SET text = 'Somebody else''s words'")
    out, err = run("verify", "--user", "ana")
    assert f"Entry #{entry.pk}: “text”" in err
    assert "--adopt" in err
    assert "Somebody" not in out + err
    out, err = run("verify", "--adopt")
    assert (f"#{entry.pk} is recorded" in out, err) == (True, "")


def test_a_rebuild_is_a_preview_until_it_is_applied(entry: Entry) -> None:
    by_sql("UPDATE memory_entry SET text = 'Somebody else''s words'")
    out, err = run("rebuild")
    assert ("1 difference would be" in out, err) == (True, "")
    assert Entry.objects.get().text == "Somebody else's words"
    assert "1 difference was taken back" in run("rebuild", "--apply")[0]
    assert (Entry.objects.get().text, run("verify")[1]) == (PORT, "")


def test_what_cannot_be_restored_is_an_error(entry: Entry) -> None:
    by_sql("DELETE FROM memory_entry")
    by_sql("DELETE FROM memory_textversion")
    _out, err = run("rebuild", "--apply")
    assert "kept nowhere else" in err
    assert run("verify", "--user", "zoe")[1].startswith("No account is named zoe")


def test_the_api_proves_the_callers_own_memory(ana: Account, ben: Account, entry: Entry) -> None:
    saved(ben, PORT)
    by_sql("UPDATE memory_entry SET pinned = 1 WHERE id = %s", entry.pk)
    mine = by_token(ana).ask("POST", "/verify").json()
    his = by_token(ben).ask("POST", "/verify").json()
    assert (his["ok"], his["commits"], his["entries"], his["receipts"], his["findings"]) == (True, 1, 1, 0, [])
    [finding] = mine["findings"]
    assert (finding["table"], finding["row"], finding["column"]) == ("memory_entry", entry.pk, "pinned")
    assert (finding["code"], finding["entry"], finding["outside"]) == ("differs", entry.pk, True)


def test_an_account_that_is_deleted_leaves_nothing_to_prove(ana: Account, ben: Account, entry: Entry) -> None:
    by_sql("UPDATE memory_entry SET pinned = 1")
    Account.objects.update(is_superuser=True)
    accounts.delete_account(ana)
    assert (list(change_log.lines()), run("verify")[1]) == ([], "")


def test_one_proof_at_a_time(ana: Account, entry: Entry) -> None:
    web: Web = by_token(ana)
    with proof_api._one:
        assert web.ask("POST", "/verify").json()["error"]["code"] == "busy"
    assert web.ask("POST", "/verify").status_code == 200
