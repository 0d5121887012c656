"""What the block costs and holds, and what a search adds to it, on a copy of a store."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django import Settings

from bench.rag_hot_tier import main
from forgesite.models import Account
from forgesite.tests.stores import stored
from memory.models import Entry
from memory.remember import Draft, remember

pytestmark = pytest.mark.django_db(transaction=True)
HIT, MISS = "What is the printer called?", "Who owns the oven?"


@pytest.fixture
def store(tmp_path: Path, ana: Account, settings: Settings) -> Path:
    settings.FORGE = settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "none"})
    for number in range(20):
        remember(ana, Draft(f"{chr(97 + number) * 6} is {chr(122 - number) * 5}"), actor="person", cause="test")
    remember(ana, Draft("the printer is called Brother"), actor="person", cause="test")
    said = Draft("user: the printer is called what?\nassistant: Brother.", kind="exchange", origin="import")
    remember(ana, said, actor="import", cause="test")
    return stored(tmp_path / "forge.db")


def lines(capsys: pytest.CaptureFixture[str], store: Path, *more: str) -> list[str]:
    last = str(Entry.objects.filter(kind="fact").latest("pk").pk)
    assert main(["--db", str(store), *more, "--hit", HIT, "--expect", last, "--miss", MISS]) == 0
    return [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]


def test_a_whole_block_holds_it_and_words_add_nothing_but_exchanges(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = lines(capsys, store)
    assert any(line.startswith("- #") and "Brother" in line for line in found)
    assert any(line.startswith("COST") and line.endswith("21 entries whole, 0 left out") for line in found)
    assert any(line.startswith("HEADROOM") and line.endswith("entries more") for line in found)
    assert "coverage 1 of 1 in the block" in found
    assert "words SUBSUMED 1, ADDS 0, nothing 1" in found
    assert "words SUBSUMED 0, ADDS 1, nothing 1" in lines(capsys, store, "--include-archived")


def test_past_its_budget_the_index_opens_it(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = lines(capsys, store, "--budget", "120")
    assert any(line.startswith("COST") and line.endswith("0 entries whole, an index of 21 more") for line in found)
    assert "coverage 0 of 1 in the block, 1 opened" in found
    assert "words SUBSUMED 0, ADDS 1, nothing 1" in found


def test_a_budget_of_no_use_is_status_1(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--db", str(store), "--budget", "0", "--miss", MISS]) == 1
    assert "a token at the least" in capsys.readouterr().err
