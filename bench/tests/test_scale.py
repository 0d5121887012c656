"""Texts and vectors of a large memory, and the ways to scan it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from django.conf import settings
from django.test import override_settings

from bench.scale import BATCH, REAL, Quick, numbers
from bench.scale_forms import forms
from bench.scale_texts import drawn, exchange, question
from forgesite.models import Account
from memory.domain.function_words import FUNCTION_WORDS
from memory.recall import Query, recall
from memory.remember import Draft, remember_many


def test_a_few_words_are_everywhere_and_most_in_few_texts() -> None:
    held = Counter(word for number in range(500) for word in set(drawn(number, 46)))

    assert held["the"] > 400
    assert sum(count <= 2 for count in held.values()) > len(held) / 2
    assert 240 < sum(len(exchange(number)) for number in range(50)) / 50 < 320


def test_a_question_is_made_of_what_its_exchange_says() -> None:
    asked = question(7).removeprefix("What did we say about ").rstrip("?").split()

    assert asked
    assert not set(asked) & FUNCTION_WORDS
    assert set(asked) <= set(drawn(7, 46))


def test_vectors_past_the_first_are_made_up_at_unit_length() -> None:
    door = Quick()
    door.known += [*np.eye(2, door.dim, dtype=np.float32)] * (REAL // 2)

    made = door.embed_documents(["Some text."] * (BATCH // 2))

    assert np.linalg.norm(made, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert len({vector.tobytes() for vector in made}) == len(made)


def test_questions_are_of_exchanges_from_all_over_the_memory() -> None:
    assert numbers(1000, 4) == [0, 250, 500, 750]


@pytest.mark.django_db
def test_what_measures_every_vector_finds_all_of_the_nearest(ana: Account) -> None:
    with override_settings(FORGE=settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "bundled"})):
        drafts = [Draft(exchange(number), kind="exchange", origin="import") for number in range(80)]
        remember_many(ana, drafts, actor="bench", cause="bench")
        recall(ana, Query(question(3)))  # brings the index up to date
        found = {form.name: form.found for form in forms(ana.pk, [question(3)])}

    assert found == dict.fromkeys(found, 1.0)
    assert [*found][:2] == ["vec0", "exact"]
