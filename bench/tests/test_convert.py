"""Public originals become sets: made-up samples of the published shapes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.convert import beam, locomo
from bench.sets import stores

SAMPLE = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Nora",
        "speaker_b": "Paul",
        "session_2_date_time": "9:10 am on 3 June, 2023",
        "session_2": [{"speaker": "Paul", "dia_id": "D2:1", "text": "The boat is sold."}],
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Nora", "dia_id": "D1:1", "text": "I have a boat."},
            {"speaker": "Paul", "dia_id": "D1:2", "text": "Mine!", "img_url": ["x"], "blip_caption": "a red boat"},
        ],
        "session_3_date_time": "2:00 pm on 4 June, 2023",
    },
    "qa": [
        {"question": "Who has a boat?", "answer": "Nora", "evidence": ["D1:1", "D1:02; D2:1"], "category": 1},
        {"question": "When was it sold?", "answer": 2023, "evidence": ["D:2:1"], "category": 2},
        {"question": "What did nobody say?", "answer": "", "evidence": ["D9:9", "D"], "category": 5},
    ],
    "observation": {"session_1_observation": {"Nora": [["Nora has a boat.", "D1:1"]], "Paul": []}},
}
CHAT = [
    {
        "batch_number": 1,
        "turns": [
            [
                {"role": "user", "id": 0, "time_anchor": "March-15-2024", "content": "I sell my boat. ->-> 1,1"},
                {"role": "assistant", "id": 1, "content": "A good idea."},
            ],
            [{"role": "user", "id": 2, "time_anchor": None, "content": "I keep my boat."}],
        ],
    }
]
ASKED = {
    "abstention": [{"question": "What is my cat called?"}],
    "contradiction_resolution": [
        {"question": "Do I sell it?", "source_chat_ids": {"first_statement": [2], "second_statement": [0, 2]}}
    ],
    "event_ordering": [{"question": "In which order?", "source_chat_ids": [0, 2, 2]}],
    "summarization": [{"question": "What was all this?", "source_chat_ids": []}],
}


@pytest.fixture
def store(tmp_path: Path) -> dict[str, Any]:
    (tmp_path / "locomo10.json").write_text(json.dumps([SAMPLE]))
    [found] = locomo(tmp_path / "locomo10.json")
    return found


@pytest.fixture
def chat(tmp_path: Path) -> dict[str, Any]:
    folder = tmp_path / "100K" / "1" / "probing_questions"
    folder.mkdir(parents=True)
    (folder / "probing_questions.json").write_text(json.dumps(ASKED))
    (folder.parent / "chat.json").write_text(json.dumps(CHAT))
    [found] = beam(tmp_path / "100K")
    return found


def test_turns_come_in_the_order_of_their_sessions(store: dict[str, Any]) -> None:
    assert [(row["id"], row["role"], row["session"]) for row in store["rows"]] == [
        ("D1:1", "user", "session_1"),
        ("D1:2", "assistant", "session_1"),
        ("D2:1", "assistant", "session_2"),
    ]
    assert store["rows"][1]["text"] == "Mine! [shares a photo: a red boat]"
    assert store["rows"][2]["date"] == "9:10 am on 3 June, 2023"


def test_evidence_is_read_as_it_is_written_and_kept_where_the_turn_exists(store: dict[str, Any]) -> None:
    assert [(each["id"], each["category"], each["gold"]) for each in store["questions"]] == [
        ("conv-1-0", "multi-hop", ["D1:1", "D1:2", "D2:1"]),
        ("conv-1-1", "temporal", ["D2:1"]),
    ]


def test_what_annotators_observed_become_facts(store: dict[str, Any]) -> None:
    assert store["facts"] == [{"text": "Nora has a boat.", "gold": ["D1:1"], "date": "1:56 pm on 8 May, 2023"}]


def test_a_chat_loses_the_marks_of_its_plan(chat: dict[str, Any]) -> None:
    assert [(row["id"], row["date"], row["text"]) for row in chat["rows"]] == [
        (0, "March-15-2024", "I sell my boat."), (1, "", "A good idea."), (2, "", "I keep my boat."),
    ]  # fmt: skip


def test_only_an_abstention_question_may_have_no_source(chat: dict[str, Any]) -> None:
    assert [(each["id"], each["gold"]) for each in chat["questions"]] == [
        ("beam-1-abstention-0", []),
        ("beam-1-contradiction_resolution-0", [2, 0]),
        ("beam-1-event_ordering-0", [0, 2]),
    ]


def test_the_command_writes_a_set_that_the_benches_read(tmp_path: Path) -> None:
    (tmp_path / "locomo10.json").write_text(json.dumps([SAMPLE]))
    made = tmp_path / "boats.json"
    command = [sys.executable, "-m", "bench.convert", "locomo", str(tmp_path / "locomo10.json"), "--to", str(made)]
    subprocess.run(command, check=True, capture_output=True)
    [found] = stores(made)
    assert [each.ids for each in found.exchanges] == [("D1:1", "D1:2"), ("D2:1",)]
    said = "Nora: I have a boat.\nPaul: Mine! [shares a photo: a red boat]"
    assert (found.exchanges[0].text, found.exchanges[0].ends) == (said, (20, len(said)))
    assert json.loads(made.read_text())["name"] == "boats"
