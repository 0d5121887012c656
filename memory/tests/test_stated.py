"""What a model may save: only what the person stated themselves, of themselves, in their own words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.stated import about_another, states_something, unstated

CODE = "Look:\n```\npassword = hunter2\n```\nI keep this file on the NAS."
QUOTE = 'Anna wrote: "I love sushi and I live in Rome with two cats". I disagree.'

STATED = [
    ("I own a NiPoGi with 32 GB. Does it run Proxmox?", "Owns a NiPoGi with 32 GB"),
    ("J'ai un NiPoGi avec 32 Go de RAM.", "Possède un NiPoGi (32 Go de RAM)"),
    ("I'm using PostgreSQL 16 at work.", "User uses PostgreSQL 16 at work"),
    ("We chose B-tree over skip list for the new index.", "Decided on B-tree over skip list for the new index"),
    ("I live in Zürich.", "Lives in Zurich"),
    ("I live in Paris and Anna in Lyon.", "Lives in Paris"),
    ("I don't eat meat but I eat fish.", "Does not eat meat"),
    ("I don't eat meat but I eat fish.", "Eats fish"),
    ("Je n’aime pas le thé.", "N'aime pas le thé"),
    ("I love sushi.", "Likes sushi"),
    ("We meet on 3.5.2026 at 10:30.", "Meeting on 3.5.2026 at 10:30"),
    ("I have two cats and 1,000 books.", "Has 2 cats and 1000 books"),
    ("My favourite book is “Dune”.", "Favorite book: Dune"),
    ('I think the "Wends speak softer than all Drukar" thing is odd.',) * 2,
    ("I used to live in Rome, now I live in Oslo.", "Lived in Rome"),
    ("I usually run 10 km on Sundays.", "Runs 10 km on Sundays"),
    ("I quit smoking two years ago.", "Stopped smoking 2 years ago"),
    ("Mon fils Léo a 7 ans et il adore les dinosaures.", "Léo adore les dinosaures"),
    ("On a acheté une Dacia Sandero bleue.", "Possède une Dacia Sandero bleue"),
    ("My server is `nas-01`.", "The server is nas-01"),
    ("My sister Anna lives in Lyon.", "Sister Anna lives in Lyon"),
    ("我住在里昂。", "用户住在里昂"),
    ("私は東京に住んでいます。", "東京に住んでいる"),
    ("Ich wohne in Berlin und mag Tee.", "Wohnt in Berlin"),
    ("Vivo en Madrid y me gusta el té.", "Le gusta el té"),
]
UNSTATED = [
    ("I own a NiPoGi with 32 GB. Does it run Proxmox?", "Owns a NiPoGi that runs Proxmox", "proxmox"),
    ("I own a NiPoGi with 32 GB.", "Owns a NiPoGi with 64 GB", "64"),
    ("J'ai un NiPoGi avec 32 Go de RAM.", "Possède un NiPoGi avec 64 Go de RAM", "64"),
    ("I live in Lyon.", "Lives in Paris", "paris"),
    ("I love sushi.", "Hates sushi", "hates"),
    ("J'adore les sushis.", "Déteste les sushis", "deteste"),
    ("I don't eat meat but I eat fish.", "Eats meat", "don't"),
    ("Je n'aime pas le thé.", "Aime le thé", "n"),
    ("I stopped smoking.", "Is smoking", "stopped"),
    ("I eat fish.", "Does not eat fish", "not"),
    ("I drink tea.", "Only drinks tea", "only"),
    ("I want a Tesla.", "Has a Tesla", "has"),
    ("I rented a Tesla.", "Wants a Tesla", "wants"),
    ("I used to live in Rome, now I live in Oslo.", "Lives in Rome", "used"),
    ("Our deploys on Fridays are not allowed.", "Deploys on Fridays are allowed", "not"),
    ("I don't have a car.", "Has a car", "don't"),
    ("I can't stand jazz.", "Likes jazz", "likes"),
    ("We move to Berlin in March.", "Moves to Berlin in May", "may"),
    ("Is it true that I live in Oslo? I like tea.", "Lives in Oslo", "oslo"),
    ("I saw a Tesla.", "Uses a Tesla", "uses"),
    ("We meet on 3.5.2026.", "Meet on 5.3.2026", "5.3.2026"),
    ("J'habite à Lyon.", "Lives in Lyon", "lives"),  # a translation is not what they said
    ("I live in Lyon.", "Habite à Lyon", "habite"),
    (CODE, "The password is hunter2", "hunter2"),
    (QUOTE, "Loves sushi", "sushi"),
    ("> I love sushi\nI disagree with that.", "Loves sushi", "sushi"),
    ("我住在里昂。", "住在巴黎", "巴黎"),
    ("Ich wohne in Berlin.", "Wohnt in Hamburg", "hamburg"),
]
ANOTHERS = [
    ("My sister Anna lives in Lyon.", "Lives in Lyon"),
    ("My sister Anna lives in Lyon.", "The user lives in Lyon"),
    ("My sister Anna lives in Lyon.", "I live in Lyon with Anna"),
    ("Ma sœur Anna habite à Lyon.", "Habite à Lyon"),
    ("Ma sœur Anna habite à Lyon.", "L'utilisateur habite à Lyon"),
    ("Anna lives in Lyon and I live in Paris.", "Lives in Lyon"),
    ("I live in Paris and Anna in Lyon.", "Lives in Lyon"),
    ("My boss hates Mondays. I like tea.", "Hates Mondays"),
    ("Mon chef déteste les lundis, moi j'aime le thé.", "Déteste les lundis"),
    ("She works at Airbus.", "Works at Airbus"),
    ("Anna préfère le train, elle déteste l'avion.", "Déteste l'avion"),
    ("I told my brother to visit Rome.", "Will visit Rome"),
    ("My sister's favourite dish is lasagna.", "Favourite dish is lasagna"),
    ("Le plat préféré de ma sœur est la lasagne.", "Plat préféré : lasagne"),
    ("My sister has a cat.", "Has a cat"),
    ("Mein Bruder wohnt in Berlin.", "Wohnt in Berlin"),
    ("Peter lives in Lyon.", "Lives in Lyon"),
    ("Mohammed uses Vim.", "Uses Vim"),
    ("anna lives in lyon", "Lives in Lyon"),
    ("We're moving to Berlin because Paul got a job at Zalando.", "Works at Zalando"),
    ("My husband works at Airbus, and I work at Thales.", "Works at Airbus and Thales"),
    ("Mon fils Léo a 7 ans et il adore les dinosaures.", "Adore les dinosaures"),
    ("Paul told me that he is gay.", "Is gay"),
    ("My friends love techno.", "Loves techno"),
    ("My server nas-01 runs Debian 12.", "Runs Debian 12"),
    ("Her boss lives in Lyon.", "Lives in Lyon"),
    ("My landlord is allergic to dogs.", "Allergic to dogs"),
    ("Je crois que ma mère déteste le bruit.", "Déteste le bruit"),
]
OWN = [
    ("My wife and I live in Nantes.", "Lives in Nantes"),
    ("Ma femme et moi habitons à Nantes.", "Habite à Nantes"),
    ("I promised my sister to visit Rome.", "Will visit Rome"),
    ("My boss hates Mondays. I like tea.", "Likes tea"),
    ("Mon chef déteste les lundis, moi j'aime le thé.", "Aime le thé"),
    ("Karis wants me to attend the meeting on April 10.", "Will attend the meeting on April 10"),
    ("My sister Anna lives in Lyon.", "Has a sister, Anna, who lives in Lyon"),
    ("My sister Anna lives in Lyon.", "User's sister Anna lives in Lyon"),
    ("Ma sœur Anna habite à Lyon.", "La sœur de l'utilisateur habite à Lyon"),
    ("Anna préfère le train, elle déteste l'avion.", "Anna déteste l'avion"),
    ("My favorite color is blue.", "Favorite color is blue"),
    ("J'habite à Lyon depuis mars.", "Habite à Lyon depuis mars"),
    ("Decided to switch from Tesseract to PaddleOCR.", "Uses PaddleOCR instead of Tesseract"),
    ("I know Anna, Bert, Carl Maier and Dora.", "Knows Carl Maier"),
    ("I will get her flowers on Friday.", "Will buy flowers on Friday"),
    ("Mon fils Léo a 7 ans et il adore les dinosaures.", "Le fils Léo a 7 ans et adore les dinosaures"),
    ("My doctor told me to avoid salt.", "Should avoid salt"),
    ("We're moving to Berlin because Paul got a job at Zalando.", "Moving to Berlin"),
    ("Recently moved to Lyon.", "Moved to Lyon"),
    ("J'utilise le chat de Mattermost au travail.", "Utilise Mattermost au travail"),
    ("Il fait froid à Lyon.", "Fait froid à Lyon"),
]


@pytest.mark.parametrize(("said", "text"), STATED)
def test_what_the_person_said_is_stated(said: str, text: str) -> None:
    assert unstated(text, [said]) == ()
    assert not about_another(text, [said])


@pytest.mark.parametrize(("said", "text", "word"), UNSTATED)
def test_what_they_did_not_say_is_named(said: str, text: str, word: str) -> None:
    assert word in unstated(text, [said])


@pytest.mark.parametrize(("said", "text"), ANOTHERS)
def test_what_is_said_of_another_is_not_saved_as_the_persons(said: str, text: str) -> None:
    assert about_another(text, [said])


@pytest.mark.parametrize(("said", "text"), OWN)
def test_what_names_its_subject_or_is_the_persons_own_is(said: str, text: str) -> None:
    assert not about_another(text, [said])


def test_words_of_earlier_messages_count_and_their_questions_do_not() -> None:
    assert unstated("Anna lives in Lyon", ["My sister is called Anna.", "She lives in Lyon."]) == ()
    assert unstated("Owns a NiPoGi", ["Do I own a NiPoGi?", "I am tired."]) == ("owns", "nipogi")


def test_an_explicit_ask_states_its_words_also_with_a_question_mark() -> None:
    assert unstated("The port is 8080", ["Remember that the port is 8080?"]) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Do I own a server?",
        "Which bikes do I own? Mention ONLY two. Answer yes or no.",
        "Bonjour !",
        "Run the tests please",
        "```\nx = 1\n```",
        "",
        "  ",
    ],
)
def test_a_turn_without_a_statement_states_nothing(text: str) -> None:
    assert not states_something(text)


@pytest.mark.parametrize(
    "text", ["I own a server. Do I?", "J'ai un chat.", "Remember that I own a cat?", "我住在里昂。"]
)
def test_one_sentence_that_is_no_question_is_enough(text: str) -> None:
    assert states_something(text)


@given(st.lists(st.sampled_from([said for said, _text in STATED]), min_size=1, max_size=4))
def test_a_persons_own_statement_is_always_stated(said: list[str]) -> None:
    for one in said:
        if "?" not in one:
            assert unstated(one, said) == ()


@given(st.text(max_size=200), st.lists(st.text(max_size=200), max_size=3))
def test_no_text_breaks_the_rules(text: str, said: list[str]) -> None:
    assert unstated(text, said) == unstated(text, said)
    about_another(text, said)


@given(st.text(alphabet="bcdfgkz", min_size=4, max_size=12), st.lists(st.text(max_size=100), max_size=3))
def test_a_word_that_nobody_said_is_never_stated(word: str, said: list[str]) -> None:
    if not any(word in one.casefold() for one in said):
        assert unstated(f"Owns a {word}", [*said, "I own a house."]) != ()
