"""Probabilities of options, from weights of tokens or from votes."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgesite.lib.language_models import Token
from retention.domain.items import BadVerdictError
from retention.domain.probabilities import LEAST, counted, weighed
from retention.tests.judging import pair, single

TWO = single("s0", "The wifi password is birch-71", "The wifi password is otter-28", "It is heron-86 now")


def token(text: str, **likely: float) -> Token:
    return Token(text, tuple((other, math.log(share)) for other, share in (likely or {text: 1.0}).items()))


def tokens(*said: Token) -> tuple[str, tuple[Token, ...]]:
    return "".join(one.text for one in said).strip(), said


def test_three_votes_that_agree_are_not_certain() -> None:
    sure, torn = counted(pair(), ["conflict"] * 3), counted(pair(), ["conflict", "keep_both", "keep_both"])

    assert sure.choice == "conflict"
    assert sure.probability == pytest.approx(4 / 7)
    assert torn.choice == "keep_both"
    assert torn.probability == pytest.approx(3 / 7)
    assert sum(sure.probabilities.values()) == pytest.approx(1)
    assert all(share > 0 for share in sure.probabilities.values())


def test_the_first_token_of_an_option_tells_it_from_the_others() -> None:
    reply, said = tokens(token('{"p0": "'), token("con", con=0.6, keep=0.3, sup=0.1), token('flict"}'))

    found = weighed(pair(), reply, said)

    assert found
    assert (found.choice, round(found.probability, 2)) == ("conflict", 0.6)
    assert round(found.probabilities["keep_both"], 2) == 0.3
    assert found.probabilities["archive_older"] == pytest.approx(LEAST, rel=0.01)


def test_what_is_told_of_no_option_may_be_of_any() -> None:
    reply, said = tokens(token('{"p0": "'), token("con", con=0.6, The=0.4), token('flict"}'))

    found = weighed(pair(), reply, said)

    assert found
    assert [round(share, 2) for share in found.probabilities.values()] == [0.1, 0.1, 0.1, 0.7]


def test_options_that_begin_alike_are_told_where_they_part() -> None:
    reply, said = tokens(
        token('{"s0": "'),
        token("super", super=0.8, archive=0.2),
        token("sede_by:s0n"),
        token("1", **{"1": 0.75, "0": 0.25}),
        token('"}'),
    )

    found = weighed(TWO, reply, said)

    assert found
    assert found.choice == "supersede_by:s0n1"
    shares = [round(found.probabilities[option], 2) for option in TWO.options]
    assert shares == [0.0, 0.2, 0.2, 0.6]


def test_what_was_not_written_is_shared_by_those_that_begin_so() -> None:
    reply, said = tokens(token('{"s0":'), token(' "keep', **{' "keep': 0.6, ' "sup': 0.4, "\n": 0.0001}), token('"}'))

    found = weighed(TWO, reply, said)

    assert found
    assert [round(found.probabilities[option], 2) for option in TWO.options] == [0.6, 0.0, 0.2, 0.2]


def test_a_letter_that_only_the_schema_made_an_option_of_tells_nothing() -> None:
    """As a real model of 270 million weights wrote `archive_older`, of which it had meant the `a` at the most."""
    begun = (token('{"p0": "'), token("a", a=0.51, s=0.04, c=0.02), token("rc", rc=0.34, irc=0.22))
    reply, said = tokens(*begun, token("hive"), token("_", **{'",': 0.95, "_": 0.003}), token('older"}'))

    assert weighed(pair(), reply, said) is None


def test_an_option_is_told_by_its_first_letter_where_all_that_follows_is_meant() -> None:
    begun = (token('{"p0": "'), token("a", a=0.7, k=0.2, s=0.1), token("rc", rc=0.9, d=0.1))
    reply, said = tokens(*begun, token("hive"), token("_", **{"_": 0.8, '",': 0.2}), token('older"}'))

    found = weighed(pair(), reply, said)

    assert found
    assert [round(share, 2) for share in found.probabilities.values()] == [0.2, 0.7, 0.1, 0.0]


def test_tokens_of_what_the_model_thought_first_are_passed_over() -> None:
    thought = (token('<think>{"p0": "'), token("keep", keep=0.9, con=0.1), token("</think>\n"))
    _reply, said = tokens(*thought, token('{"p0": "'), token("con", con=0.7, keep=0.3), token('flict"}'))

    found = weighed(pair(), '{"p0": "conflict"}', said)

    assert found
    assert found.probabilities["conflict"] == pytest.approx(0.7, abs=0.01)


def test_weights_of_something_else_tell_nothing() -> None:
    reply, said = tokens(token('{"p0": "'), token("con", con=0.2, Well=0.8), token('flict"}'))

    assert weighed(pair(), reply, said) is None
    assert weighed(pair(), '{"p0": "conflict"}', ()) is None
    assert weighed(pair("p9"), reply, said) is None


@pytest.mark.parametrize("weights", [(0.5,), (math.nan,), (-0.1, -0.2)])
def test_weights_that_are_no_probabilities_are_refused(weights: tuple[float, ...]) -> None:
    likely = tuple(zip(("con", "keep"), weights, strict=False))
    said = (token('{"p0": "'), Token("con", likely), token('flict"}'))

    with pytest.raises(BadVerdictError):
        weighed(pair(), '{"p0": "conflict"}', said)


@given(
    place=st.integers(0, 3),
    cuts=st.sets(st.integers(1, 30), max_size=8),
    sure=st.floats(0.5, 1.0),
)
def test_however_an_option_is_cut_into_tokens_all_add_up_to_one(place: int, cuts: set[int], sure: float) -> None:
    option = TWO.options[place]
    reply = json_of(option)
    ends = sorted({cut for cut in cuts if cut < len(reply)} | {len(reply)})
    pieces = [reply[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]
    said = [Token(piece, ((piece, math.log(sure)), ("\x00", math.log(max(1e-9, 1 - sure))))) for piece in pieces]

    found = weighed(TWO, reply, said)

    assert found
    assert found.choice == option
    assert sum(found.probabilities.values()) == pytest.approx(1)


def json_of(option: str) -> str:
    return f'{{"s0": "{option}"}}'
