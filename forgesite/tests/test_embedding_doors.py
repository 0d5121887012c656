"""Embedding servers over the wire: every form of answer, every failure, and how often they are asked (B8)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from forgesite.lib.embedding_doors import INSTRUCTION, Asked, door, wrapper_of
from forgesite.lib.embedding_servers import BATCH, Served
from forgesite.lib.embeddings import Bundled, EmbeddingFailedError, TooLargeToEmbedError
from forgesite.testing_embedders import FORMS, ONE_BY_ONE, Form, ScriptedEmbedder, digest_vector
from forgesite.testing_server import free_port

TEXTS = [
    "The cat is called Mia",
    "Le NiPoGi a 32 Go de RAM",
    "東京は雨です",
    "half \ud83d a pair",
    "The cat is called Mia",
]
KEY = "sk-secret-0123456789"


@pytest.fixture
def server() -> Iterator[ScriptedEmbedder]:
    with ScriptedEmbedder() as running:
        yield running


def opened(server: ScriptedEmbedder, **asked: Any) -> Served:
    settings: dict[str, Any] = {"timeout": 5.0, "instruct": '""'} | asked
    made = door(Asked(server.provider, server.address, **settings))
    assert isinstance(made, Served)
    return made


def expected(texts: list[str]) -> list[Any]:
    return [digest_vector(text.encode("utf-8", "replace").decode()) for text in texts]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_vectors_in_the_order_of_the_texts(form: Form) -> None:
    with ScriptedEmbedder(form) as server:
        found = opened(server).embed_documents(TEXTS)
    assert np.allclose(np.array(found), expected(TEXTS), atol=1e-6)


@pytest.mark.parametrize("form", FORMS)
def test_the_number_of_calls_is_bounded(form: Form) -> None:
    many = [f"note number {number}" for number in range(2 * BATCH)]
    with ScriptedEmbedder(form) as server:
        embedder = opened(server)
        embedder.embed_documents(many)
        embedder.embed_documents(many[:2])
    # One by one it is one try of a list and then one a text; else two full batches and a small one.
    assert len(server.requests) == (len(many) + 2 + 1 if form in ONE_BY_ONE else 3)


@pytest.mark.parametrize("base", ["", "/v1", "/v1/embeddings", "/v1/"])
def test_an_openai_address_may_be_given_in_short(base: str) -> None:
    with ScriptedEmbedder("shuffled") as server:
        made = door(Asked("openai", server.url + base, key=KEY))
        assert made is not None
        made.embed_documents(TEXTS[:2])
    [request] = server.requests
    assert (request.path, request.json["model"]) == ("/v1/embeddings", "text-embedding-3-small")
    assert request.headers["authorization"] == f"Bearer {KEY}"


def test_nothing_is_sent_before_the_first_text_and_the_first_answer_has_the_dimension(server: ScriptedEmbedder) -> None:
    embedder = opened(server)
    assert server.requests == []
    embedder.embed_documents(TEXTS[:1])
    assert (embedder.dim, len(server.requests)) == (8, 1)
    assert opened(server, dim=16).dim == 16


def test_a_query_alone_is_instructed(server: ScriptedEmbedder) -> None:
    embedder = opened(server, instruct="")
    embedder.embed_documents(["The cat is called Mia"])
    embedder.embed_query("Who is Mia?")
    assert server.asked == [["The cat is called Mia"], [f"Instruct: {INSTRUCTION}\nQuery: Who is Mia?"]]


@pytest.mark.parametrize(
    ("provider", "instruct", "wrapper"),
    [
        ("bundled", "", ""),
        ("ollama", "", ""),
        ("llamacpp", "", f"Instruct: {INSTRUCTION}\nQuery: {{}}"),
        ("llamacpp", '""', ""),
        ("openai", "Find facts", "Instruct: Find facts\nQuery: {}"),
        ("llamacpp", "query: {}", "query: {}"),
    ],
)
def test_the_instruction_goes_by_provider_and_setting(provider: str, instruct: str, wrapper: str) -> None:
    assert wrapper_of(provider, instruct) == wrapper


def test_braces_in_a_query_stay_as_they_are(server: ScriptedEmbedder) -> None:
    opened(server, instruct="query: {}").embed_query("what does {} mean?")
    assert server.asked == [["query: what does {} mean?"]]


def test_without_an_embedder_there_is_no_door_and_the_bundled_one_loads_nothing() -> None:
    assert door(Asked("none")) is None
    assert isinstance(door(Asked("bundled")), Bundled)


def test_gemini_needs_a_model() -> None:
    made = door(Asked("gemini", key=KEY))
    assert made is not None
    with pytest.raises(EmbeddingFailedError, match="set EMBEDDING_MODEL"):
        made.embed_documents(["The cat is called Mia"])


ODD: list[tuple[int, Any, str]] = [
    (200, "<html><title>Router</title></html>", "web page: check EMBEDDING_URL"),
    (200, {"choices": []}, "holds no vectors"),
    (200, [], "holds no vectors"),
    (200, {"data": [{"index": 0, "embedding": "@@"}]}, "holds no vectors"),
    (200, {"data": [{"index": 3, "embedding": [1.0]}]}, "holds no vectors"),
    (200, {"embedding": 5}, "holds no vectors"),
    (200, {"data": [{"index": 0, "embedding": [1.0]}, {"index": 0, "embedding": [1.0]}]}, "holds no vectors"),
    (500, {"error": {"message": "quota exceeded"}}, "answered 500: quota exceeded"),
    (200, [{"index": 0, "embedding": [[1.0] * 8, [0.5] * 8]}], "2 vectors for one text.*--pooling mean"),
    (200, {"embeddings": [[1.0], [2.0]]}, "gave 2 vectors for 1 texts"),
    (401, {"error": {"message": "no"}}, "check EMBEDDING_API_KEY"),
    (404, {"error": "model 'x' not found"}, "EMBEDDING_MODEL"),
    (500, "<h1>500</h1>", "answered 500"),
    (503, {"error": {"message": "Loading model"}}, "not ready.*Loading model"),
    (302, None, "answered 302"),
]


@pytest.mark.parametrize(("status", "body", "said"), ODD)
def test_an_odd_answer_is_refused_by_name(server: ScriptedEmbedder, status: int, body: Any, said: str) -> None:
    server.will_fail(status, body)
    with pytest.raises(EmbeddingFailedError, match=said) as refused:
        opened(server).embed_documents(["The cat is called Mia"])
    assert server.url in str(refused.value)
    assert len(server.requests) == 1


def test_an_index_of_zero_may_be_left_out(server: ScriptedEmbedder) -> None:
    server.will_fail(200, {"data": [{"index": 1, "embedding": [2.0]}, {"embedding": [1.0]}]})
    assert opened(server).embed_documents(TEXTS[:2]) == [[1.0], [2.0]]


def test_too_few_vectors_are_refused(server: ScriptedEmbedder) -> None:
    server.will_fail(200, [{"index": 0, "embedding": [[1.0] * 8]}])
    with pytest.raises(EmbeddingFailedError, match="1 vectors for 3 texts"):
        opened(server).embed_documents(TEXTS[:3])


def test_a_wrong_key_is_told_and_not_shown() -> None:
    with ScriptedEmbedder("openai", key="right") as server:
        with pytest.raises(EmbeddingFailedError, match="401") as refused:
            opened(server, key=KEY).embed_documents(["The cat is called Mia"])
        assert KEY not in str(refused.value)
        assert KEY not in str(refused.value.values)


def test_a_key_that_the_server_repeats_is_not_repeated(server: ScriptedEmbedder) -> None:
    server.will_fail(400, {"error": {"message": f"bad key {KEY}"}})
    with pytest.raises(EmbeddingFailedError, match="bad key …"):
        opened(server, key=KEY).embed_documents(["The cat is called Mia"])


@pytest.mark.parametrize("form", FORMS)
def test_only_what_is_too_large_is_left_out_and_it_is_sent_once_alone(form: Form) -> None:
    texts = [f"note number {number}" for number in range(8)]
    texts[5] = "long " * 40
    with ScriptedEmbedder(form) as server:
        server.longest = 100
        with pytest.raises(TooLargeToEmbedError, match="too large") as refused:
            opened(server).embed_documents(texts)
    assert [number for number, vector in enumerate(refused.value.found) if vector is None] == [5]
    assert np.allclose(np.array(refused.value.found[6]), digest_vector(texts[6]), atol=1e-6)
    assert server.asked.count([texts[5]]) == 1
    assert len(server.requests) <= 2 * len(texts)


def test_ollama_is_asked_not_to_cut_a_text() -> None:
    with ScriptedEmbedder("ollama") as server:
        opened(server).embed_documents(["The cat is called Mia"])
    assert server.requests[0].json["truncate"] is False
    assert server.requests[0].json["model"] == "nomic-embed-text"


@pytest.mark.parametrize("ending", ["/", "/api", "/api/embed", "/api/embeddings"])
def test_an_ollama_address_may_be_any_of_its_own(ending: str) -> None:
    with ScriptedEmbedder("ollama") as server:
        made = door(Asked("ollama", server.url + ending))
        assert made is not None
        assert len(made.embed_documents(TEXTS)) == len(TEXTS)


def test_a_model_that_ollama_has_not_is_named(server: ScriptedEmbedder) -> None:
    server.will_fail(404, {"error": 'model "nomic-embed-text" not found, try pulling it first'})
    made = door(Asked("ollama", server.url))
    assert made is not None
    with pytest.raises(EmbeddingFailedError, match="try pulling it first"):
        made.embed_documents(["The cat is called Mia"])
    assert len(server.requests) == 1


def test_a_passing_error_changes_no_later_request(server: ScriptedEmbedder) -> None:
    embedder = opened(server)
    for _time in range(2):
        server.will_fail(500, {"error": "out of order"})
    with pytest.raises(EmbeddingFailedError, match="out of order"):
        embedder.embed_documents(TEXTS)
    embedder.embed_documents(TEXTS)
    assert len(server.asked[-1]) == len(TEXTS)


def test_too_many_requests_are_waited_for_as_told(server: ScriptedEmbedder) -> None:
    server.will_fail(429, {"error": "slow down"}, retry_after="0.3")
    opened(server).embed_documents(["The cat is called Mia"])
    first, second = server.requests
    assert 0.3 <= second.at - first.at < 2


@pytest.mark.parametrize(("told", "requests"), [("0", 4), ("60", 1)])
def test_nobody_waits_longer_than_the_timeout_or_more_than_a_few_times(
    server: ScriptedEmbedder, told: str, requests: int
) -> None:
    for _time in range(6):
        server.will_fail(429, {"error": "slow down"}, retry_after=told)
    with pytest.raises(EmbeddingFailedError, match=r"no more requests.*slow down"):
        opened(server).embed_documents(["The cat is called Mia"])
    assert len(server.requests) == requests


@pytest.mark.parametrize("how", ["will_hang", "will_trickle"])
def test_a_server_that_is_slow_is_given_up_at_the_timeout(server: ScriptedEmbedder, how: str) -> None:
    getattr(server, how)()
    began = time.monotonic()
    with pytest.raises(EmbeddingFailedError, match=r"within 0\.4 s"):
        opened(server, timeout=0.4).embed_documents(["The cat is called Mia"])
    assert time.monotonic() - began < 2


def test_an_answer_that_breaks_off_is_told(server: ScriptedEmbedder) -> None:
    server.will_drop()
    with pytest.raises(EmbeddingFailedError, match="broke off"):
        opened(server).embed_documents(["The cat is called Mia"])


def test_nobody_there_is_told_at_once() -> None:
    made = door(Asked("llamacpp", f"http://127.0.0.1:{free_port()}/embedding"))
    assert made is not None
    began = time.monotonic()
    with pytest.raises(EmbeddingFailedError, match="cannot be reached"):
        made.embed_documents(["The cat is called Mia"])
    assert time.monotonic() - began < 3


def test_a_batch_is_bounded_by_its_characters(server: ScriptedEmbedder) -> None:
    opened(server).embed_documents(["x" * 1500] * 9)
    assert [len(texts) for texts in server.asked] == [8, 1]


def test_an_empty_text_is_refused_before_it_is_sent(server: ScriptedEmbedder) -> None:
    with pytest.raises(EmbeddingFailedError):
        opened(server).embed_documents(["The cat is called Mia", " "])
    assert server.requests == []
