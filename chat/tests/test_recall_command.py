"""`manage.py recall`: what `!recall` prints, within a budget of bytes, now or as it was."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from chat.tests.test_commands import PORT, know, say
from forgesite.models import Account
from memory.relate import relate
from memory.revise import Changes, revise
from traces.records import newest

LONG = "the cellar server runs on port 9090 and is cooled by a fan that was bought in Nantes"


def run(*arguments: str, **options: Any) -> tuple[list[str], str]:
    """The lines on standard output, and what else is said."""
    out, err = io.StringIO(), io.StringIO()
    call_command("recall", *arguments, stdout=out, stderr=err, **options)
    return out.getvalue().splitlines(), err.getvalue()


def test_it_prints_id_kind_project_text_and_how_it_was_found(ana: Account) -> None:
    number = know(ana, project="atlas")
    assert run("which port", policy="lexical")[0] == [f"#{number} [fact/atlas] {PORT} (lexical)"]


def test_of_nothing_it_says_so_and_prints_no_line(ana: Account) -> None:
    lines, said = run("which port")
    assert lines == []
    assert "Memory holds nothing on this" in said


def test_a_row_that_does_not_fit_is_skipped_and_a_smaller_one_is_not(filled: Account) -> None:
    long, short = know(filled, LONG), know(filled)
    asked = ("which port has the server that is cooled by a fan", "--policy", "lexical")
    assert [line.split()[0] for line in run(*asked)[0]] == [f"#{long}", f"#{short}"]

    lines, said = run(*asked, "--bytes", str(len(PORT)))
    assert [line.split()[0] for line in lines] == [f"#{short}"]
    assert "1 row did not fit" in said
    assert run(*asked, "--bytes", str(len(PORT) - 1))[0] == []


def test_all_shows_what_was_taken_back(filled: Account) -> None:
    number = know(filled)
    revise(filled, number, Changes(status="retracted"), version=None, actor="person", cause="test")
    assert run("which port", "--policy", "lexical")[0] == []
    assert len(run("which port", "--policy", "lexical", "--all")[0]) == 1


def test_it_shows_memory_as_it_was_and_says_so(filled: Account) -> None:
    number = know(filled)
    revise(filled, number, Changes(text=LONG), version=None, actor="person", cause="test")
    lines, said = run("which port", "--policy", "lexical", "--as-of", "2")
    assert lines == [f"#{number} [fact/-] {PORT} (lexical)"]
    assert "Memory as it was at" in said


@pytest.mark.django_db(transaction=True)
def test_what_was_replaced_is_shown_on_demand_and_in_no_turn(filled: Account) -> None:
    old, new = know(filled, "the boxes are in the attic"), know(filled, "the boxes are in the cellar")
    relate(filled, new, "supersedes", old, actor="person", cause="test")

    question = "Where are the boxes, in the attic or in the cellar?"
    assert f"#{old} [fact/-] -> #{new} the boxes are in the attic" in say(filled, f"!recall {question}").output
    say(filled, question)
    [step] = newest(filled, 1)[0].steps.all()
    given = {row["id"] for row in step.detail["entries"]}
    assert {old, new} & given == {new}


def test_of_another_account_nothing_is_found(ana: Account, ben: Account) -> None:
    know(ana)
    assert run("which port", "--user", "ben")[0] == []


@pytest.mark.parametrize("wrong", [["--policy", "magic"], ["--bytes", "0"], ["--bytes", "x"], ["--top-k", "-1"]])
def test_wrong_usage_is_refused(ana: Account, wrong: list[str]) -> None:
    with pytest.raises(CommandError):
        run("which port", *wrong)


@pytest.mark.parametrize("wrong", [["--as-of", "soon"], ["--top-k", "65"]])
def test_a_value_out_of_range_is_wrong_usage_too(ana: Account, wrong: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run("which port", *wrong)
    assert ended.value.code == 2
