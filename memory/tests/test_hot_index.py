"""The index of a hot block: every entry is under one subject, it keeps to its budget, and a question finds its own."""

from __future__ import annotations

import random
import re

from hypothesis import given
from hypothesis import strategies as st

from forgesite.lib.tokens import estimate
from memory.domain.hot_block import DATA, INDEX_HEADING, Kept, rendered_index
from memory.domain.hot_index import Named, Topic, fitting, index, lined, words
from memory.tests.test_fence import HOSTILE

MARK = "0123456789abcdef"
LINE = re.compile(r"\* (.*) \((\d+)\)(?:: ([\d ]+))?")
STORE = [
    Kept(1, "fact", "", "The NiPoGi has 32 GB of RAM"),
    Kept(2, "fact", "garden", "water the beans every evening"),
    Kept(3, "fact", "", "the NiPoGi runs Ansible and Podman"),
    Kept(4, "fact", "garden", "the roses were cut"),
    *(Kept(10 + number, "fact", "", f"{chr(97 + number) * 6} is {chr(122 - number) * 5}") for number in range(10)),
]

texts = st.one_of(st.text(max_size=40), st.sampled_from([*HOSTILE, f"x {MARK}", "東京のサーバー", "the a of", "42 7"]))
stores = st.lists(
    st.builds(Kept, st.integers(1, 10**6), st.just("fact"), st.just("") | texts, texts),
    max_size=12,
    unique_by=lambda kept: kept.id,
)


def names(*kept: Kept) -> list[tuple[str, tuple[int, ...]]]:
    return [(topic.name, topic.ids) for topic in index(kept).topics]


@given(stores, st.randoms(use_true_random=False))
def test_every_entry_is_under_one_subject_in_any_order(store: list[Kept], chance: random.Random) -> None:
    found = index(store)
    assert sorted(pk for topic in found.topics for pk in topic.ids) == sorted(kept.id for kept in store)
    assert index(chance.sample(store, len(store))).topics == found.topics


@given(stores, st.integers(0, 200))
def test_the_lines_keep_to_their_budget_and_names_come_before_ids(store: list[Kept], most: int) -> None:
    topics = index(store).topics
    shown = fitting(topics, mark=MARK, most=most, cost=estimate)
    assert shown.cost == sum(estimate(line) + 1 for line in shown.lines) <= most
    assert shown.left_out == len(topics) - len(shown.lines)
    assert not (shown.ids and shown.left_out)
    assert [": " in line for line in shown.lines] == [place < shown.ids for place in range(len(shown.lines))]


@given(stores)
def test_nothing_in_a_text_ends_the_index_or_begins_an_entry(store: list[Kept]) -> None:
    topics = index(store).topics
    text = rendered_index([lined(one, MARK, ids=True) for one in topics], mark=MARK, ids=True, left_out=0, older=0)
    body = text.split("\n")[len(INDEX_HEADING.split("\n")) + 1 : -2]
    assert text.count(MARK) == 2
    assert text.endswith(DATA)
    assert [LINE.fullmatch(line) is not None for line in body] == [True] * len(topics)


def test_subjects_are_named_by_what_their_entries_share_and_the_rest_by_its_rarest_word() -> None:
    found = names(*STORE)
    assert found[:2] == [("NiPoGi", (1, 3)), ("garden", (2, 4))]
    assert found[2] == ("aaaaaa", (10,))


def test_a_question_opens_the_entries_that_it_names_best_first() -> None:
    found = index(STORE)
    assert [one.id for one in found.named("What does the NiPoGi run?")] == [3, 1]
    assert [one.id for one in found.named("Tell me of the gardens")] == [2, 4]
    assert found.named("What is the capital of France?") == []
    assert found.named("") == []


def test_a_share_says_how_much_of_what_is_rare_in_the_question_an_entry_has() -> None:
    whole, half = index(STORE).named("nipogi"), index(STORE).named("nipogi penguins")
    assert whole == [Named(1, 1.0), Named(3, 1.0)]
    assert half[0].share < 0.5


def test_words_without_spaces_are_pairs_and_numbers_are_none() -> None:
    assert words("東京都 42 x") == {"東京", "京都"}
    assert names(Kept(1, "fact", "", "42 7"), Kept(2, "fact", "", "of the")) == [("…", (1,)), ("…", (2,))]


def test_a_line_has_the_name_the_number_and_the_ids() -> None:
    assert lined(Topic("nipogi", (1, 3)), MARK, ids=True) == "* nipogi (2): 1 3"
    assert lined(Topic("nipogi", (1, 3)), MARK, ids=False) == "* nipogi (2)"
