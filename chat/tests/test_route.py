"""What a text asks for, and whether a save is all of it."""

from __future__ import annotations

import pytest

from chat.domain.route import Save, route

PORT = "the test server runs on port 8080"


@pytest.mark.parametrize(
    "text",
    [
        f"Remember that {PORT}.",
        f"Hello! Remember that {PORT}.",
        f"Remember: {PORT}. It is behind the proxy. Why? Nobody knows.",
        f"{PORT.capitalize()}. Remember this.",
        f"Remember that {PORT}. Remember that my bike is green.",
        f"Retiens que {PORT}. Merci !",
    ],
)
def test_a_text_that_only_asks_for_saves(text: str) -> None:
    way = route(text)
    assert isinstance(way, Save)
    assert way.only


@pytest.mark.parametrize(
    "text",
    [
        f"Remember that {PORT}. Which port was it before?",
        f"Remember that {PORT}. Write a unit file for it.",
        f"I moved it yesterday. Remember that {PORT}.",
    ],
)
def test_a_text_that_says_more_beside_a_save(text: str) -> None:
    way = route(text)
    assert isinstance(way, Save)
    assert not way.only


def test_what_is_to_be_done_is_told_from_what_is_so() -> None:
    way = route("Remind me to call Ana. Remember that her dog is called Rex.")
    assert isinstance(way, Save)
    assert way.to_do == ("call Ana.",)
    assert len(way.words) == 2
