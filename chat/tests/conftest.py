"""Tests of chat search by words: meaning is tested where it lives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from chat.persist import Begun
from chat.prompting import sizes, window
from chat.tests.talks import ask
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel
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


@contextmanager
def answered_by(server: ScriptedModel, **more: Any) -> Iterator[None]:
    """The server is the one of `LLM_PROVIDER`, and nothing is known of it yet."""
    update = {"LLM_PROVIDER": "llamacpp", "LLM_URL": server.url, **more}
    sizes.forget()
    window.forget()
    with override_settings(FORGE=settings.FORGE.model_copy(update=update)):
        yield


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    """A model server that answers the turns of the test."""
    with ScriptedModel() as server, answered_by(server):
        yield server


@pytest.fixture
def first(ana: Account) -> Begun:
    return ask(ana, "Which port?", answer="8080")


@pytest.fixture
def second(ana: Account, first: Begun) -> Begun:
    return ask(ana, "And the disk?", answer="1 TB", conversation=first.conversation)


@pytest.fixture
def no_block() -> Iterator[None]:
    """Memory gives a turn the rows that its recall finds, and nothing beside them."""
    with override_settings(FORGE=settings.FORGE.model_copy(update={"RECALL_HOT_BLOCK": False})):
        yield
