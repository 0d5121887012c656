"""What folding joins: of pairs and facts that are given, and of a copy of a store."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pytest_django import Settings

from bench.folding import main as folding
from bench.rag_aggregate import main as rag_aggregate
from forgesite.models import Account
from forgesite.tests.stores import stored, texts
from memory.tests.folds import DECK, DECK_MORE, HARDWARE, LINE, RAM, TELEGRAM, notes


def pair(gold: str, one: str, other: str) -> str:
    return json.dumps({"lang": "fr", "gold": gold, "older": {"text": one}, "newer": {"text": other}})


def test_pairs_are_counted_by_what_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text(
        "\n".join([pair("restated", DECK, DECK_MORE), pair("conflict", RAM, RAM.replace(" a ", " n'a pas "))])
    )

    assert folding(["--data", str(file)]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    assert rows == [["fr", "conflict", "1", "0", "1"], ["fr", "restated", "1", "1", "1"]]


def test_a_folded_conflict_is_status_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text(pair("conflict", DECK, DECK_MORE))

    assert folding(["--data", str(file)]) == 1
    assert "FOLDED conflict" in capsys.readouterr().err


def test_every_fold_of_facts_is_shown_with_its_days(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dates = ("1:56 pm on 8 May, 2023", "2:00 pm on 9 May, 2023")
    facts = [{"text": text, "date": date} for text, date in zip((DECK, DECK_MORE), dates, strict=True)]
    file = tmp_path / "set.json"
    file.write_text(json.dumps({"stores": [{"id": "one", "facts": facts}, {"id": "none"}]}))

    folding(["--data", str(file), "--max-df", "1"])

    assert f"#1 2023-05-08 {DECK}" in capsys.readouterr().out


@pytest.mark.django_db(transaction=True)
def test_a_copy_is_folded_and_unwound_and_the_store_is_as_it_was(
    ana: Account, tmp_path: Path, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.FORGE = settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "none"})
    notes(ana, RAM, HARDWARE, TELEGRAM)
    store = stored(tmp_path / "forge.db")
    before = texts(store)

    assert rag_aggregate(["--db", str(store), "--max-df", "0.2", "--apply"]) == 0

    out = capsys.readouterr().out
    assert LINE in out
    assert "Block: 3 → 1 entries" in out
    assert "to the byte" in out
    assert texts(store) == before
