"""Combinations of settings that cannot work are refused before anything runs."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.core.checks import run_checks
from django.test import override_settings

from forgesite.checks import live_connection


def findings(**changed: object) -> list[str]:
    """Ids of what is found with these settings of Forge changed."""
    with override_settings(FORGE=settings.FORGE.model_copy(update=changed)):
        return [str(message.id) for message in run_checks() if str(message.id).startswith("forge.")]


def test_the_defaults_work() -> None:
    assert findings() == []


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({"EMBEDDING_PROVIDER": "none", "RECALL_POLICY": "vector"}, "forge.E002"),
        ({"EMBEDDING_PROVIDER": "none", "RECALL_LEXICAL": False}, "forge.E002"),
        ({"RECALL_POLICY": "lexical", "RECALL_LEXICAL": False}, "forge.E003"),
        ({"RECALL_POLICY": "weighted", "VECTOR_WEIGHT": 0.0, "KEYWORD_WEIGHT": 0.0}, "forge.E014"),
        ({"RECALL_POLICY": "weighted", "VECTOR_WEIGHT": 0.0, "RECALL_LEXICAL": False}, "forge.E014"),
        ({"RECALL_POLICY": "weighted", "EMBEDDING_PROVIDER": "none", "KEYWORD_WEIGHT": 0.0}, "forge.E014"),
        ({"TRUST_PROXY": True}, "forge.E004"),
        ({"EMBEDDING_PROVIDER": "gemini"}, "forge.E011"),
        ({"LLM_PROVIDER": "local"}, "forge.E012"),
        ({"LLM_PROVIDER": "local", "LLM_URL": "http://127.0.0.1:8080"}, "forge.E012"),
        ({"LLM_PROVIDER": "openai", "LLM_URL": "models/tiny.gguf"}, "forge.E012"),
        ({"COMPACTION_KEEP_RECENT": 80}, "forge.W002"),
        ({"COMPACTION_TOKEN_TARGET": 6000}, "forge.W003"),
        ({"COMPACTION_THRESHOLD": 100}, "forge.W004"),
        ({"RECALL_EXPANSION": "terms", "RECALL_POLICY": "vector", "RECALL_MAX_DISTANCE": "off"}, "forge.W005"),
        ({"RECALL_EXPANSION": "terms", "RECALL_POLICY": "vector", "EMBEDDING_PROVIDER": "ollama"}, "forge.W005"),
        ({"RECALL_TOP_K": 17}, "forge.W008"),
        ({"RECALL_EXPANSION": "terms"}, "forge.W006"),
        ({"RECALL_EXPANSION": "llm", "RECALL_LEXICAL": False, "LLM_PROVIDER": "builtin"}, "forge.W007"),
        ({"FORGETTING_PASS_ENABLED": True, "JUDGE": "model", "LLM_PROVIDER": "builtin"}, "forge.W009"),
    ],
)
def test_what_cannot_work_is_found(changed: dict[str, object], found: str) -> None:
    assert findings(**changed) == [found]


@pytest.mark.parametrize(
    "changed",
    [
        {"EMBEDDING_PROVIDER": "none"},
        {"FORGETTING_PASS_ENABLED": True, "JUDGE": "model", "JUDGE_URL": "http://127.0.0.1:8080"},
        {"EMBEDDING_PROVIDER": "gemini", "EMBEDDING_MODEL": "gemini-embedding-001"},
        {"LLM_PROVIDER": "local", "LLM_URL": "models/tiny.gguf"},
        {"LLM_PROVIDER": "openai"},
        {"RECALL_LEXICAL": False},
        {"RECALL_LEXICAL": False, "RECALL_EXPANSION": "terms"},
        {"TRUST_PROXY": True, "PUBLIC_URL": "https://forge.example.org"},
    ],
)
def test_what_can_work_is_left_alone(changed: dict[str, object]) -> None:
    assert findings(**changed) == []


def test_a_job_is_not_taken_up_again_while_it_may_still_run() -> None:
    with override_settings(Q_CLUSTER=settings.Q_CLUSTER | {"retry": settings.Q_CLUSTER["timeout"]}):
        assert findings() == ["forge.E001"]


@pytest.mark.django_db(transaction=True)
def test_the_live_connection_is_as_the_settings_ask() -> None:
    assert live_connection(["default"]) == []
