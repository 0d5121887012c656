from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgesite.lib.masking import FEW, gone, masked, masked_json, masked_prose

PORT = "the test server runs on port 8080"


def without(value: str, text: str = PORT) -> str:
    """Of a copy and of prose alike."""
    texts = gone([(312, text)])
    assert masked(value, texts) == masked_prose(value, texts)
    return masked(value, texts)


def test_a_quotation_becomes_a_mark_with_the_id() -> None:
    assert without(f"> {PORT} — #312 fact") == "> [forgotten #312] — #312 fact"


def test_a_text_that_is_not_quoted_stays_the_same() -> None:
    assert without("the test server is down") == "the test server is down"


def test_every_quotation_goes() -> None:
    assert without(f"{PORT}; {PORT}.") == "[forgotten #312]; [forgotten #312]."


def test_a_text_of_several_lines_is_found_behind_quotation_marks() -> None:
    assert without("> the NAS has\n> two disks", "the NAS has\n\ntwo disks") == "> [forgotten #312]"


def test_a_text_is_found_behind_markdown_escapes() -> None:
    assert without(r"> use \*\*bold\*\* here", "use **bold** here") == "> [forgotten #312]"


def test_a_clipped_quotation_is_found() -> None:
    assert without("Remember that the test server runs on po…") == "Remember that [forgotten #312]…"


@pytest.mark.parametrize("value", ["What does the…", "Where is the test server", "Where the test server runs on"])
def test_the_first_words_alone_are_no_quotation(value: str) -> None:
    assert without(value) == value


def test_a_field_that_cuts_without_a_mark_is_as_good_as_a_clipping() -> None:
    value = "x" * 100 + " the test server runs on po"
    texts = gone([(312, PORT)])
    assert masked(value, texts) == "x" * 100 + " [forgotten #312]"
    assert masked_prose(value, texts) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Kleinstadt has a cathedral since 1210", "at has a cathedral"),
        ("It listens on port 80805 today", "listens on port 8080"),
        ("the Japan idea", "an idea"),
    ],
)
def test_half_a_word_is_no_quotation(value: str, text: str) -> None:
    assert without(value, text) == value


def test_scripts_without_spaces_are_found_inside_a_sentence() -> None:
    assert without("彼は東京に住んでいますと言う", "東京に住んでいます") == "彼は[forgotten #312]と言う"


@pytest.mark.parametrize("value", ["You might buy milk on the way", "I am 12 km away", "私は東京が好き"])
def test_a_short_text_is_said_about_other_things_too(value: str) -> None:
    texts = gone([(312, "buy milk"), (313, "I am 12"), (314, "東京")])
    assert masked_prose(value, texts) == value
    assert masked(value, texts) != value


@pytest.mark.parametrize(
    ("value", "after"),
    [
        ("buy milk", "[forgotten #312]"),
        ("> buy milk — #312 todo", "> [forgotten #312] — #312 todo"),
        ("Saved:\n\n“buy milk”.", "Saved:\n\n“[forgotten #312]”."),
        ("#312 [todo/-] buy milk (distance=0.2)", "#312 [todo/-] [forgotten #312] (distance=0.2)"),
        ("I noted in #312 that you buy milk there", "I noted in #312 that you [forgotten #312] there"),
    ],
)
def test_a_short_text_that_stands_by_itself_or_beside_its_number_is_a_quotation(value: str, after: str) -> None:
    assert masked_prose(value, gone([(312, "buy milk")])) == after


def test_another_number_that_begins_with_it_is_not_its_number() -> None:
    assert masked_prose("I noted in #3120 that you buy milk", gone([(312, "buy milk")])).endswith("buy milk")


def test_each_text_has_its_own_number_and_the_longer_goes_first() -> None:
    texts = gone([(7, "the test server runs"), (312, PORT)])
    assert masked(f"{PORT}; the test server runs", texts) == "[forgotten #312]; [forgotten #7]"


def test_texts_inside_json_are_masked_and_the_rest_kept() -> None:
    detail: dict[str, Any] = {"entries": [{"id": 312, "preview": PORT}], "nearest": None, "at": (1, PORT)}
    assert masked_json(detail, gone([(312, PORT)])) == {
        "entries": [{"id": 312, "preview": "[forgotten #312]"}],
        "nearest": None,
        "at": (1, "[forgotten #312]"),
    }


WORD = st.sampled_from(["port", "8080", "the", "été", "東京", "C++", "a_b", "**bold**", "Mia,", "“so”", "—", "x" * 12])
WORDS = st.lists(WORD, min_size=1, max_size=6)


@given(st.lists(WORDS, min_size=1, max_size=5), st.lists(st.one_of(WORD, st.sampled_from(["\n>", "…"])), max_size=25))
def test_many_texts_are_masked_as_few_are(texts: list[list[str]], said: list[str]) -> None:
    pairs = [(number, " ".join(words)) for number, words in enumerate(texts)]
    many = [*pairs, *((number, f"the other one of number {number}") for number in range(100, 101 + FEW))]
    for value in (" ".join(said), "".join(said)):
        assert masked(value, gone(pairs)) == masked(value, gone(many))
        assert masked_prose(value, gone(pairs)) == masked_prose(value, gone(many))
