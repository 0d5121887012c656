"""What looks alike by its words, and of two that do, whether they say the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain import alike
from memory.domain.words import indexed


def words(text: str) -> frozenset[str]:
    return alike.content(indexed(text).split())


def reason(one: str, other: str) -> str | None:
    """Asked either way round, with the same answer."""
    both = [alike.reason(a, b, (words(a), words(b))) for a, b in ((one, other), (other, one))]
    assert both[0] == both[1]
    return both[0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("J'habite à Lyon", "J’habite maintenant à Lyon"),
        ("Le NiPoGi a 32 Go de RAM", "Le NiPoGi possède 32 Go de RAM."),
        ("The choir meets on Tuesdays at the church", "The choir meets at the church on Tuesdays"),
        ("我住在东京", "我现在住在东京"),
        ("東京に住んでいる", "東京に住んでいます"),
        ("커피를 좋아해요", "커피를 정말 좋아해요"),
        ("ข้าวผัดอร่อยมาก", "ข้าวผัดนี้อร่อยมาก"),
    ],
)
def test_these_say_nearly_the_same(one: str, other: str) -> None:
    assert reason(one, other) is None
    assert alike.shared(words(one), words(other)) >= alike.SHARE


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("Ana eats meat on Sundays", "Ana does not eat meat on Sundays", "negation"),
        ("Ana eats meat on Sundays", "Ana doesn't eat meat on Sundays", "negation"),
        ("Je mange de la viande", "Je ne mange pas de viande", "negation"),
        ("He likes tea, not coffee", "He likes coffee, not tea", "negation"),
        ("我住在东京", "我不住在东京", "negation"),
        ("東京が好きです", "東京が好きじゃない", "negation"),
        ("ข้าวผัดอร่อยมาก", "ข้าวผัดไม่อร่อยมาก", "negation"),
        ("The test server runs on port 8000", "The test server runs on port 8080", "numbers"),
        ("We have two cats at home", "We have three cats at home", "numbers"),
        ("我有三只猫", "我有四只猫", "numbers"),
        ("The shelf is ３ metres wide", "The shelf is 3 metres wide", None),
        ("I used to live in Lyon near the park", "I live in Lyon near the park", "sense"),
        ("Ana pays the rent to Ben", "Ben pays the rent to Ana", "order"),
        ("Anna lives in Lyon since spring", "Ben lives in Lyon since spring", "names"),
        ("I drink green tea at breakfast", "I drink black tea at breakfast", "words"),
    ],
)
def test_what_tells_two_of_the_same_words_apart(one: str, other: str, why: str | None) -> None:
    assert reason(one, other) == why


TOKENS = st.frozensets(st.sampled_from("abcdefghijkl"), max_size=8)


@given(st.dictionaries(st.integers(1, 30), TOKENS, max_size=20))
def test_every_pair_that_shares_enough_is_found_once(rows: dict[int, frozenset[str]]) -> None:
    found = [tuple(sorted(pair)) for pair in alike.alike(rows)]

    kept = {pk: some for pk, some in rows.items() if len(some) >= alike.LEAST}
    expected = {
        (one, other)
        for one in kept
        for other in kept
        if one < other and alike.shared(kept[one], kept[other]) >= alike.SHARE
    }
    assert len(found) == len(set(found))
    assert set(found) == expected
    assert not alike.crowded(rows)


def test_a_store_of_one_form_is_not_compared_for_ever() -> None:
    rows = {n: words(f"Server {n} stands on shelf {n}") for n in range(2000)}

    assert alike.crowded(rows)
    assert sum(1 for _pair in alike.alike(rows)) <= 2000 * 4 * alike.HOLDERS
