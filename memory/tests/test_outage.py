"""The embedding server is gone, hangs or breaks off, and comes back: nothing is lost and nothing is double (B9)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_q.models import OrmQ, Schedule
from pytest_django import Settings

from forgesite.models import Account
from forgesite.testing_embedders import ScriptedEmbedder, digest_vector, served_by
from forgesite.testing_server import free_port, until
from forgesite.tests.web import Web, by_token, nobody
from memory import embedding, jobs, outage, pending, vector_channel
from memory.errors import EmbeddingError
from memory.health import embedding_health, start_line
from memory.models import Commit, Entry, Refusal, Rule, Vector
from memory.recall import Query, recall
from memory.refuse import refuse, save_anyway
from memory.remember import Draft, remember, remember_many
from memory.revise import Changes, revise
from memory.tests.entries import found, saved

pytestmark = pytest.mark.django_db(transaction=True)
BICYCLE, LADDER = "The bicycle stands in the cellar", "The ladder hangs in the shed"


class Service:
    """An embedding server that can go: not listening at all, silent, broken off in its answer, or answering 500."""

    def __init__(self) -> None:
        self.listening = ExitStack()
        self.server = self.listening.enter_context(ScriptedEmbedder(port=free_port()))

    def goes(self, how: str) -> None:
        if how == "refuse":
            self.listening.close()
        else:
            self.server.mode = how

    def comes_back(self, dim: int = 8) -> None:
        if self.server.mode:
            self.server.mode = ""
        else:
            self.server = self.listening.enter_context(ScriptedEmbedder(port=self.server.port, dim=dim))


@pytest.fixture
def service() -> Iterator[Service]:
    running = Service()
    with served_by(running.server, RATE_LIMIT_REQUESTS=0, EMBEDDING_TIMEOUT=0.5):
        yield running
    running.listening.close()


@pytest.fixture
def queue(service: Service, settings: Settings) -> None:
    settings.FORGE = settings.FORGE.model_copy(update={"EMBEDDING_OUTAGE": "queue"})


@pytest.fixture
def web(ana: Account, service: Service) -> Web:
    cache.clear()
    return by_token(ana)


every_way = pytest.mark.parametrize("how", ["refuse", "hang", "drop", "fail"])


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


def a_while_later() -> None:
    """As if the time until the next try had passed."""
    with connection.cursor() as cursor:
        cursor.execute("UPDATE memory_vec_pending SET retry_at = 0")


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


def outage_of_the_day() -> outage.Down:
    door = embedding.served()
    assert door is not None
    known = outage.down(door)
    assert known is not None
    return known


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


def until_it_may_ask() -> None:
    door = embedding.served()
    assert door is not None
    until(lambda: outage.paused(door) is None, 10)


def test_after_an_outage_the_model_may_be_another_and_is_asked_who_it_is(ana: Account, service: Service) -> None:
    saved(ana, BICYCLE)
    service.goes("refuse")
    with pytest.raises(EmbeddingError):
        recall(ana, Query("bicycle", explicit=True))
    service.comes_back(dim=12)
    assert recall(ana, Query("bicycle", explicit=True)).degraded == ""
    door = embedding.served()
    assert door is not None
    assert (door.dim, Vector.objects.get().dim, pending.count()) == (12, 8, 1)
    jobs.embed_pending(asked=True)
    assert (Vector.objects.get().dim, pending.count()) == (12, 0)


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
        wrapper = embedding.regime(_door()).split(".")[0]
    asked = [texts for texts in service.server.asked if texts != [*embedding.PROBES]]
    assert asked == [[BICYCLE], ["Instruct: Find facts\nQuery: Where is the bicycle?"]]
    assert wrapper != "e3b0c4"
    assert embedding.regime(_door()).startswith("e3b0c4.")


def _door() -> Any:
    return embedding.served()


def test_a_cutoff_counts_only_with_the_tag_of_what_is_served(ana: Account, service: Service) -> None:
    saved(ana, BICYCLE)
    assert embedding_health().cutoff is None
    tag = embedding_health().regime
    with served_by(service.server, RECALL_MAX_DISTANCE=f"0.5@{tag}"):
        assert embedding_health().cutoff == f"0.5@{tag}"
    with served_by(service.server, RECALL_MAX_DISTANCE="0.5@a5c47b"):
        assert embedding_health().cutoff is None


def test_health_names_the_embedder_and_does_not_wait_for_one_that_hangs(service: Service) -> None:
    told = nobody().ask("GET", "/health").json()["embedding"]
    assert (told["provider"], told["name"], told["dim"], told["ready"]) == ("llamacpp", "llamacpp", 8, True)
    assert len(told["regime"]) == 13
    with served_by(service.server, EMBEDDING_TIMEOUT=30.0):
        service.goes("hang")
        began = time.monotonic()
        assert nobody().ask("GET", "/health").json()["embedding"]["ready"] is False
        assert time.monotonic() - began < 3


@every_way
def test_health_says_when_it_is_gone_and_when_it_is_back(service: Service, settings: Settings, how: str) -> None:
    service.goes(how)
    told = nobody().ask("GET", "/health").json()
    assert (told["embedding"]["ready"], told["embedding"]["regime"], told["status"]) == (False, "", "degraded")
    service.comes_back()
    assert nobody().ask("GET", "/health").json()["embedding"]["ready"] is True


@pytest.mark.usefixtures("queue")
def test_health_that_finds_it_back_hands_what_waits_to_the_worker(ana: Account, service: Service) -> None:
    service.goes("refuse")
    saved(ana, BICYCLE)
    service.comes_back()
    nobody().ask("GET", "/health")
    assert OrmQ.objects.count() == 1


def test_the_start_says_how_it_is_in_one_line(service: Service, settings: Settings) -> None:
    assert start_line().startswith("Search by meaning: llamacpp (llamacpp, 8 numbers a vector), no cutoff.")
    service.goes("refuse")
    with served_by(service.server, EMBEDDING_TIMEOUT=0.6):
        assert "nothing can be saved (EMBEDDING_OUTAGE=refuse)" in start_line()
        assert service.server.url in start_line()
    settings.FORGE = settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "bundled"})
    assert "measured on a public set and not on your store" in start_line()


def test_the_worker_asks_every_minute_as_long_as_a_server_is_set(service: Service, settings: Settings) -> None:
    jobs.keep_schedule()
    jobs.keep_schedule()
    plan = Schedule.objects.get()
    assert (plan.name, plan.minutes, plan.func) == (jobs.EMBED_PENDING, 1, "forgesite.job.run")
    settings.FORGE = settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "none"})
    jobs.keep_schedule()
    assert not Schedule.objects.exists()


@pytest.mark.usefixtures("queue")
def test_the_desk_shows_what_waits_and_why(desk: Client, ana: Account, service: Service) -> None:
    service.goes("refuse")
    entry = saved(ana, BICYCLE)
    jobs.embed_pending(asked=True)
    listed = desk.get(reverse("admin:memory_entry_changelist"), {"waits": "1"}).content.decode()
    assert (BICYCLE in listed, "waits for its vectors" in listed) == (True, True)
    shown = desk.get(reverse("admin:memory_entry_change", args=[entry.pk])).content.decode()
    assert "Found by its words only" in shown
    service.comes_back()
    a_while_later()
    jobs.embed_pending(asked=True)
    assert "waits for its vectors" not in desk.get(reverse("admin:memory_entry_changelist")).content.decode()


def test_the_desk_refuses_as_the_api_does_and_searches_by_words(desk: Client, ana: Account, service: Service) -> None:
    saved(ana, BICYCLE)
    service.goes("refuse")
    form = {"text": LADDER, "kind": "fact", "project": "", "status": "active", "event_at_0": "", "event_at_1": ""}
    refused = desk.post(reverse("admin:memory_entry_add"), form).content.decode()
    assert ("Nothing was stored" in refused, Entry.objects.count()) == (True, 1)
    searched = desk.get(reverse("admin:memory_entry_changelist"), {"q": "bicycle"})
    assert BICYCLE in searched.content.decode()
    assert "off since" in searched.content.decode()


def test_one_door_a_process_and_another_when_the_settings_change(service: Service) -> None:
    first = embedding.served()
    assert embedding.served() is first
    with served_by(service.server, EMBEDDING_MODEL="another"):
        assert embedding.served() is not first


def test_the_text_of_an_edit_made_meanwhile_is_what_is_embedded(ana: Account, service: Service, queue: None) -> None:
    service.goes("refuse")
    entry = saved(ana, BICYCLE)
    waiting = vector_channel.pending(1, time.time())
    service.comes_back()
    until_it_may_ask()
    revise(ana, entry.pk, Changes(text=LADDER), version=1, actor="person", cause="test")
    pending._embed(_door(), waiting)
    [row] = recall(ana, Query(LADDER, policy="vector")).rows
    assert (row.distance, Vector.objects.count()) == (0.0, 1)


def test_remember_that_finds_the_server_back_stores_the_vector(ana: Account, service: Service, queue: None) -> None:
    service.goes("refuse")
    saved(ana, BICYCLE)
    service.comes_back()
    until_it_may_ask()
    assert remember(ana, Draft(LADDER), actor="person", cause="test").indexed
    assert found(ana, "bicycle", policy="lexical") == [BICYCLE]


def test_a_model_that_another_process_saw_change_is_asked_for_and_not_fought_over(
    ana: Account, service: Service
) -> None:
    saved(ana, BICYCLE)
    found(ana, "bicycle")
    service.server.vector = lambda text, dim: digest_vector(f"another model: {text}", dim)
    vector_channel.sync("b5fcb7.another", 8)
    answer = recall(ana, Query(BICYCLE, explicit=True))
    made = vector_channel.made_for()
    assert (answer.degraded, made) == ("", (embedding.regime(_door()), 8))
    assert pending.count() == 1
    jobs.embed_pending(asked=True)
    assert recall(ana, Query(BICYCLE, policy="vector", explicit=True)).rows[0].distance == 0.0


@pytest.mark.usefixtures("queue")
def test_a_server_that_hangs_has_not_the_worker_all_the_time(ana: Account, service: Service) -> None:
    service.goes("hang")
    saved(ana, BICYCLE)
    before = len(service.server.requests)
    assert [jobs.embed_pending() for _minute in range(3)] == [0, 0, 0]
    assert len(service.server.requests) == before


def test_the_worker_asks_nothing_of_a_server_while_nothing_waits(ana: Account, service: Service) -> None:
    saved(ana, BICYCLE)
    before = len(service.server.requests)
    assert (jobs.embed_pending(asked=True), len(service.server.requests)) == (0, before)
