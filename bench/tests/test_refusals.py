"""The bench of refusals counts what it says it counts."""

from __future__ import annotations

import json
from pathlib import Path

from bench.refusals import caught, judged, line
from chat.tests.test_loops import SENTENCE


def test_a_share_is_of_all_texts() -> None:
    assert caught(["I don't know.", "The port is 8080."]) == ["I don't know."]
    assert line("refusals", ["I don't know.", "The port is 8080."]).split()[-4:] == ["1", "of", "2", "50.0%"]


def test_of_a_set_the_assistants_texts_are_judged(tmp_path: Path) -> None:
    texts = [("user", "I don't know."), ("assistant", "The port is 8080."), ("assistant", SENTENCE * 6)]
    rows = [{"role": role, "text": text} for role, text in texts]
    path = tmp_path / "talks.json"
    path.write_text(json.dumps({"stores": [{"rows": rows}]}))

    assert judged(path).split(maxsplit=4) == ["talks", "1", "of", "2", "50.0%  {'repeats itself': 1}"]
