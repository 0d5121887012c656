"""`manage.py record`: an entry or a commit as JSON, by its address."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from forgesite.models import Account
from memory.forget import forget
from memory.models import Commit, Entry
from memory.relate import relate
from memory.revise import Changes, revise
from memory.tests.entries import saved

WHO: dict[str, Any] = {"actor": "person", "cause": "test"}
PORT, NEW_PORT = "The test server runs on port 8080", "The test server runs on port 9090"


def record(*arguments: str) -> Any:
    out = io.StringIO()
    call_command("record", *arguments, stdout=out)
    return json.loads(out.getvalue())


@pytest.fixture
def port(ana: Account, words_only: None) -> Entry:
    entry = saved(ana, PORT)
    revise(ana, entry.pk, Changes(text=NEW_PORT), version=None, **WHO)
    return entry


def test_an_entry_comes_with_its_history_and_links(ana: Account, port: Entry) -> None:
    relate(ana, saved(ana, "The shed is green and dry").pk, "conflicts", port.pk, **WHO)
    for name in (port.address, str(port.pk)):
        said = record(name)
        assert (said["id"], said["content"]) == (port.pk, NEW_PORT)
        assert [commit["tick"] for commit in said["history"]] == [1, 2, 4]
        assert [(link["type"], link["direction"]) for link in said["links"]] == [("conflicts", "in")]


def test_an_entry_is_shown_as_it_was(port: Entry) -> None:
    said = record(port.address, "--as-of", "1")
    assert (said["content"], len(said["history"])) == (PORT, 1)


def test_a_commit_comes_with_its_entries_as_it_left_them(ana: Account, port: Entry) -> None:
    first = Commit.objects.get(tick=1)
    said = record(first.address)
    assert (said["tick"], said["parent"], said["changes"]) == (1, "", first.changes)
    assert [(entry["content"], entry["version"]) for entry in said["entries"]] == [(PORT, 1)]

    forget(ana, [port.pk], **WHO)
    said = record(first.address[:8])
    assert (said["entries"], said["forgotten"]) == ([], 1)


@pytest.mark.parametrize("name", ["deadbeef", "0" * 64, "12", "no such thing", ""])
def test_what_is_unknown_is_said_in_a_line(port: Entry, name: str) -> None:
    with pytest.raises(CommandError, match=r"address|No entry with id"):
        record(name)


def test_a_time_that_is_none_is_wrong_usage(port: Entry) -> None:
    with pytest.raises(SystemExit) as ended:
        record(port.address, "--as-of", "soon")
    assert ended.value.code == 2


def test_a_stranger_is_told_nothing(ana: Account, ben: Account, port: Entry) -> None:
    for name in (port.address, Commit.objects.get(tick=1).address):
        with pytest.raises(CommandError):
            record(name, "--user", "ben")
