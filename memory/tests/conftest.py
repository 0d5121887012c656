"""Fixtures of memory's tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission
from django.test import Client, override_settings
from pytest_django import Settings

from forgesite.models import Account
from forgesite.testing_embedders import ScriptedEmbedder, served_by
from memory.tests.embedding_service import Service


@pytest.fixture
def words_only() -> Iterator[None]:
    """No embedder: search by words."""
    with override_settings(FORGE=settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "none"})):
        yield


@pytest.fixture
def embedder() -> Iterator[ScriptedEmbedder]:
    """An embedding server of the test's own, and the settings that name it."""
    with ScriptedEmbedder() as server, served_by(server):
        yield server


@pytest.fixture
def queued() -> Iterator[None]:
    """EMBEDDING_OUTAGE=queue. Name it after `embedder`."""
    with override_settings(FORGE=settings.FORGE.model_copy(update={"EMBEDDING_OUTAGE": "queue"})):
        yield


@pytest.fixture
def desk(client: Client, ana: Account) -> Client:
    """Ana at her desk, with every right on her own memory."""
    ana.is_staff = True
    ana.save()
    ana.user_permissions.set(Permission.objects.filter(content_type__app_label="memory"))
    client.force_login(ana)
    return client


@pytest.fixture
def service() -> Iterator[Service]:
    running = Service()
    with served_by(running.server, RATE_LIMIT_REQUESTS=0, EMBEDDING_TIMEOUT=0.5):
        yield running
    running.listening.close()


@pytest.fixture
def queue(service: Service, settings: Settings) -> None:
    settings.FORGE = settings.FORGE.model_copy(update={"EMBEDDING_OUTAGE": "queue"})
