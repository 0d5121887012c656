"""The commands about accounts: what they print, and what they leave alone."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from forgesite import accounts
from forgesite.config import ROOT
from forgesite.models import Account
from forgesite.testing_server import own_environment


def said(*arguments: str) -> list[str]:
    """The lines of a command on standard output."""
    out = io.StringIO()
    call_command(*arguments, stdout=out, stderr=io.StringIO())
    return out.getvalue().splitlines()


def command(data_dir: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command as a process, on a data folder that nothing has prepared."""
    env = own_environment() | {"DATA_DIR": str(data_dir)}
    run = [sys.executable, "manage.py", *arguments]
    return subprocess.run(run, cwd=ROOT, env=env, capture_output=True, text=True, check=False)


def test_signin_prints_a_link_of_the_first_account(ana: Account, ben: Account) -> None:
    [link] = said("signin", "--port", "8123")

    assert link.startswith("http://127.0.0.1:8123/signin/")
    assert accounts.redeem(link.split("/")[-2]) == ana


def test_signin_takes_a_name(ana: Account, ben: Account) -> None:
    assert accounts.redeem(said("signin", "ben")[-1].split("/")[-2]) == ben


def test_signin_of_nobody_names_who_there_is(ana: Account) -> None:
    with pytest.raises(CommandError, match=r"zoe.*ana"):
        said("signin", "zoe")


def test_a_token_stands_alone_on_the_last_line(ana: Account) -> None:
    found = accounts.account_of_token(said("token", "create")[-1])

    assert found is not None
    assert found[0] == ana


def test_a_token_for_a_new_name_makes_the_account(ana: Account) -> None:
    found = accounts.account_of_token(said("token", "create", "--user", "zoe", "--scope", "read")[-1])

    assert found is not None
    assert found[1] is not None
    assert (found[0].username, found[1].scope) == ("zoe", "read")


def test_tokens_are_listed_without_their_secret_and_revoked(ana: Account) -> None:
    secret = said("token", "create", "--name", "backup script")[-1]
    [line] = said("token", "list")

    assert "backup script" in line
    assert secret not in line
    said("token", "revoke", line.split(" ")[0])
    assert said("token", "list") == []


def test_deleting_an_account_shows_first_what_would_go(ana: Account, ben: Account) -> None:
    accounts.new_token(ben)

    assert "1  tokens" in "\n".join(said("account", "delete", "ben"))
    assert Account.objects.filter(username="ben").exists()


def test_an_account_is_deleted_when_told_twice(ana: Account, ben: Account) -> None:
    Account.objects.filter(pk=ana.pk).update(is_superuser=True)

    said("account", "delete", "ben", "--apply")

    assert not Account.objects.filter(username="ben").exists()


def test_a_first_command_needs_no_start_before_it(tmp_path: Path) -> None:
    made = command(tmp_path / "data", "account", "create", "amelie")

    assert made.returncode == 0, made.stderr
    assert "superuser" in made.stdout


def test_a_refusal_is_one_line_and_status_1(tmp_path: Path) -> None:
    refused = command(tmp_path / "data", "token", "create")

    assert refused.returncode == 1
    assert refused.stderr.strip().count("\n") == 0
    assert "account create" in refused.stderr


@pytest.mark.parametrize("arguments", [("token",), ("account", "rename", "ana"), ("up", "--port", "http")])
def test_wrong_usage_is_status_2(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    assert command(tmp_path / "data", *arguments).returncode == 2
