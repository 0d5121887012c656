"""Fixtures of the forgetting pass's tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import override_settings

from forgesite.models import Account
from forgesite.testing_models import ScriptedModel


@pytest.fixture
def words_only() -> Iterator[None]:
    """No embedder: two entries are found by their words alone."""
    with override_settings(FORGE=settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "none"})):
        yield


@pytest.fixture
def on(words_only: None) -> Iterator[None]:
    """The pass is on, and nothing is embedded."""
    with override_settings(FORGE=settings.FORGE.model_copy(update={"FORGETTING_PASS_ENABLED": True})):
        yield


@pytest.fixture
def server() -> Iterator[ScriptedModel]:
    """A model server that says what it is told to."""
    with ScriptedModel() as running:
        yield running


@pytest.fixture
def model(server: ScriptedModel, words_only: None) -> Iterator[ScriptedModel]:
    """A server that judges, and is waited for no longer than five seconds."""
    update = {"JUDGE": "model", "JUDGE_URL": server.url, "JUDGE_API_KEY": "sk-judge", "LLM_TIMEOUT": 5.0}
    with override_settings(FORGE=settings.FORGE.model_copy(update={**update, "FORGETTING_PASS_ENABLED": True})):
        yield server


@pytest.fixture
def willing(ana: Account) -> Account:
    """Ana lets her entries be sent to a judge."""
    ana.judge_opt_in = True
    ana.save(update_fields=["judge_opt_in"])
    return ana
