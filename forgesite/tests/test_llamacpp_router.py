"""A llama.cpp server of several models: each request names one, and a look at it starts none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from forgesite.testing_models import RouterModel
from forgesite.tests.asking import answer, opened, words

SMALL, LARGE, EMBEDDER = "ggml-org/gemma-3-4b-it-GGUF:Q4_K_M", "qwen3-8b", "nomic-embed-text"


@pytest.fixture
def router() -> Iterator[RouterModel]:
    with RouterModel(models=[EMBEDDER, SMALL, LARGE], running=[EMBEDDER]) as running:
        yield running


@pytest.mark.parametrize(("chosen", "asked"), [(LARGE, LARGE), ("", SMALL)])
@pytest.mark.parametrize("provider", ["llamacpp", "openai"])
async def test_a_question_names_the_model_that_was_chosen_or_the_first(
    router: RouterModel, provider: str, chosen: str, asked: str
) -> None:
    assert words(await answer(opened(router, provider, model=chosen))) == "OK."
    assert [request.json["model"] for request in router.sent_to("/v1/chat/completions")] == [asked]


async def test_where_none_is_chosen_one_that_runs_goes_first(router: RouterModel) -> None:
    router.running.add(LARGE)

    await answer(opened(router, "llamacpp", model=""))

    assert router.sent_to("/v1/chat/completions")[0].json["model"] == LARGE


@pytest.mark.parametrize(("chosen", "named"), [(LARGE, LARGE), ("", SMALL)])
@pytest.mark.parametrize("provider", ["llamacpp", "openai"])
async def test_a_look_at_its_health_starts_no_model(
    router: RouterModel, provider: str, chosen: str, named: str
) -> None:
    health = await opened(router, provider, model=chosen).health()

    assert (health.ready, health.model) == (True, named)
    assert router.running == {EMBEDDER}


@pytest.mark.parametrize("provider", ["llamacpp", "openai"])
async def test_its_window_is_that_of_the_model(router: RouterModel, provider: str) -> None:
    assert await opened(router, provider, model=SMALL).window() == 8192
    assert await opened(router, provider, model="").window() == 8192


async def test_its_tokens_are_those_of_the_model(router: RouterModel) -> None:
    assert await opened(router, "llamacpp", model=SMALL).count("Le NiPoGi") == 3
