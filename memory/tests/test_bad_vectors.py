"""A vector that is none is refused before it is stored, and never ranked (B4)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from django.db import connection

from chat.embedding_ahead import Ahead
from forgesite.lib.vectors import BadVectorError, Vector, unit
from forgesite.models import Account
from forgesite.testing_embedders import ScriptedEmbedder
from memory import embedding, jobs, vector_channel
from memory.errors import BadAnswerError, EmbeddingError
from memory.models import Entry
from memory.models import Vector as Row
from memory.recall import Query, recall
from memory.regime import pending
from memory.remember import Draft, remember, remember_many
from memory.tests.entries import found, saved

TEXTS = [f"The {thing} stands in the cellar" for thing in ("bicycle", "ladder", "poison", "freezer", "boiler")]
BAD: dict[str, Any] = {
    "zero": [0.0] * 8,
    "nan": [float("nan")] * 8,
    "inf": [float("inf")] + [0.0] * 7,
    "null": None,
    "empty": [],
    "short": [1.0] * 7,
    "a null in it": [None] * 8,
    "words": ["a"] * 8,
}
every_bad = pytest.mark.parametrize("bad", BAD.values(), ids=BAD)


def drafts() -> list[Draft]:
    return [Draft(text) for text in TEXTS]


@every_bad
def test_one_bad_vector_of_five_stores_nothing(ana: Account, embedder: ScriptedEmbedder, bad: Any) -> None:
    embedder.bad["poison"] = bad
    with pytest.raises(EmbeddingError, match=r"The embedder gave .* Nothing was stored\."):
        remember_many(ana, drafts(), actor="import", cause="test")
    with pytest.raises(BadAnswerError):
        saved(ana, TEXTS[2])
    assert (Entry.objects.count(), Row.objects.count()) == (0, 0)
    assert [saved(ana, text).pk for text in TEXTS if "poison" not in text]


@every_bad
def test_kept_to_wait_one_bad_vector_holds_up_no_other(
    ana: Account, embedder: ScriptedEmbedder, queued: None, bad: Any
) -> None:
    embedder.bad["poison"] = bad
    assert len(remember_many(ana, drafts(), actor="import", cause="test").waiting) == 5
    assert jobs.embed_pending(asked=True) == 5
    [entry] = [entry for entry in Entry.objects.all() if not entry.vectors.exists()]
    assert ("poison" in entry.text, pending.count()) == (True, 1)
    assert (vector_channel.why_pending(entry.pk) or "").startswith("The embedder gave ")
    assert found(ana, "poison") == [entry.text]


@every_bad
def test_a_bad_one_is_tried_again_until_it_is_good(
    ana: Account, embedder: ScriptedEmbedder, queued: None, bad: Any
) -> None:
    embedder.bad["poison"] = bad
    remember_many(ana, drafts(), actor="import", cause="test")
    jobs.embed_pending(asked=True)
    embedder.bad.clear()
    a_while_later()
    jobs.embed_pending(asked=True)
    assert (pending.count(), Row.objects.count()) == (0, 5)
    [row] = recall(ana, Query(TEXTS[2], policy="vector", top_k=1)).rows
    assert (row.entry.text, row.distance) == (TEXTS[2], 0.0)


def a_while_later() -> None:
    """As if the time until the next try had passed."""
    with connection.cursor() as cursor:
        cursor.execute("UPDATE memory_vec_pending SET retry_at = 0")


def test_a_new_text_is_a_new_try(ana: Account, embedder: ScriptedEmbedder, queued: None) -> None:
    embedder.bad["poison"] = None
    entry = saved(ana, TEXTS[2])
    jobs.embed_pending(asked=True)
    assert not pending.some_due()
    Entry.objects.filter(pk=entry.pk).update(text="The sweets stand in the cellar")
    assert (pending.some_due(), vector_channel.why_pending(entry.pk)) == (True, "")
    jobs.embed_pending(asked=True)
    assert pending.count() == 0


@every_bad
def test_a_bad_question_goes_by_words_and_says_so(ana: Account, embedder: ScriptedEmbedder, bad: Any) -> None:
    saved(ana, "The bicycle stands in the cellar")
    embedder.bad["Where"] = bad
    answer = recall(ana, Query("Where is the bicycle?", explicit=True))
    assert [(row.channel, row.distance) for row in answer.rows] == [("lexical", None)]
    assert (answer.degraded, "Only words were searched" in answer.notices[0]) == ("embedding", True)


@every_bad
def test_a_bad_vector_is_never_kept_for_later(db: None, embedder: ScriptedEmbedder, bad: Any) -> None:
    door = embedding.served()
    assert door is not None
    ahead = Ahead(door)
    embedder.bad["poison"] = bad
    with pytest.raises(EmbeddingError):
        ahead.prepare(TEXTS)
    embedder.bad.clear()
    ahead.prepare(TEXTS)
    assert len(ahead.embed_documents(TEXTS)) == 5


def test_a_vector_of_another_length_is_refused_with_both_numbers(ana: Account, embedder: ScriptedEmbedder) -> None:
    saved(ana, "The bicycle stands in the cellar")
    embedder.bad["ladder"] = [1.0] * 7
    with pytest.raises(EmbeddingError, match="7 numbers where 8 were expected"):
        saved(ana, "The ladder stands in the cellar")


def test_a_vector_without_a_distance_is_in_no_result(ana: Account, embedder: ScriptedEmbedder) -> None:
    entry = saved(ana, "The bicycle stands in the cellar")
    saved(ana, "The ladder stands in the cellar")
    found(ana, "bicycle")
    spoil(entry)
    rows = recall(ana, Query("something else", policy="vector", top_k=50)).rows
    assert [row.entry.text for row in rows] == ["The ladder stands in the cellar"]


def spoil(entry: Entry) -> None:
    """A NaN vector, as only another program could have written it."""
    Row.objects.filter(entry=entry).update(vector=np.full(8, np.nan, dtype="<f4").tobytes())


@pytest.mark.parametrize("bad", [["a"] * 8, [None] * 8, [[1.0] * 8], [1e308 * 10] * 8])
def test_what_is_no_list_of_numbers_is_no_vector(bad: Any) -> None:
    with pytest.raises(BadVectorError):
        unit(bad, 8)


def test_a_good_vector_is_brought_to_unit_length() -> None:
    vector: Vector = unit([3.0, 4.0], 2)
    assert vector.tolist() == pytest.approx([0.6, 0.8])


def test_remember_alone_says_what_was_wrong(ana: Account, embedder: ScriptedEmbedder) -> None:
    embedder.bad["poison"] = [0.0] * 8
    with pytest.raises(EmbeddingError, match="length zero"):
        remember(ana, Draft(TEXTS[2]), actor="person", cause="test")
