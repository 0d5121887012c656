"""What each channel does for a question, on a copy of a store."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.rag_hybrid import main
from forgesite.models import Account
from forgesite.tests.stores import stored
from memory.models import Entry
from memory.remember import Draft, remember

pytestmark = pytest.mark.django_db(transaction=True)
HIT, MISS = "What is the printer called?", "What is the oven called?"


@pytest.fixture
def store(tmp_path: Path, ana: Account) -> Path:
    for text in ("The printer is a Brother", "The printer is on the third floor", "The boat is called Aurora"):
        remember(ana, Draft(text), actor="person", cause="test")
    return stored(tmp_path / "forge.db")


def test_each_channel_says_what_it_reached_and_which_words_are_too_common(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--no-vector", "--max-df", "0.4", "--max-df", "0.7"]
    first = str(Entry.objects.earliest("pk").pk)

    assert main(["--db", str(store), *words, "--hit", HIT, "--expect", first, "--miss", MISS]) == 0

    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "words ≤ 0.4 WRONG ENTRY 1 kept: called 1; too common: printer 2" in lines
    assert "words ≤ 0.7 REACHED at 2 of 3 kept: printer 2, called 1; too common: –" in lines
    assert "words ≤ 0.7 of 1 hits: 1 REACHED; of 1 misses: 1 with INTRUDERS" in lines


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (["--max-df", "2"], "is no share"),
        (["--top-k", "0"], "each can be 1 to 64"),
        (["--cutoff", "near"], "is none: give"),
    ],
)
def test_an_option_of_no_use_is_status_1(
    store: Path, capsys: pytest.CaptureFixture[str], wrong: list[str], why: str
) -> None:
    assert main(["--db", str(store), *wrong, "--miss", MISS]) == 1

    assert why in capsys.readouterr().err
