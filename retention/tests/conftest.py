"""Fixtures of the forgetting pass's tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import override_settings


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
