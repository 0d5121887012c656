"""The judge `model`: what it is sent, what it may answer, and what comes of anything else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import override_settings

from forgesite.models import Account
from forgesite.testing_models import MODEL, ScriptedModel, chunk, stream, weighed_stream
from retention import model_judge
from retention.domain.asking import FORM
from retention.domain.items import Item, Verdict
from retention.errors import JudgeError, OtherJudgeError
from retention.tests.judging import NOW, calls, counts, pair, single, will_choose, will_weigh

pytestmark = pytest.mark.django_db
SECRET = "The wifi password is birch-71"


def judged(owner: Account, *items: Item) -> list[Verdict]:
    return model_judge.connect(owner).judged(owner, items, NOW)


def failure(owner: Account, *items: Item) -> JudgeError:
    with pytest.raises(JudgeError) as raised:
        judged(owner, *items or (single(text=SECRET),))
    assert "birch-71" not in raised.value.message
    assert raised.value.message.endswith(f"[{raised.value.code}]")
    return raised.value


# -- asked and answered


def test_three_answers_are_three_votes(willing: Account, model: ScriptedModel) -> None:
    will_choose(model, 2, s0="archive", p0="conflict")
    will_choose(model, s0="archive", p0="keep_both")

    one, two = judged(willing, single(), pair())

    assert one.choice == "archive"
    assert one.probability == pytest.approx(4 / 5)
    assert two.choice == "conflict"
    assert two.probability == pytest.approx(3 / 7)
    assert counts(willing)[:3] == (0, 3, 21)


def test_it_asks_by_a_schema_and_for_weights_first(willing: Account, model: ScriptedModel) -> None:
    will_choose(model, 3, s0="keep")
    judged(willing, single(text=SECRET))

    first, *votes = [request.json for request in calls(model)]
    assert calls(model)[0].headers["authorization"] == "Bearer sk-judge"
    assert first["response_format"]["json_schema"]["schema"]["required"] == ["s0"]
    assert SECRET in first["messages"][1]["content"]
    assert (first["logprobs"], first["temperature"]) == (True, 0.0)
    assert all(vote["temperature"] > 0 and "logprobs" not in vote for vote in votes)


def test_a_server_that_weighs_its_tokens_is_asked_once(willing: Account, model: ScriptedModel) -> None:
    will_weigh(model, [('{"p0": "', {}), ("con", {"con": 0.9, "keep": 0.1}), ('flict"}', {})])

    [one] = judged(willing, pair())

    assert (one.choice, round(one.probability, 2)) == ("conflict", 0.9)
    assert (len(calls(model)), counts(willing)) == (1, (0, 1, 7, 3))


def test_the_name_is_that_of_the_model_that_answered_and_of_the_form(willing: Account, model: ScriptedModel) -> None:
    judge = model_judge.connect(willing)
    will_choose(model, 3, s0="keep")
    judge.judged(willing, [single()], NOW)

    assert judge.name == f"{MODEL}@{FORM}"


@pytest.mark.parametrize(
    ("said", "asked", "window", "name"),
    [
        ("gpt-3.5-turbo", "", 8192, MODEL),  # as llama.cpp calls any file where no name was asked for
        ("birch-7b", "birch-7b", 8192, MODEL),  # repeated
        ("birch-7b", "", 8192, "birch-7b"),
        ("birch-7b", "birch-7b", 0, "birch-7b"),  # one of many models: it has loaded none in particular
    ],
)
def test_a_name_that_only_repeats_the_question_is_not_the_model_s(
    willing: Account, model: ScriptedModel, said: str, asked: str, window: int, name: str
) -> None:
    model.window = window
    model.will_send(
        [
            piece.replace(MODEL.encode(), said.encode())
            for piece in weighed_stream([('{"s0": "keep"}', {'{"s0": "keep"}': 1.0})])
        ]
    )
    with override_settings(FORGE=settings.FORGE.model_copy(update={"JUDGE_MODEL": asked})):
        judge = model_judge.connect(willing)
    judge.judged(willing, [single()], NOW)

    assert judge.name == f"{name}@{FORM}"


def test_another_model_is_another_judge(willing: Account, model: ScriptedModel) -> None:
    judge = model_judge.connect(willing)
    judge.model = "scripted-0"
    will_choose(model, 3, s0="keep")

    with pytest.raises(OtherJudgeError) as raised:
        judge.judged(willing, [single()], NOW)
    assert raised.value.ends_pass


def test_without_an_address_of_its_own_it_is_the_chats_server(
    willing: Account, model: ScriptedModel, words_only: None
) -> None:
    with ScriptedModel() as chats:
        update = {"JUDGE_URL": "", "LLM_PROVIDER": "llamacpp", "LLM_URL": chats.url, "LLM_API_KEY": "sk-chat"}
        with override_settings(FORGE=settings.FORGE.model_copy(update=update)):
            will_choose(chats, 3, s0="keep")
            judged(willing, single())

    assert [request.headers["authorization"] for request in calls(chats)] == ["Bearer sk-chat"] * 3
    assert not model.requests


def test_no_server_is_no_judge_and_no_other_judges(willing: Account, model: ScriptedModel) -> None:
    with override_settings(FORGE=settings.FORGE.model_copy(update={"JUDGE_URL": ""})):
        error = failure(willing)
    assert (error.code, error.ends_pass) == ("no_server", True)


# -- answers that are none


Script = Callable[[ScriptedModel], None]
BROKEN: dict[str, tuple[Script, str, int]] = {
    "garbage": (lambda model: model.will_answer("Keep them all, please."), "garbled", 1),
    "truncated": (lambda model: model.will_answer('{"s0": "kee'), "garbled", 1),
    "cut": (lambda model: model.will_answer('{"s0": "keep"}', finish="length"), "cut", 1),
    "fenced": (lambda model: model.will_answer('```json\n{"s0": "archive"}\n```'), "garbled", 1),
    "of others": (lambda model: will_choose(model, s0="keep", s9="archive"), "garbled", 1),
    "429": (lambda model: model.will_fail(429, {"error": {"message": f"slow down: {SECRET}"}}), "rate_limited", 0),
    "500": (lambda model: model.will_fail(500, {"error": {"message": SECRET}}), "server_error", 1),
    "400": (lambda model: model.will_fail(400, {"error": {"message": "bad roles"}}), "refused", 0),
    "dropped": (lambda model: model.will_send(stream(['{"s0"'])[:2], end=False), "dropped", 1),
    "a page": (lambda model: model.will_fail(200, "<html><title>My router</title>"), "not_a_model", 0),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_an_answer_that_is_none_gives_no_verdict_and_says_why(
    willing: Account, model: ScriptedModel, broken: str
) -> None:
    script, code, spent = BROKEN[broken]
    script(model)
    script(model)  # once more without `stream_options`, where that may be what was refused

    error = failure(willing)

    assert error.code == code
    assert counts(willing)[:2] == (0, spent)


@pytest.mark.parametrize("message", ["unknown field response_format", "json_schema is not supported by this model"])
def test_a_server_without_structured_output_is_refused_by_name_and_never_asked_without(
    willing: Account, model: ScriptedModel, message: str
) -> None:
    model.will_fail(400, {"error": {"message": message}})

    error = failure(willing)

    assert (error.code, error.ends_pass) == ("no_schema", True)
    assert model.url in error.message
    assert (len(calls(model)), counts(willing)[:2]) == (1, (0, 0))


@pytest.mark.parametrize("every", [0.05, 0.0])
def test_a_server_that_drips_or_hangs_is_left_in_time(willing: Account, model: ScriptedModel, every: float) -> None:
    model.will_send(stream(["."] * 100), every=every) if every else model.will_hang()
    with override_settings(FORGE=settings.FORGE.model_copy(update={"LLM_TIMEOUT": 0.3})):
        error = failure(willing)

    assert error.code == "timeout"
    assert counts(willing)[:2] == (0, 1)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ('{"s0": "archive", "p0": "delete_all"}', "no_option"),
        ('{"s0": "archive", "p0": "supersede_by:s0n0"}', "no_option"),
        ('{"s0": "archive"}', "missing"),
        ('{"s0": "archive", "p0": "conflict", "p0": "conflict"}', "twice"),
    ],
)
def test_an_item_without_a_sensible_answer_is_told_and_the_others_are_judged(
    willing: Account, model: ScriptedModel, options: str, why: str
) -> None:
    model.will_answer(options)
    will_choose(model, 2, s0="archive")
    judge = model_judge.connect(willing)

    found = judge.judged(willing, [single(text=SECRET), pair()], NOW)

    assert [(one.item.ref, one.choice) for one in found] == [("s0", "archive")]
    [told] = judge.trouble
    assert told.endswith(f"[{why}]")
    assert "birch-71" not in told


def test_an_item_that_is_left_out_of_one_vote_has_no_verdict(willing: Account, model: ScriptedModel) -> None:
    will_choose(model, s0="keep", p0="conflict")
    will_choose(model, s0="keep")
    will_choose(model, s0="keep")

    assert [one.item.ref for one in judged(willing, single(), pair())] == ["s0"]


def test_weights_that_are_no_probabilities_are_told(willing: Account, model: ScriptedModel) -> None:
    odd = {"token": "con", "logprob": 0.7, "top_logprobs": [{"token": "con", "logprob": 0.7}]}
    plain = {"token": "", "logprob": 0.0}
    model.will_send(
        [
            chunk({"content": '{"p0": "'}, logprobs_of=plain | {"token": '{"p0": "'}),
            chunk({"content": "con"}, logprobs_of=odd),
            chunk({"content": 'flict"}'}, logprobs_of=plain | {"token": 'flict"}'}),
            chunk({}, finish="stop"),
            b"data: [DONE]\n\n",
        ]
    )
    judge = model_judge.connect(willing)

    assert judge.judged(willing, [pair()], NOW) == []
    assert judge.trouble[0].endswith("[probabilities]")
    assert len(calls(model)) == 1


def test_two_batches_in_a_row_that_fail_end_the_pass_and_one_does_not(willing: Account, model: ScriptedModel) -> None:
    judge, ends = model_judge.connect(willing), []
    for answer in ("garbage", None, "garbage", "garbage"):
        model.will_answer(answer) if answer else will_choose(model, 3, s0="keep")
        try:
            judge.judged(willing, [single()], NOW)
        except JudgeError as error:
            ends.append(error.ends_pass)

    assert ends == [False, False, True]


def test_what_does_not_fit_the_window_is_not_sent(willing: Account, model: ScriptedModel) -> None:
    model.window = 700

    assert failure(willing).code == "too_long"
    assert not calls(model)


@pytest.mark.parametrize(("window", "most"), [(8192, 440), (32_768, 4440)])
def test_a_model_may_think_first_where_its_window_has_room(
    willing: Account, model: ScriptedModel, window: int, most: int
) -> None:
    model.window = window
    will_choose(model, 3, s0="keep")
    judged(willing, single())

    assert calls(model)[0].json["max_tokens"] == most


@pytest.mark.parametrize(("told", "window"), [(32_768, 6000), (4096, 4096)])
def test_the_chat_s_server_reads_no_more_than_it_says_whatever_is_set(
    willing: Account, model: ScriptedModel, told: int, window: int
) -> None:
    model.window = 6000
    update = {"JUDGE_URL": "", "LLM_PROVIDER": "llamacpp", "LLM_URL": model.url, "LLM_CONTEXT": told}
    with override_settings(FORGE=settings.FORGE.model_copy(update=update)):
        assert model_judge.connect(willing).window == window


def test_what_speaks_at_its_address_says_its_window_itself(willing: Account, model: ScriptedModel) -> None:
    model.window = 6000

    judge = model_judge.connect(willing)

    assert (judge.window, judge.door.provider) == (6000, "llamacpp")
