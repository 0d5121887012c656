"""The writing rules on public sentences nobody here wrote (MIT, see data/intake/LICENSE)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.writing import lacking, stated
from memory.domain.stated import about_another, states_something, unstated

DATA = Path(__file__).parent / "data" / "intake"
#: As measured; a rule that saves less is worse, and one that saves more is looked at.
SAVED, LABELS = 49, 55


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


ENGLISH, FRENCH = rows("memory_extraction/dataset.jsonl"), rows("memory_extraction/dataset.fr.jsonl")
MEMORIES = {row["id"]: [one["content"] for one in row["memories"]] for row in rows("memory_extraction/labels.jsonl")}


def allowed(text: str, said: str) -> bool:
    return states_something(said) and not unstated(text, [said]) and not about_another(text, [said])


@pytest.mark.parametrize("file", ["dataset.jsonl", "dataset.fr.jsonl"])
@pytest.mark.parametrize("kind", ["question", "command", "greeting"])
def test_nothing_is_written_from_a_question_an_order_or_a_greeting(file: str, kind: str) -> None:
    kinds = {row["id"]: row["label"] for row in rows("calibration/labels.jsonl")}
    texts = [row["text"] for row in rows(f"calibration/{file}") if kinds[row["id"]] == kind]
    assert len(texts) == 4
    assert not any(states_something(text) for text in texts)


def test_what_people_label_as_a_memory_is_mostly_allowed() -> None:
    allowed_ones = [
        (row["text"], text) for row in ENGLISH for text in MEMORIES[row["id"]] if allowed(text, row["text"])
    ]
    assert (len(allowed_ones), sum(map(len, MEMORIES.values()))) == (SAVED, LABELS)
    assert not [name for said, text in allowed_ones for name in lacking(text, said)]


def test_no_label_of_another_text_is_allowed() -> None:
    for row in ENGLISH:
        others = [text for pk, texts in MEMORIES.items() if pk != row["id"] for text in texts]
        assert not [text for text in others if allowed(text, row["text"])]


def test_no_translation_is_allowed() -> None:
    assert not [text for row in FRENCH for text in MEMORIES[row["id"]] if allowed(text, row["text"])]


def test_a_persons_own_sentences_are_theirs_in_french_too() -> None:
    kept = [allowed(one, row["text"]) for row in FRENCH for one in stated(row["text"])]
    assert sum(kept) >= len(kept) - 1
