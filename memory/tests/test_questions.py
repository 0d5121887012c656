"""A question never writes, in six languages; an explicit ask does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memory.domain.questions import explicit_asks, is_question, statements, to_be_done

INTAKE = Path(__file__).parent / "data" / "intake"


def labelled(name: str) -> list[tuple[str, str]]:
    """Label and text of each line of a public set of short turns (MIT, see its LICENSE)."""
    folder = INTAKE / "calibration"
    labels = {row["id"]: row["label"] for row in map(json.loads, (folder / "labels.jsonl").read_text().splitlines())}
    rows = map(json.loads, (folder / name).read_text().splitlines())
    return [(labels[row["id"]], row["text"]) for row in rows]


@pytest.mark.parametrize(("label", "text"), labelled("dataset.jsonl") + labelled("dataset.fr.jsonl"))
def test_labelled_questions_commands_and_greetings_state_nothing(label: str, text: str) -> None:
    if label in ("question", "command", "greeting"):
        assert statements(text) == ""
    if label == "statement":
        assert statements(text) == text
    if label == "question":
        assert is_question(text)
        assert statements(text.rstrip("? ")) == ""


@pytest.mark.parametrize("name", ["dataset.jsonl", "dataset.fr.jsonl"])
def test_statements_that_hold_memories_are_kept(name: str) -> None:
    for row in map(json.loads, (INTAKE / "memory_extraction" / name).read_text().splitlines()):
        assert statements(row["text"]) != "", row["text"]


@pytest.mark.parametrize(
    "text",
    [
        "What is my boat called",
        "Which port does the test server use",
        "so what's my port",
        "How many cats do I have",
        "Do you know my name",
        "Is the server up",
        "Tell me where I live",
        "whats my port",
        "remind me of my port",
        "c quoi le code du portail",
        "Rappelle-moi le code du portail",
        "Je possède un serveur ?",
        "Où est la clé",
        "Quel est le port du serveur",
        "Est-ce que j'ai un chat",
        "Comment s'appelle mon chien",
        "A-t-il plu hier",
        "Wie heißt mein Hund",
        "Wo ist mein Schlüssel",
        "Habe ich einen Hund",
        "¿Cómo se llama mi perro",
        "Dónde vive Ana",
        "服务器用哪个端口",
        "我有猫吗",
        "谁是我的医生",
        "テストサーバーのポートは何番ですか",
        "どこに住んでいますか",
        "何時に会議があるの",
        "هل عندي كلب؟",
    ],
)
def test_a_question_states_nothing_with_or_without_its_mark(text: str) -> None:
    assert is_question(text)
    assert statements(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "What I like is tea.",
        "When I travel I take notes.",
        "Will is my brother.",
        "Which is why I moved to Lyon.",
        "How I met Paul is a long story.",
        "Rendez-vous demain à 8h.",
        "Peut-être que je viendrai.",
        "La voiture est là.",
        "No, it's 9090 now.",
        "Hi, I'm Anna.",
        "Non, c'est mardi.",
        "ok 18:30.",
        "Mein Hund heißt Rex.",
        "Mi perro se llama Rex.",
        "我的车是红色的。",
        "車は赤いです。",
    ],
)
def test_a_statement_is_kept_as_written(text: str) -> None:
    assert not is_question(text)
    assert statements(text) == text


def test_only_the_sentences_that_state_something_are_kept() -> None:
    assert statements("My port is 8080. What is yours? I use node.js v0.8.1!") == (
        "My port is 8080. I use node.js v0.8.1!"
    )


def test_code_and_quoted_lines_decide_nothing() -> None:
    assert statements("```\nport = 8080  # what?\n```\n> I own a boat.\nWhat is it?") == ""
    assert statements('He asked "what is it?" and left the room.') == 'He asked "what is it?" and left the room.'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Remember that the test server runs on port 8080", "the test server runs on port 8080"),
        ("Please remember: my cat is Mia. She is grey.", "my cat is Mia. She is grey."),
        ("Remember my birthday is May 3?", "my birthday is May 3?"),
        ("The port is 8080, remember that.", "The port is 8080"),
        ("My car is red. Please remember this.", "My car is red."),
        ("I own a boat. Please remember that.", "I own a boat."),
        ("I own a boat. Don't forget that!", "I own a boat."),
        ("I own a boat. Can you save that for me?", "I own a boat."),
        ("I own a boat. OK, note it down please.", "I own a boat."),
        ("J'ai un bateau. Retiens ça.", "J'ai un bateau."),
        ("J'ai un bateau. N'oublie pas ça !", "J'ai un bateau."),
        ("Ich habe ein Boot. Merk dir das bitte.", "Ich habe ein Boot."),
        ("Tengo un barco. Recuerda eso.", "Tengo un barco."),
        ("Remember that: the port is 8080", "the port is 8080"),
        ("Don't forget to buy milk", "buy milk"),
        ("note that Dr. Smith is my dentist. What is his number?", "Dr. Smith is my dentist."),
        ("Retiens que le port est 8080", "le port est 8080"),
        ("souviens-toi que j’aime le thé", "j’aime le thé"),
        ("N'oublie pas que Paul vient", "Paul vient"),
        ("merk dir, dass mein Hund Rex heißt", "mein Hund Rex heißt"),
        ("recuerda que mi perro se llama Rex", "mi perro se llama Rex"),
        ("请记住：我的车是红色的", "我的车是红色的"),
        ("テストサーバーのポートは8080だと覚えておいて", "テストサーバーのポートは8080だ"),
        ("My car is red. Please remember.", "My car is red."),
        ("My car is red, please remember", "My car is red"),
        ("btw my car is red. Don't forget!", "btw my car is red."),
        ("Paul is a nurse. Ana is a cook. Please remember both.", "Paul is a nurse. Ana is a cook."),
        ("I own a boat. Remember all of that.", "I own a boat."),
        ("I gave the boat away, please note", "I gave the boat away"),
        ("I own a boat. Remember that pls", "I own a boat."),
        ("I own a boat. Remember that, ok?", "I own a boat."),
        ("J'ai un bateau. Retiens ça, merci.", "J'ai un bateau."),
        ("Est-ce que tu peux retenir que je suis gaucher ?", "je suis gaucher"),
        ("Je voudrais que tu retiennes que je suis gaucher.", "je suis gaucher."),
        ("remeber the port is 8080", "the port is 8080"),
        ("btw, dont forget that Paul comes", "Paul comes"),
        ("Can you remember that my car is red?", "my car is red"),
        ("Peux-tu retenir que la voiture est au niveau -2 ?", "la voiture est au niveau -2"),
        ("Can you remember that do I own a boat?", "do I own a boat?"),
        ("todo: buy tires", "buy tires"),
        ("Note to self: the key is under the pot.", "the key is under the pot."),
        ("souviens toi que Léa part", "Léa part"),
        ("Rappelle-moi de payer la taxe", "payer la taxe"),
        ("rappelle moi d'appeler Martin vendredi", "appeler Martin vendredi"),
        ("N'oublie pas d'acheter du pain", "acheter du pain"),
        ("pense à noter que le vol est à 7h40", "le vol est à 7h40"),
        ("À faire : acheter du pain", "acheter du pain"),
        ("On passe à Django 5. À retenir.", "On passe à Django 5."),
        ("La clé est sous le pot, retiens-la stp", "La clé est sous le pot"),
        ('Remember that Ana said "the port is 8080"', 'Ana said "the port is 8080"'),
    ],
)
def test_an_explicit_ask_names_its_words(text: str, words: str) -> None:
    assert explicit_asks(text) == (words,)


@pytest.mark.parametrize(
    "text",
    [
        "I remember that day",
        "Do you remember that?",
        "Remember when we went to Rome?",
        "Note the difference",
        "",
        "Remember that.",
        "Save that as a file",
        "I own a boat. Do you remember that?",
        "We went to Rome. Remember?",
        "I remember.",
        "Rappelle-moi de quoi on parlait",
        "Rappelle-moi le code du portail",
    ],
)
def test_what_only_sounds_like_an_ask_is_none(text: str) -> None:
    assert explicit_asks(text) == ()


@pytest.mark.parametrize("mark", "“«„「『")
def test_a_text_of_marks_that_never_close_is_read_to_its_end(mark: str) -> None:
    """Each of them followed to the end of the text would take hours."""
    assert statements(mark * 500_000 + " The lamp is in the hall.")


@pytest.mark.parametrize("text", ["no thanks", "Yes, please", "hi there", "Non merci beaucoup", "ok great"])
def test_a_greeting_states_nothing(text: str) -> None:
    assert statements(text) == ""


@pytest.mark.parametrize("text", ["Remind me to call Ana.", "todo: call Ana.", "Rappelle-moi d'appeler Ana."])
def test_an_ask_can_say_that_something_is_to_be_done(text: str) -> None:
    assert [to_be_done(text, words) for words in explicit_asks(text)] == [True]


@pytest.mark.parametrize("text", ["Remember to answer in French.", "Remember: call Ana.", "Remind me that Ana calls."])
def test_other_asks_say_nothing_of_the_kind(text: str) -> None:
    assert [to_be_done(text, words) for words in explicit_asks(text)] == [False]


def test_a_text_of_marks_of_an_end_is_read_to_its_end() -> None:
    assert statements("The lamp is in the hall" + "!" * 200_000 + "x") != ""


def test_a_text_of_blanks_is_read_to_its_end() -> None:
    """From each of them looked on to the last one, it would take hours."""
    assert explicit_asks("The lamp is in the hall, remember that" + " " * 200_000 + "x") == ()
