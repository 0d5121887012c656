"""Fixtures of memory's tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import override_settings


@pytest.fixture
def words_only() -> Iterator[None]:
    """No embedder: search by words."""
    with override_settings(FORGE=settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "none"})):
        yield
