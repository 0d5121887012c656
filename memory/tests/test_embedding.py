"""The embedder behind its door: the vectors it ships with, and those that are refused."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgesite.lib.embeddings import Bundled, EmbeddingFailedError
from forgesite.lib.vectors import BadVectorError, Vector, distance, packed, unit, unpacked
from forgesite.models import Account
from memory import embedding, store, vector_channel
from memory.domain import cutoff
from memory.domain.cutoff import State
from memory.domain.parts import parts
from memory.errors import EmbeddingError
from memory.models import Entry
from memory.recall import Query, recall
from memory.remember import Draft, remember
from memory.tests.entries import saved

GOLDEN = json.loads((Path(__file__).parent / "data" / "golden_vectors.json").read_text())
BAD = {
    "zero": [0.0] * 8,
    "nan": [float("nan")] * 8,
    "inf": [float("inf")] + [0.0] * 7,
    "empty": [],
    "none": None,
    "short": [1.0] * 7,
    "words": ["a"] * 8,
    "nested": [[1.0] * 8],
}


@pytest.fixture(scope="module")
def bundled() -> Bundled:
    return Bundled()


@pytest.mark.parametrize("row", GOLDEN, ids=[row["text"][:20] for row in GOLDEN])
def test_the_bundled_model_still_gives_the_same_vectors(bundled: Bundled, row: dict[str, object]) -> None:
    [vector] = bundled.embed_documents([str(row["text"])])
    assert np.abs(vector - np.array(row["vector"])).max() < 1e-4


def test_the_order_and_size_of_a_batch_change_no_vector(bundled: Bundled) -> None:
    texts = [str(row["text"]) for row in GOLDEN] * 9
    together = bundled.embed_documents(texts)
    assert len(together) == len(texts)
    assert distance(together[-1], bundled.embed_query(texts[-1])) < 1e-4


def test_half_a_pair_is_embedded_and_an_empty_text_refused(bundled: Bundled) -> None:
    assert bundled.embed_query("half \ud83d a pair").shape == (512,)
    with pytest.raises(EmbeddingFailedError):
        bundled.embed_documents(["The cat is called Mia", "  "])


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_a_bad_vector_is_refused_by_name(bad: object) -> None:
    with pytest.raises(BadVectorError, match="The embedder gave"):
        unit(bad, 8)  # type: ignore[arg-type]


@given(st.lists(st.floats(-1e6, 1e6), min_size=4, max_size=4).filter(lambda v: np.linalg.norm(v) > 1e-3))
def test_a_good_vector_has_unit_length_and_survives_storage(values: list[float]) -> None:
    vector = unit(values, 4)
    assert abs(float(np.linalg.norm(vector)) - 1) < 1e-5
    assert (unpacked(packed(vector)) == vector).all()


class Door:
    """An embedder of eight numbers that gives what it is told for a text that names it."""

    name, wrapper, dim = "eight", "", 8

    def __init__(self, bad: object = None) -> None:
        self.bad = bad

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        good = [np.eye(8, dtype="f4")[len(text) % 8] for text in texts]
        return [self.bad if "broken" in text else vector for text, vector in zip(texts, good, strict=True)]  # type: ignore[misc]

    def embed_query(self, text: str) -> Vector:
        return self.embed_documents([text])[0]


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_a_bad_vector_is_never_stored_and_a_bad_question_means_words(ana: Account, bad: object) -> None:
    remember(ana, Draft("The lamp is in the hall"), actor="person", cause="test", door=Door())
    with pytest.raises(EmbeddingError, match="The embedder gave"):
        remember(ana, Draft("The broken lamp is in the cellar"), actor="person", cause="test", door=Door(bad))
    answer = recall(ana, Query("Where is the broken lamp?"), door=Door(bad))
    assert ([row.channel for row in answer.rows], answer.degraded) == (["lexical"], "embedding")
    assert Entry.objects.count() == 1


class TooFew(Door):
    def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        return super().embed_documents(texts)[:-1]


def test_too_few_vectors_are_refused(ana: Account) -> None:
    with pytest.raises(EmbeddingError, match="0 vectors for 1 texts"):
        remember(ana, Draft("The lamp is in the hall"), actor="person", cause="test", door=TooFew())


def test_the_closest_part_counts(ana: Account, words_only: None) -> None:
    entry, other = saved(ana, "The lamp is in the hall"), saved(ana, "The key is under the mat")
    axes = np.eye(4, dtype="f4")
    vectors = [(axes[0], axes[1]), (unit([1, 1, 0, 0]),)]
    pairs = zip((entry, other), map(embedding.Embedded, vectors), strict=True)
    store.keep_vectors(list(pairs), "test")
    vector_channel.sync("test", 4)
    from memory.domain.scope import CURRENT, Scope

    near = vector_channel.nearest(axes[1], Scope(ana.pk), CURRENT, 2)
    assert [(row.id, round(row.distance, 4)) for row in near] == [(entry.pk, 0.0), (other.pk, 0.7654)]


def test_the_regime_names_wrapper_and_model() -> None:
    door = embedding.served()
    assert door is not None
    wrapper, model = embedding.regime(door).split(".")
    assert (wrapper, len(model)) == ("e3b0c4", 6)
    assert cutoff.wrapper_tag("Find: {}") != wrapper
    assert cutoff.parse(cutoff.BUNDLED, embedding.regime(door)).state is State.USED
    assert embedding.model_tag(Door().embed_documents(embedding.PROBES)) != model


def test_the_model_tag_does_not_hang_on_a_last_digit(bundled: Bundled) -> None:
    probes = bundled.embed_documents(embedding.PROBES)
    shaken = [unit(vector + np.float32(1e-5) * (-1) ** number) for number, vector in enumerate(probes)]
    assert embedding.model_tag(shaken) == embedding.model_tag(probes)


@pytest.mark.parametrize(
    ("text", "value", "state"),
    [
        ("", None, State.OFF),
        ("off", None, State.OFF),
        ("1.22", 1.22, State.UNTAGGED),
        ("1.22@e3b0c4", 1.22, State.USED),
        ("1.22@e3b0c4.aaaaaa", 1.22, State.USED),
        ("1.22@a5c47b", None, State.STALE),
        ("1.22@e3b0c4.bbbbbb", None, State.STALE),
    ],
)
def test_a_cutoff_is_used_only_in_its_regime(text: str, value: float | None, state: State) -> None:
    parsed = cutoff.parse(text, "e3b0c4.aaaaaa")
    assert (parsed.value, parsed.state) == (value, state)


def test_equality_stays() -> None:
    assert cutoff.admits(1.22, 1.22004)
    assert not cutoff.admits(1.22, 1.2201)
    assert cutoff.admits(None, 2.0)


@given(st.text(max_size=400), st.integers(1, 50))
def test_parts_lose_nothing_but_blanks(text: str, longest: int) -> None:
    cut = parts(text, longest, 10_000)
    assert all(0 < len(part) <= longest for part in cut.texts)
    assert "".join("".join(cut.texts).split()) == "".join(text.split())


def test_parts_end_at_lines_and_say_what_was_dropped() -> None:
    cut = parts("one line\nanother\n" + "x" * 25, 10, 3)
    assert cut.texts == ("one line\n", "another\n", "x" * 10)
    assert cut.dropped == 15
