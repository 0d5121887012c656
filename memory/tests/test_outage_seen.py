"""What health, the start, the desk and the worker make of an embedding server that is gone."""

from __future__ import annotations

import time

import pytest
from django.test import Client
from django.urls import reverse
from django_q.models import OrmQ, Schedule
from pytest_django import Settings

from forgesite.models import Account
from forgesite.testing_embedders import served_by
from forgesite.tests.web import nobody
from memory import jobs
from memory.health import start_line
from memory.models import Entry
from memory.tests.embedding_service import (
    BICYCLE,
    LADDER,
    Service,
    a_while_later,
    every_way,
)
from memory.tests.entries import saved

pytestmark = pytest.mark.django_db(transaction=True)


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
    searched = desk.get(reverse("admin:memory_entry_changelist"), {"q": "bicycle", "rows": "1"})
    assert BICYCLE in searched.content.decode()
    assert "off since" in searched.content.decode()


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
