"""What a text asks for, and whether a save is all of it."""

from __future__ import annotations

import pytest

from chat.domain.route import Erase, Save, SaveLast, route

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


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("forget what I said about the wifi", "the wifi"),
        ("Please forget everything about my old job.", "my old job"),
        ("Hi! Can you forget all you know about Paul please?", "Paul"),
        ("delete everything I told you about the bank", "the bank"),
        ("forget my wifi password", "my wifi password"),
        ("oublie ce que j'ai dit sur le portail", "le portail"),
        ("Oublie tout ce que tu sais de Paul, stp.", "Paul"),
        ("oublie tout sur mon ancien travail", "mon ancien travail"),
        ("Vergiss alles über Paul.", "Paul"),
        ("olvida lo que dije sobre el banco", "el banco"),
    ],
)
def test_what_is_to_be_forgotten_is_named(text: str, about: str) -> None:
    assert route(text) == Erase(about)


@pytest.mark.parametrize("text", ["Forget #6", "please delete entry 6.", "oublie l'entrée #6 stp"])
def test_an_entry_to_be_forgotten_is_named_by_its_id(text: str) -> None:
    way = route(text)
    assert isinstance(way, Erase)
    assert way.entry == 6


@pytest.mark.parametrize(
    "text",
    [
        "forget it",
        "delete 3",
        "delete 3 lines from the file",
        "Forget 6pm",
        "Forget about dinner, we eat out.",
        "Forget my last question.",
        "I always forget what I said about the wifi.",
        "Forget what I said about the wifi. The password is hunter-22.",
        "Don't forget what I said about the wifi",
        "Delete everything on my disk about Paul",
        "oublie ça",
    ],
)
def test_what_only_sounds_like_it_is_no_ask_to_forget(text: str) -> None:
    assert not isinstance(route(text), Erase)


@pytest.mark.parametrize("text", ["Remember that.", "please remember this!", "Retiens ça stp", "Ok, remember that"])
def test_an_ask_alone_is_of_what_came_before(text: str) -> None:
    assert route(text) == SaveLast()


@pytest.mark.parametrize("text", ["Do you remember that?", "I remember that.", "Remember that. Why?", ""])
def test_an_ask_with_anything_else_is_not(text: str) -> None:
    assert route(text) != SaveLast()
