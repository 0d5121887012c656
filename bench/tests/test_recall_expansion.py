"""What came of a question that was asked again in other words, on a copy of a store."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.conf import settings
from django.test import override_settings

from bench.questions import Asked
from bench.recall_expansion import FALSE, FOUND, REACHLESS, RESCUED, WRONG, Draw, Seen, gap, main, worst
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel
from forgesite.tests.stores import stored
from memory.models import Entry
from memory.remember import Draft, remember

pytestmark = pytest.mark.django_db(transaction=True)
SETTINGS = {"EMBEDDING_PROVIDER": "bundled", "RECALL_POLICY": "vector"}
HITS = ["When was the boiler serviced?", "Who looked after what keeps us from freezing?", "What makes music at home?"]
MISS = "Which way do the swallows fly?"


@pytest.fixture
def store(tmp_path: Path, ana: Account) -> Path:
    for text in ("The boiler was serviced in October", "The piano is tuned twice a year"):
        remember(ana, Draft(text), actor="person", cause="test")
    return stored(tmp_path / "forge.db")


def run(store: Path, *options: str) -> int:
    with override_settings(FORGE=settings.FORGE.model_copy(update=SETTINGS)):
        return main(["--db", str(store), "--cutoff", "1.1", *options])


def questions() -> list[str]:
    boiler, piano = map(str, Entry.objects.order_by("pk").values_list("pk", flat=True))
    return ["--hit", *HITS, "--expect", boiler, boiler, piano, "--miss", MISS]


def will_say(model: ScriptedModel, *rewrites: str) -> None:
    model.will_answer(json.dumps({"questions": [*rewrites, *["Is it so that it rains?"] * (3 - len(rewrites))]}))


def test_each_outcome_has_its_line_and_the_worst_draw_is_kept(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedModel() as model:
        for draw in range(2):
            will_say(model, "When was the boiler serviced?")
            will_say(model, *(["When was the boiler serviced?"] if draw else []))
            will_say(model, "How often is the piano tuned?")
        options = ["--mode", "llm", "--repeat", "2", "--url", f"{model.url}/v1"]
        assert run(store, *options, *questions()) == 0
        assert [prompt[-1]["content"] for prompt in model.prompts] == [HITS[1], HITS[2], MISS] * 2

    lines = capsys.readouterr().out.splitlines()
    told = {line.split("  ")[-1]: line for line in lines if line.startswith(("hit", "miss"))}
    outcomes = [(question, name) for question, line in told.items() for name in OUTCOMES if f" {name} " in line]
    assert outcomes == [(HITS[0], FOUND), (HITS[1], RESCUED), (HITS[2], WRONG), (MISS, FALSE)]
    assert "llm: of 3 hits: 1 already found, 1 rescued, 1 wrong entry" in lines
    assert "llm: of 1 misses: 1 false rescue" in lines
    assert any(line.startswith("llm: no gap can be told of 2 hits and 1 misses") for line in lines)
    assert ": 6 calls, " in lines[-1]


OUTCOMES = (FOUND, RESCUED, WRONG, FALSE, REACHLESS)


def test_terms_ask_no_model(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(store, *questions()) == 0

    assert "terms: of 3 hits: 1 already found, 2 out of reach" in capsys.readouterr().out


def test_without_a_cutoff_nothing_can_be_rescued(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(store, "--cutoff", "off", *questions()) == 1
    assert "No cutoff is in force" in capsys.readouterr().err
    assert run(store, "--repeat", "0", *questions()) == 1


def seen(miss: bool, distance: float, *, fired: bool = True) -> Seen:
    return Seen(Asked("Why?", (), miss), distance, {"terms": Draw(REACHLESS, distance, fired=fired)})


def test_a_gap_is_told_of_three_a_side_that_were_asked_again() -> None:
    hits, misses = [seen(False, 0.1 * n) for n in (5, 6, 7)], [seen(True, 0.1 * n) for n in (9, 10, 11)]

    assert gap("terms", [*hits, *misses]) == "worst hit 0.7000, best miss 0.9000, gap 0.2000"
    assert gap("terms", [*hits, *misses[:2]]).startswith("no gap can be told of 3 hits and 2 misses")
    assert gap("terms", [*hits, *misses, seen(True, 0.7)]).startswith("NO GAP")


def test_the_worst_draw_is_the_worst_outcome_then_the_farthest_hit_or_the_nearest_miss() -> None:
    draws = [Draw(RESCUED, 1.4), Draw(REACHLESS, 1.1), Draw(REACHLESS, 1.3), Draw(REACHLESS, 1.2)]

    assert max(draws, key=lambda draw: worst(draw, miss=False)) == Draw(REACHLESS, 1.3)
    assert max(draws, key=lambda draw: worst(draw, miss=True)) == Draw(REACHLESS, 1.1)
