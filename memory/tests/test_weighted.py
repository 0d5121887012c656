"""The order `weighted`: fixed weights of meaning and words, less the older a row is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import override_settings
from django.utils import timezone

from forgesite.models import Account
from memory.domain.union import Budgets, Found
from memory.domain.weighted import Known, Weights, weighted
from memory.recall import Query, Recalled, recall
from memory.tests.entries import saved
from memory.tests.test_recall import _with

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
EVERYTHING, AS_SET = Budgets(64, 64), Weights()


def asked(owner: Account, text: str, as_of: str = "") -> Recalled:
    return recall(owner, Query(text, policy="weighted", as_of=as_of))


def weighed(known: Known, weights: Weights = AS_SET) -> list[tuple[int, float]]:
    near = [Found(1, 0, 0.8, None), Found(2, 0, 1.0, None), Found(4, 0, 1.3, None)]
    told = [Found(2, 0, None, 9.0), Found(3, 0, None, 5.0)]
    rows = weighted(near, told, cutoff=1.22, budgets=EVERYTHING, weights=weights, known=known).shown
    return [(row.found.id, round(row.found.score or 0.0, 3)) for row in rows]


def test_weighted_adds_cosine_and_share_and_halves_with_age() -> None:
    shares = {2: 0.5, 3: 1.0}
    assert weighed(Known({}, shares)) == [(2, 0.5), (1, 0.476), (3, 0.3)]
    assert weighed(Known({2: 7.0}, shares)) == [(1, 0.476), (3, 0.3), (2, 0.25)]
    assert weighed(Known({}, shares), Weights(0.0, 1.0)) == [(3, 1.0), (2, 0.5), (1, 0.0)]


@pytest.mark.parametrize("at", ["", "now"])
def test_weighted_goes_by_the_date_of_the_event(ana: Account, words_only: None, at: str) -> None:
    now = timezone.now()
    old = saved(ana, "the pump was repaired", kind="event", event_at=now - timedelta(days=70), said_at=now)
    new = saved(ana, "the pump was cleaned", kind="event", event_at=now - timedelta(days=1), said_at=LONG_AGO)
    with override_settings(FORGE=_with(EMBEDDING_PROVIDER="none", RECALL_LEXICAL_MAX_DF=1.0)):
        answer = asked(ana, "pump", as_of=timezone.now().isoformat() if at else "")
    assert [row.entry for row in answer.rows] == [new, old]
    assert (answer.rows[1].score or 0) < 0.01 < (answer.rows[0].score or 0)


def test_a_weight_of_0_turns_its_channel_off(ana: Account) -> None:
    saved(ana, "The test server runs on port 8080")
    with override_settings(FORGE=_with(VECTOR_WEIGHT=0.0)):
        answer = asked(ana, "which port")
        assert (list(answer.candidates), answer.regime, answer.degraded) == (["lexical"], "", "")
    with override_settings(FORGE=_with(KEYWORD_WEIGHT=0.0)):
        answer = asked(ana, "which port")
        assert list(answer.candidates) == ["vector"]
