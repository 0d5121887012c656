"""What the bench of streaming counts, and the parts it is made of."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from bench.filling import exchange
from bench.listeners import Heard
from bench.relay import delta
from bench.steady_model import SteadyModel, answer
from bench.stream import delays, steady
from forgesite.testing_models import chunk


@pytest.fixture
def model() -> Iterator[SteadyModel]:
    with SteadyModel(port=0, count=5, every=0.01) as model:
        yield model


def test_a_token_is_late_by_the_frame_that_completes_it() -> None:
    heard = Heard("one", deltas=[(1.0, "abcdef"), (1.5, "gh"), (2.0, "ijkl")])
    assert list(delays(heard, [0.9, 1.4, 1.9])) == [pytest.approx(100)] * 3


def test_the_steady_cost_is_that_of_the_time_when_all_stream() -> None:
    heard = [Heard("one"), Heard("two")]
    sent = [[0.0, 1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0, 5.0]]
    samples = [(0.0, 0.0), (1.6, 7.0), (3.6, 7.4), (5.0, 20.0)]
    assert steady(heard, sent, samples) == pytest.approx(400 / 4)


def test_the_model_knows_when_it_said_what(model: SteadyModel) -> None:
    body = {"messages": [{"role": "user", "content": "Which port? #forge-3#"}]}
    said = httpx.post(f"{model.url}/v1/chat/completions", json=body, trust_env=False).text
    assert "".join(map(delta, said.splitlines())) == "".join(answer(5))
    known = httpx.get(f"{model.url}/said", trust_env=False).json()["forge-3"]
    assert (len(known["sent"]), known["left"]) == (5, None)
    assert known["asked"] <= known["sent"][0] <= known["sent"][-1] - 0.04


def test_the_model_notices_who_leaves(model: SteadyModel) -> None:
    body = {"messages": [{"role": "user", "content": "#stop-1#"}]}
    with httpx.stream("POST", f"{model.url}/v1/chat/completions", json=body, trust_env=False) as response:
        next(response.iter_raw())
    while not (known := httpx.get(f"{model.url}/said", trust_env=False).json()["stop-1"])["left"]:
        pass
    assert known["left"] > known["asked"]


def test_the_relay_takes_the_text_of_a_line_and_nothing_else() -> None:
    line = chunk({"content": "port"}).decode().strip()
    assert delta(line) == "port"
    assert [delta(each) for each in ("", "data: [DONE]", chunk(None).decode().strip())] == ["", "", ""]


def test_made_up_exchanges_differ_and_come_back() -> None:
    made = [exchange(number) for number in range(100)]
    assert len(set(made)) == 100
    assert made == [exchange(number) for number in range(100)]
    assert 230 < sum(map(len, made)) / 100 < 320
