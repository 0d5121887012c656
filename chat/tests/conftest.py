"""Tests of chat search by words: meaning is tested where it lives."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import override_settings

from forgesite.models import Account
from memory.remember import Draft, remember_many

OTHERS = (
    "my bike is green and stands in the cellar",
    "the dentist is on the second floor",
    "Marie prefers tea without sugar",
    "la voiture est garée derrière la maison",
    "we deploy on Tuesdays after lunch",
    "the wifi in the office is called Kestrel",
    "mon frère habite à Lyon depuis mars",
    "the printer needs black ink",
)


@pytest.fixture(autouse=True)
def _by_words() -> Iterator[None]:
    with override_settings(FORGE=settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "none"})):
        yield


@pytest.fixture
def filled(ana: Account) -> Account:
    """Ana with a few facts: in a store of one entry no word is rare."""
    remember_many(ana, [Draft(text) for text in OTHERS], actor="person", cause="test")
    return ana
