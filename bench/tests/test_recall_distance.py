"""Hits, misses and the gap between them, on a copy of a store, raw and with an instruction."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench import instruct_prefix, recall_distance
from bench.on_copy import digest
from forgesite.models import Account
from forgesite.tests.stores import stored
from memory.models import Calibration, Entry
from memory.remember import Draft, remember_many

pytestmark = pytest.mark.django_db(transaction=True)
TEXTS = ("The dog is called Rex", "The boat lies at pier 9", "The server runs on port 8080")
HITS = ["What is the dog called?", "At which pier lies the boat?", "On which port runs the server?"]
MISSES = ["Who won the cup in 1954?", "How deep is the lake in Bled?", "When does the train to Rome leave?"]


@pytest.fixture
def store(tmp_path: Path, ana: Account) -> Path:
    remember_many(ana, [Draft(text) for text in TEXTS], actor="person", cause="test")
    return stored(tmp_path / "forge.db")


def given(store: Path) -> list[str]:
    ids = [str(Entry.objects.get(text=text).pk) for text in TEXTS]
    return ["--db", str(store), "--hit", *HITS, "--expect", *ids, "--miss", *MISSES]


def test_planted_facts_are_told_from_what_nothing_answers(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = digest(store)
    assert recall_distance.main(["--db", str(store)]) == 0
    said = capsys.readouterr().out
    assert len(re.findall(r"^hit ", said, re.M)) == len(re.findall(r"^miss ", said, re.M)) == 5
    assert re.search(r"gap \+0\.[1-9]", said)
    assert re.search(r"RECALL_MAX_DISTANCE=\d\.\d\d@e3b0c4\.6fe03d", said)
    assert len(re.findall(r"^  \d\.\d{4}  #\d+  ", said, re.M)) == 10 * 5
    assert (digest(store), Calibration.objects.count()) == (before, 0)


def test_ones_own_questions_alone(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert recall_distance.main([*given(store), "--no-plant", "--no-rows"]) == 0
    said = capsys.readouterr().out
    assert len(re.findall(r"^hit ", said, re.M)) == len(re.findall(r"^miss ", said, re.M)) == 3
    assert "Worst hit" in said


def test_what_measures_nothing_is_refused(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few = [*given(store)[:-1], "--no-plant"]
    assert recall_distance.main(few) == 1
    assert "at least 3 of each" in capsys.readouterr().err
    assert recall_distance.main(["--no-plant", *given(store)[2:]]) == 1
    assert recall_distance.main([*given(store), "--account", "nobody"]) == 1
    with pytest.raises(SystemExit, match="1"):
        recall_distance.main(["--db", str(store), "--no-plant"])


def test_an_instruction_moves_questions_alone(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert instruct_prefix.main([*given(store), "--instruct", "Find the fact that answers"]) == 0
    said = capsys.readouterr().out
    assert (
        len(re.findall(r"^(?:hit|miss) +\d\.\d{4}  \d\.\d{4}    [+-]\d\.\d{4}  (?:better|worse|same)", said, re.M)) == 6
    )
    assert re.search(r"^raw: gap .* regime e3b0c4\.6fe03d$", said, re.M)
    assert re.search(r"^prefixed: gap .* regime (?!e3b0c4)\w{6}\.6fe03d$", said, re.M)
    assert re.search(r"The instruction (widens|narrows|leaves) the gap", said)
