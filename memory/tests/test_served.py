"""An embedding server in use: parts, instruction, cutoff, and another model behind the same address."""

from __future__ import annotations

import pytest

from forgesite.models import Account
from forgesite.testing_embedders import digest_vector, served_by
from memory import embedding, jobs, reembed, vector_channel
from memory.errors import EmbeddingError
from memory.health import embedding_health, start_line
from memory.models import Vector
from memory.recall import Query, recall
from memory.regime import pending
from memory.remember import Draft, remember_many
from memory.tests.embedding_service import (
    BICYCLE,
    LADDER,
    Service,
    served_door,
)
from memory.tests.entries import found, saved

pytestmark = pytest.mark.django_db(transaction=True)


def test_after_an_outage_the_model_may_be_another_and_is_asked_who_it_is(ana: Account, service: Service) -> None:
    saved(ana, BICYCLE)
    service.goes("refuse")
    with pytest.raises(EmbeddingError):
        recall(ana, Query("bicycle", explicit=True))
    service.comes_back(dim=12)
    assert "0 of 1 entries are re-embedded" in recall(ana, Query("bicycle", explicit=True)).notices[0]
    door = embedding.served()
    assert door is not None
    assert (door.dim, Vector.objects.get().dim, pending.count()) == (12, 8, 1)
    jobs.embed_pending(asked=True)
    assert (Vector.objects.get().dim, pending.count()) == (12, 0)
    assert recall(ana, Query("bicycle", explicit=True)).degraded == ""


def test_what_is_too_large_for_the_model_is_cut_smaller(ana: Account, service: Service) -> None:
    service.server.longest = 650
    entry = saved(ana, "\n".join(f"line {number} is about the bicycle" for number in range(40)))
    assert entry.vectors.count() >= 3
    assert recall(ana, Query("x" * 1400, policy="vector", explicit=True)).notices == (
        "The first 350 characters were searched by meaning.",
    )


def test_what_fits_in_no_way_is_refused_alone_and_waits_in_a_batch(ana: Account, service: Service) -> None:
    service.server.longest = 65
    with pytest.raises(EmbeddingError, match=r"too large .* Nothing was stored"):
        saved(ana, "x " * 700)
    batch = remember_many(ana, [Draft(BICYCLE), Draft("x " * 700), Draft(LADDER)], actor="import", cause="test")
    assert (len(batch.waiting), Vector.objects.count(), pending.count()) == (1, 2, 1)
    before = len(service.server.requests)
    jobs.embed_pending(asked=True)
    jobs.embed_pending(asked=True)
    assert (len(service.server.requests) - before < 10, pending.some_due()) == (True, False)


def test_the_parts_of_a_text_go_in_one_request_and_the_closest_one_counts(ana: Account, service: Service) -> None:
    parts = [f"{word} " * 170 for word in ("bicycle", "ladder", "freezer")]
    service.server.vector = lambda text, dim: digest_vector(text.strip(), dim)
    saved(ana, "\n".join(parts))
    assert [len(texts) for texts in service.server.asked] == [3, len(embedding.PROBES)]
    [row] = recall(ana, Query(service.server.asked[0][1], policy="vector", explicit=True)).rows
    assert row.distance == 0.0


def test_a_question_alone_is_sent_with_the_instruction(ana: Account, service: Service) -> None:
    with served_by(service.server, EMBEDDING_QUERY_INSTRUCT="Find facts"):
        saved(ana, BICYCLE)
        recall(ana, Query("Where is the bicycle?", explicit=True))
        wrapper = embedding.regime(served_door()).split(".")[0]
    asked = [texts for texts in service.server.asked if texts != [*embedding.PROBES]]
    assert asked == [[BICYCLE], ["Instruct: Find facts\nQuery: Where is the bicycle?"]]
    assert wrapper != "e3b0c4"
    assert embedding.regime(served_door()).startswith("e3b0c4.")


def test_a_cutoff_counts_only_with_the_tag_of_what_is_served(ana: Account, service: Service) -> None:
    saved(ana, BICYCLE)
    assert embedding_health().cutoff is None
    tag = embedding_health().regime
    with served_by(service.server, RECALL_MAX_DISTANCE=f"0.5@{tag}"):
        assert embedding_health().cutoff == f"0.5@{tag}"
    with served_by(service.server, RECALL_MAX_DISTANCE="0.5@a5c47b"):
        assert embedding_health().cutoff is None


def test_each_state_of_a_cutoff_is_said_at_the_start_and_in_health(ana: Account, service: Service) -> None:
    saved(ana, BICYCLE)
    tag = embedding_health().regime
    said = {
        "": ("off", "", "no cutoff"),
        "0.5": ("untagged", f"write 0.5@{tag}", "cutoff 0.5"),
        f"0.5@{tag[:6]}": ("used", "", f"cutoff 0.5@{tag[:6]}"),
        "0.5@a5c47b": ("stale", f"is OFF: it was measured in another regime than {tag}", "no cutoff"),
    }
    for cutoff, (state, note, line) in said.items():
        with served_by(service.server, RECALL_MAX_DISTANCE=cutoff):
            health, [first, *warnings] = embedding_health(), start_line().splitlines()
            assert (health.cutoff_state, note in health.cutoff_note, line in first) == (state, True, True)
            assert bool(warnings) == bool(note)
            assert note in " ".join(warnings)


def test_the_bundled_cutoff_is_named_as_measured_elsewhere(ana: Account, service: Service) -> None:
    with served_by(service.server, EMBEDDING_PROVIDER="bundled"):
        note = "was measured on a public set and not on your store"
        assert (note in embedding_health().cutoff_note, note[4:] in start_line()) == (True, True)
    with served_by(service.server, EMBEDDING_PROVIDER="bundled", RECALL_MAX_DISTANCE="1.1@a5c47b"):
        assert "WARNING: The cutoff 1.1@a5c47b is OFF" in start_line()
    with served_by(service.server, EMBEDDING_PROVIDER="bundled", EMBEDDING_QUERY_INSTRUCT="Find facts"):
        assert "is OFF" in start_line()


def test_one_door_a_process_and_another_when_the_settings_change(service: Service) -> None:
    first = embedding.served()
    assert embedding.served() is first
    with served_by(service.server, EMBEDDING_MODEL="another"):
        assert embedding.served() is not first


def test_a_model_that_another_process_saw_change_is_asked_for_and_not_fought_over(
    ana: Account, service: Service
) -> None:
    saved(ana, BICYCLE)
    found(ana, "bicycle")
    old = embedding.regime(served_door())
    service.server.vector = lambda text, dim: digest_vector(f"another model: {text}", dim)
    embedding._asked_at.clear()
    with served_by(service.server, EMBEDDING_MODEL="as another process asks for it"):
        reembed.reembed(served_door())
    assert embedding.known_regime(served_door()) == old
    assert recall(ana, Query(BICYCLE, policy="vector", explicit=True)).rows[0].distance == 0.0
    assert (vector_channel.made_for(), pending.count()) == ((embedding.regime(served_door()), 8), 0)
