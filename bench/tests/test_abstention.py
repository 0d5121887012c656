"""What a turn gets for questions with and without an answer, counted by group and by threshold."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.conf import settings
from django.test import override_settings

from bench.abstention import Group, Seen, made, table
from bench.abstention_texts import CASES
from memory.domain.across import weighed_across
from memory.domain.nothing import Near, Sign, Subject

SUBJECT = Subject({"boat": 4.0, "aurora": 4.0}, {})


def seen(share: float, distance: float | None = None, *, got: bool) -> Seen:
    row = (Sign(deliberate=True, distance=distance), share)
    return Seen("Where is the Aurora?", (row,), Near(1.18, 1.11), SUBJECT, got)


def test_another_threshold_gives_another_answer() -> None:
    half = seen(0.5, 1.2, got=False)

    assert [half.nothing_at(0.47, 0.0), half.nothing_at(0.55, 0.0), half.nothing_at(0.55, 0.05)] == [False, True, False]


def test_what_stands_out_across_languages_tells_at_every_threshold_and_words_tell_as_much_later() -> None:
    half = seen(0.5, got=False)

    assert not replace(half, standing=True).nothing_at(0.7, -0.1)
    assert replace(half, about=weighed_across(SUBJECT)).nothing_at(0.43, 0.0)
    assert not replace(half, about=weighed_across(SUBJECT)).nothing_at(0.4, 0.0)


def test_both_sorts_of_error_have_their_column() -> None:
    groups = [
        Group("made, figure: answered", False, (seen(1.0, got=False), seen(0.2, got=True))),
        Group("made, figure: absent, near in topic", True, (seen(0.2, got=True),)),
    ]

    lines = [" ".join(line.split()) for line in table(groups)]

    assert "made, figure: answered 2 0.500 wrongly" in lines
    assert "0.47 +0.00 0.500 1.000 – –" in lines
    assert list(groups[0].wrong()) == ["Where is the Aurora?"]


@pytest.mark.django_db
def test_a_pair_is_asked_of_a_memory_that_holds_its_text() -> None:
    with override_settings(FORGE=settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "bundled"})):
        groups = list(made({language: all_of[:2] for language, all_of in CASES.items()}))

    counted = {group.name: (len(group.seen), group.share()) for group in groups}
    assert counted["made, figure: answered"] == (2, 0.0)
    assert counted["made, figure: absent, near in topic"] == (2, 1.0)
    assert counted["made, figure: absent, near in topic, in the other language"] == (2, 1.0)
    assert len(counted) == 12
