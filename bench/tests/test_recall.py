"""The bench of recall as a command, over a set small enough to know what it must find."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

TALK = ["The boat is called Aurora", "My sister lives in Nantes", "The test server uses port 8080"]
FACTS = [{"text": "The boat bears the name Aurora", "gold": ["0"], "date": "8 May, 2023"}]
ASKED = {"What is the boat called?": ["0"], "Where does my sister live?": ["2"], "Which oven do I have?": []}


@pytest.fixture
def made(tmp_path: Path) -> Path:
    rows = [
        {"id": str(2 * number + each), "role": role, "speaker": "", "session": "", "date": "", "text": text}
        for number, said in enumerate(TALK)
        for each, (role, text) in enumerate([("user", said), ("assistant", "Good to know.")])
    ]
    questions = [
        {"id": f"q{number}", "text": text, "category": "adversarial" if number else "plain", "gold": gold}
        for number, (text, gold) in enumerate(ASKED.items())
    ]
    file = tmp_path / "sets" / "talk.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"stores": [{"id": "one", "rows": rows, "facts": FACTS, "questions": questions}]}))
    return file


def bench(*arguments: object) -> str:
    command = [sys.executable, "-m", "bench.recall", *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout


def test_it_finds_what_is_there_and_says_how_often_it_said_nothing(made: Path, tmp_path: Path) -> None:
    run = tmp_path / "run.json"
    said = bench("--data", made, "--policy", "interleave", "--policy", "vector", "--save", run)
    assert "talk: 1 stores; 3 rows written" in said
    assert "said nothing rightly, without an answer: 1.000 of 1" in said
    assert "said nothing wrongly, with one: 0.000 of 2" in said
    assert "all but adversarial             1" in said
    assert "talk, vector against interleave, 2 questions: R@10 +0.000 [+0.000, +0.000]" in said
    asked: list[dict[str, Any]] = json.loads(run.read_text())
    assert [each["measures"].get("R@5") for each in asked] == [1.0, 1.0, None] * 2


def test_a_run_is_compared_with_the_same_policy_of_the_one_saved(made: Path, tmp_path: Path) -> None:
    run = tmp_path / "run.json"
    bench("--data", made.parent, "--policy", "lexical", "--limit", 1, "--save", run)
    said = bench("--data", made.parent, "--facts", "--policy", "lexical", "--top-k", 1, "--against", run)
    assert "talk: 1 stores; 4 rows written" in said
    assert "talk, lexical against lexical, 1 questions: R@10 +0.000 [+0.000, +0.000], MRR +0.000" in said
