"""The embedding server is gone, hangs or breaks off, and comes back: nothing is lost and nothing is double (B9)."""

from __future__ import annotations

import time
from zoneinfo import ZoneInfo

import pytest
from django.core.cache import cache
from django.utils import timezone
from django_q.models import OrmQ
from pytest_django import Settings

from forgesite.models import Account
from forgesite.tests.web import Web, by_token, nobody
from memory import jobs, vector_channel
from memory.errors import EmbeddingError
from memory.health import embedding_health
from memory.models import Commit, Entry, Refusal, Rule, Vector
from memory.recall import Query, recall
from memory.refuse import refuse, save_anyway
from memory.regime import pending
from memory.remember import Draft, remember, remember_many
from memory.revise import Changes, revise
from memory.tests.embedding_service import (
    BICYCLE,
    LADDER,
    Service,
    a_while_later,
    every_way,
    outage_of_the_day,
    served_door,
    until_it_may_ask,
)
from memory.tests.entries import found, saved

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def web(ana: Account, service: Service) -> Web:
    cache.clear()
    return by_token(ana)


@every_way
def test_by_default_a_write_is_refused_and_nothing_is_stored(web: Web, service: Service, how: str) -> None:
    service.goes(how)
    answer = web.ask("POST", "/remember", {"content": BICYCLE})
    assert (answer.status_code, answer.json()["error"]["code"]) == (502, "embedding")
    assert service.server.url in answer.json()["error"]["message"]
    assert "Nothing was stored" in answer.json()["error"]["message"]
    assert (Entry.objects.count(), Commit.objects.count()) == (0, 0)
    service.comes_back()
    again = web.ask("POST", "/remember", {"content": BICYCLE})
    assert (again.status_code, again.json()["indexed"], Vector.objects.count()) == (200, True, 1)


@every_way
@pytest.mark.parametrize("queued", [False, True])
def test_an_explicit_search_fails_with_it_and_one_by_words_never_needs_it(
    web: Web, ana: Account, service: Service, settings: Settings, how: str, queued: bool
) -> None:
    saved(ana, BICYCLE)
    settings.FORGE = settings.FORGE.model_copy(update={"EMBEDDING_OUTAGE": "queue" if queued else "refuse"})
    service.goes(how)
    answers = web.ask("GET", "/search?q=bicycle"), web.ask("POST", "/search", {"q": "bicycle"})
    assert [(answer.status_code, answer.json()["error"]["code"]) for answer in answers] == [(502, "embedding")] * 2
    assert "stored" not in answers[0].json()["error"]["message"]
    [row] = web.ask("GET", "/search?q=bicycle&policy=lexical").json()
    assert (row["channel"], row["distance"]) == ("lexical", None)


def test_without_an_embedder_a_search_goes_by_words(web: Web, ana: Account, settings: Settings) -> None:
    settings.FORGE = settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "none"})
    saved = web.ask("POST", "/remember", {"content": BICYCLE})
    assert (saved.status_code, saved.json()["indexed"]) == (200, True)
    assert [row["channel"] for row in web.ask("GET", "/search?q=bicycle").json()] == ["lexical"]


@every_way
@pytest.mark.usefixtures("queue")
def test_kept_it_is_found_by_its_words_at_once_and_completed_once(
    web: Web, ana: Account, service: Service, how: str
) -> None:
    service.goes(how)
    answer = web.ask("POST", "/remember", {"content": BICYCLE})
    assert (answer.status_code, answer.json()["indexed"]) == (202, False)
    assert any("found by its words" in note for note in answer.json()["notes"])
    assert [row["content"] for row in web.ask("GET", "/search?q=bicycle&policy=lexical").json()] == [BICYCLE]
    assert nobody().ask("GET", "/health").json()["store"]["pending"] == 1
    assert jobs.embed_pending(asked=True) == 0
    service.comes_back()
    a_while_later()
    assert (
        jobs.embed_pending(asked=True),
        jobs.embed_pending(asked=True),
        Vector.objects.count(),
        pending.count(),
    ) == (1, 0, 1, 0)
    [row] = web.ask("GET", "/search?q=The+bicycle+stands+in+the+cellar").json()
    assert (row["distance"], Entry.objects.count()) == (0.0, 1)


@pytest.mark.usefixtures("queue")
def test_the_same_fact_again_during_the_outage_is_still_one_that_waits(web: Web, service: Service) -> None:
    service.goes("refuse")
    answers = [web.ask("POST", "/remember", {"content": BICYCLE}) for _time in range(2)]
    assert [answer.status_code for answer in answers] == [202, 202]
    assert [answer.json()["created"] for answer in answers] == [True, False]
    service.comes_back()
    jobs.embed_pending(asked=True)
    assert web.ask("POST", "/remember", {"content": BICYCLE}).status_code == 200
    assert (Entry.objects.count(), Vector.objects.count()) == (1, 1)


@pytest.mark.usefixtures("queue")
def test_a_change_of_the_text_is_kept_and_the_new_text_wins(web: Web, ana: Account, service: Service) -> None:
    entry = saved(ana, BICYCLE)
    service.goes("refuse")
    answer = web.ask("PATCH", f"/memory/{entry.pk}", {"content": LADDER, "version": 1})
    assert (answer.status_code, answer.json()["indexed"], Vector.objects.count()) == (202, False, 0)
    assert web.ask("PATCH", f"/memory/{entry.pk}", {"pinned": True, "version": 2}).status_code == 200
    service.comes_back()
    jobs.embed_pending(asked=True)
    assert web.ask("GET", f"/memory/{entry.pk}").json()["indexed"] is True
    [row] = recall(ana, Query(LADDER, policy="vector")).rows
    assert (row.entry.text, row.distance, Vector.objects.get().version) == (LADDER, 0.0, 3)


def test_a_change_that_is_refused_changes_nothing(web: Web, ana: Account, service: Service) -> None:
    entry = saved(ana, BICYCLE)
    service.goes("refuse")
    assert web.ask("PATCH", f"/memory/{entry.pk}", {"content": LADDER, "version": 1}).status_code == 502
    with pytest.raises(EmbeddingError):
        revise(ana, entry.pk, Changes(text=LADDER), version=1, actor="person", cause="test")
    entry.refresh_from_db()
    assert (entry.text, entry.version, Vector.objects.count()) == (BICYCLE, 1, 1)


def test_a_refused_write_that_cannot_be_saved_stays_refused(web: Web, ana: Account, service: Service) -> None:
    held = refuse(ana, Rule.QUESTION, "Is the bicycle in the cellar?")
    service.goes("refuse")
    assert web.ask("POST", f"/memory/refused/{held.pk}/save").status_code == 502
    assert (Entry.objects.count(), Refusal.objects.get().saved_as) == (0, None)
    service.comes_back()
    assert web.ask("POST", f"/memory/refused/{held.pk}/save").status_code == 200


@pytest.mark.usefixtures("queue")
def test_a_refused_write_saved_anyway_is_kept_too(ana: Account, service: Service) -> None:
    held = refuse(ana, Rule.QUESTION, "Is the bicycle in the cellar?")
    service.goes("refuse")
    assert save_anyway(ana, held.pk, actor="person").indexed is False
    assert Refusal.objects.get().saved_as is not None


@every_way
def test_a_batch_is_stored_whole_or_not_at_all(ana: Account, service: Service, settings: Settings, how: str) -> None:
    drafts = [Draft(f"user: note number {number} of the day", kind="exchange") for number in range(40)]
    service.goes(how)
    with pytest.raises(EmbeddingError):
        remember_many(ana, drafts, actor="import", cause="test")
    assert Entry.objects.count() == 0
    settings.FORGE = settings.FORGE.model_copy(update={"EMBEDDING_OUTAGE": "queue"})
    assert len(remember_many(ana, drafts, actor="import", cause="test").waiting) == 40
    service.comes_back()
    jobs.embed_pending(asked=True)
    assert (Vector.objects.count(), pending.count()) == (40, 0)


def test_an_ordinary_recall_goes_on_with_words_and_says_since_when(ana: Account, service: Service) -> None:
    ana.time_zone = "Asia/Tokyo"
    saved(ana, BICYCLE)
    service.goes("refuse")
    answer = recall(ana, Query("bicycle"))
    began = timezone.localtime(outage_of_the_day().since, ZoneInfo("Asia/Tokyo"))
    assert (answer.degraded, [row.channel for row in answer.rows]) == ("embedding", ["lexical"])
    assert f"off since {began:%H:%M}; only words were searched" in answer.notices[0]


def test_a_server_that_hangs_costs_one_turn_its_timeout_and_the_next_ones_nothing(
    ana: Account, service: Service
) -> None:
    saved(ana, BICYCLE)
    service.goes("hang")
    times = []
    for _turn in range(4):
        began = time.monotonic()
        recall(ana, Query("bicycle"))
        times.append(time.monotonic() - began)
    assert (times[0] < 2, max(times[1:]) < 0.3) == (True, True)
    since = outage_of_the_day().since
    with pytest.raises(EmbeddingError):
        recall(ana, Query("bicycle", explicit=True))
    assert outage_of_the_day().since == since


def test_a_server_that_only_was_away_is_asked_by_the_next_turn(ana: Account, service: Service) -> None:
    saved(ana, BICYCLE)
    service.goes("refuse")
    assert recall(ana, Query("bicycle")).degraded == "embedding"
    service.comes_back()
    until_it_may_ask()
    assert recall(ana, Query(BICYCLE)).degraded == ""


@pytest.mark.usefixtures("queue")
def test_the_next_search_hands_what_waits_to_the_worker_and_embeds_nothing_itself(
    ana: Account, service: Service
) -> None:
    service.goes("refuse")
    saved(ana, BICYCLE)
    service.comes_back()
    assert recall(ana, Query("ladder", explicit=True)).degraded == ""
    assert all(BICYCLE not in texts for texts in service.server.asked)
    assert [job.task["group"] for job in OrmQ.objects.all()] == [jobs.EMBED_PENDING]


@pytest.mark.usefixtures("queue")
def test_a_down_server_is_tried_twice_a_run_whatever_waits(ana: Account, service: Service) -> None:
    service.goes("refuse")
    for number in range(5):
        saved(ana, f"note number {number} of the day")
    service.comes_back()
    service.goes("fail")
    embedding_health()
    before = len(service.server.requests)
    jobs.embed_pending(asked=True)
    assert len(service.server.requests) - before <= 2 * (pending.DOWN + 1)
    assert pending.count() == 5


def test_the_text_of_an_edit_made_meanwhile_is_what_is_embedded(ana: Account, service: Service, queue: None) -> None:
    service.goes("refuse")
    entry = saved(ana, BICYCLE)
    waiting = vector_channel.pending(1, time.time())
    service.comes_back()
    until_it_may_ask()
    revise(ana, entry.pk, Changes(text=LADDER), version=1, actor="person", cause="test")
    pending._embed(served_door(), waiting)
    [row] = recall(ana, Query(LADDER, policy="vector")).rows
    assert (row.distance, Vector.objects.count()) == (0.0, 1)


def test_remember_that_finds_the_server_back_stores_the_vector(ana: Account, service: Service, queue: None) -> None:
    service.goes("refuse")
    saved(ana, BICYCLE)
    service.comes_back()
    until_it_may_ask()
    assert remember(ana, Draft(LADDER), actor="person", cause="test").indexed
    assert found(ana, "bicycle", policy="lexical") == [BICYCLE]
