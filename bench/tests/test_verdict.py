"""What a model says of eight blocks, counted against what they hold."""

from __future__ import annotations

import pytest

from bench.verdict import ARMS, main
from bench.verdict_cases import CASES
from forgesite.testing_models import ScriptedModel


def said(arm: str, number: int) -> str:
    """Right on all but the first case of each side; nothing of use where a reason is asked for."""
    case = CASES[number]
    answers = case.answers is not (number in (0, 4))
    made_up = "02:00 backup: failed, nobody knows why"
    return {
        "plain": "Yes." if answers else "No.",
        "negated": "NO" if answers else "YES",
        "cite": (case.line or made_up) if answers else "NONE",
        "reason": "The block is a log." if number else "It says nothing of no disk, so: YES",
    }[arm]


def test_each_way_of_asking_has_its_right_and_wrong_verdicts(capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedModel() as model:
        for arm in ARMS:
            for number in range(len(CASES)):
                model.will_answer(said(arm.name, number))
        assert main(["--url", model.url]) == 0

    counts = {line.split()[0]: list(map(int, line.split()[1:])) for line in capsys.readouterr().out.splitlines()[2:]}
    assert counts == {"plain": [6, 1, 1, 0], "negated": [6, 1, 1, 0], "cite": [6, 1, 0, 1], "reason": [1, 0, 0, 7]}


def test_a_server_that_is_not_there_is_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--url", "http://127.0.0.1:9"])

    assert (left.value.code, "cannot be asked: unreachable" in capsys.readouterr().err) == (1, True)
