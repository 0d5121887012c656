"""What shows that two names are one thing, and what does not: pairs of texts, the second in the place of the first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.aliases import MOST_TEXT, proposed
from memory.domain.names_asked import Pair, held, holds, key, others, with_others
from memory.domain.naming import LONGEST

#: One thing with two names. The first text empty: the second says so itself.
SAME = [
    ("The NiPoGi has 32 GB", "The mini PC has 32 GB"),
    ("Le NiPoGi a 32 Go de RAM", "Le mini PC a 32 Go de RAM"),
    ("The mini PC has 32 GB", "My NiPoGi has 32 GB"),
    ("NiPoGi has 32 GB", "The mini PC has 32 GB"),
    ("Marie lives in Lyon", "My sister lives in Lyon"),
    ("Marie habite à Lyon", "Ma sœur habite à Lyon"),
    ("Marie's birthday is 4 May", "My sister's birthday is 4 May"),
    ("I use the NiPoGi AM06PRO daily", "I use the mini PC AM06PRO daily"),
    ("The wifi is called home", "The Wi-Fi is called home"),
    ("Le mot de passe du wifi est sur le frigo", "Le mot de passe du Wi-Fi est sur le frigo"),
    ("Mueller repairs the boiler", "Müller repairs the boiler"),
    ("The NAS is in the cellar", "The network attached storage is in the cellar"),
    ("On prend le RER", "On prend le Réseau Express Régional"),
    ("Marie feeds the cat", "Marie Dupont feeds the cat"),
    ("Lefèvre is our dentist", "Dr Lefèvre is our dentist"),
    ("", "My cat is called Mochi"),
    ("", "Mon chat s'appelle Mochi"),
    ("", "The mini PC, also called NiPoGi, has 32 GB"),
    ("", "I bought a mini PC (alias NiPoGi)"),
    ("", "We use Kubernetes (aka k8s)"),
    ("", "Jean-Baptiste Poquelin, dit Molière, wrote it"),
    ("", "Le serveur de la cave, appelé Atlas, tourne sous Debian"),
    ("", "La voiture, aussi appelée la Titine, est au garage"),
    ("", "Marc, surnommé Toto, vient samedi"),
    ("", "Peter Parker alias Spider-Man"),
    ("", "Our network attached storage (NAS) is full"),
    ("", "We take the RER (Réseau Express Régional)"),
    ("", "My sister, known as Mimi, is a nurse"),
    ("", "Mein Rechner heißt Atlas"),
    ("", "I live in the old mill, also called Villa Rosa"),
    ("", "Mumbai, formerly known as Bombay, is hot"),
    ("", "Notre chien s’appelle « Rex »"),
    ("The e-mail server is down", "The email server is down"),
    ("Paul owes me 20 €", "The plumber owes me 20 €"),
    ("The Dacia does 5 litres per 100 km", "Our car does 5 litres per 100 km"),
    ("Zéphyrin a 12 ans", "Notre fils a 12 ans"),
    ("Le Brother HL-1110 imprime en A4", "L'imprimante imprime en A4"),
    ("Basile takes 10 mg of Xarelto", "My father takes 10 mg of Xarelto"),
    ("The postgres box listens on 5432", "The post-gres box listens on 5432"),
    ("Our VAT number is due on 4 May", "Our value added tax number is due on 4 May"),
    ("Ines plays the cello", "Ines Moreau plays the cello"),
    ("Dr Chen sees me on 3 June", "Chen sees me on 3 June"),
    ("", "The heat pump (aka Hermione) was serviced"),
    ("", "Ma belle-mère, surnommée Mamou, arrive mardi"),
    ("", "Our boat is named Calypso"),
    ("", "Mon NAS s’appelle Bidule"),
    ("", "Saint Petersburg, formerly called Leningrad"),
    ("", "Prends la D117, aussi appelée la route des crêtes"),
    ("", "The Compagnie Générale des Eaux (CGE) raised its price"),
    ("", "Robert, dit Bob, a 40 ans"),
]
#: Something else: a changed value, another subject, or nothing about a name.
OTHER = [
    ("I sold the AM06 PRO", "I sold the AM06PRO"),
    ("", "The box in the cellar, a.k.a. Atlas, is loud"),
    ("lives in Oslo", "lives in Bergen"),
    ("Marie lives in Oslo", "Marie lives in Bergen"),
    ("Il habite à Lyon", "Il habite à Paris"),
    ("The NiPoGi has 32 GB", "The NiPoGi has 64 GB"),
    ("The meeting is on Friday", "The meeting is on Thursday"),
    ("Friday is the deadline", "The 12th is the deadline"),
    ("Marie has two cats", "Anna has two cats"),
    ("Marie has 2 cats", "Maria has 2 cats"),
    ("The car is red", "The car is blue"),
    ("The car is blue", "The car is dark blue"),
    ("I prefer Firefox", "I prefer the new browser"),
    ("Oslo is where I live", "The capital is where I live"),
    ("Python is my favourite language", "The new compiler is my favourite language"),
    ("The server runs Debian 12", "The server runs Ubuntu 24"),
    ("The rent is 1.5 k", "The rent is 15 k"),
    ("I live in York", "I live in New York"),
    ("York is cold in winter", "New York is cold in winter"),
    ("The red car costs 5000 €", "The blue car costs 5000 €"),
    ("The car costs 5000 €", "The bike costs 5000 €"),
    ("My doctor is Lefèvre", "My doctor is Martin"),
    ("Mon médecin est le Dr Lefèvre", "Mon médecin est ma voisine"),
    ("The cat eats at 7", "The dog eats at 7"),
    ("The Volvo has 5 doors", "The Saab has 5 doors"),
    ("I work at Acme", "I work at a bank"),
    ("Thursday's meeting is in room B12", "The weekly meeting is in room B12"),
    ("Ship it", "Ship it tomorrow"),
    ("He drinks tea", "She drinks tea"),
    ("The deadline is March 3", "The deadline is the third of March"),
    ("", "I called Marie yesterday"),
    ("", "Hier, j'ai appelé Marie"),
    ("", "Yesterday, called Marie about the boat"),
    ("", "Le médecin, dit Marie, est absent"),
    ("", "Oui, dit Marie"),
    ("", "The meeting is called off"),
    ("", "I made an alias for ls"),
    ("", "The DNS alias forge.local points to the box"),
    ("", "He is well known as a liar"),
    ("", "My cat is not called Mochi"),
    ("", "Comment s'appelle le chat de Marie ?"),
    ("", "Il s'appelle Paul"),
    ("", "Marie called the plumber (again)"),
    ("", "The report (PDF) is on the desk"),
    ("", "I also called Marie"),
    ("The password is hunter2", "The password is hunter3"),
    ("My phone number is 0612345678", "My phone number is 0798765432"),
    ("Paul and Marie come on 4 May", "Paul and Anna come on 4 May"),
    ("Today it rained 20 mm", "Yesterday it rained 20 mm"),
    ("Breakfast is at 8", "Dinner is at 8"),
    ("Le train part de Lyon à 8 h", "Le train part de la gare à 8 h"),
    ("The lamp is in Oslo near B12", "The lamp is in the shed near B12"),
    ("We eat at Luigi on Monday", "We eat at home on Monday"),
    ("Java 17 is required", "The JDK 17 is required"),
    ("Backups run at 2 on the Synology", "Backups run at 3 on the Synology"),
    ("I gave the keys to Paul", "I gave the keys to the neighbour"),
    ("Basile takes 10 mg of Xarelto", "Basile takes 20 mg of Xarelto"),
    ("The flight leaves from Orly at 9", "The flight leaves from Roissy at 9"),
    ("Sophie teaches physics", "Camille teaches physics"),
    ("We chose PostgreSQL", "We chose SQLite"),
    ("Le rendez-vous est chez le dentiste", "Le rendez-vous est chez Marie"),
    ("My brother works at Thales", "My brother works at Airbus"),
    ("Le chat mange du saumon", "Le chat mange du poulet"),
    ("The gate code is 4711", "The gate code is A4711B"),
    ("Call the bank", "Call the plumber"),
    ("The house in Porto has 4 rooms", "The house in Vigo has 4 rooms"),
    ("I am allergic to peanuts", "I am allergic to Ibuprofen"),
    ("The boiler was serviced by Engie in 2023", "The boiler was serviced by a friend in 2023"),
    ("Red wine", "White wine"),
    ("Paris", "London"),
    ("Nadia", "my cousin"),
    ("The key is under the mat", "The key is at Nadia's"),
    ("I prefer tea", "I prefer Earl Grey tea"),
    ("Our anniversary is on 8 July", "Our anniversary is on 9 July"),
    ("Version 3.2 is live", "Version 3.3 is live"),
    ("Le code wifi est Rouge7", "Le code wifi est Bleu9"),
    ("Tom has the keys to B4", "Tim has the keys to B4"),
    ("Nobody has the keys to B4", "Tim has the keys to B4"),
    ("The office closes at 6", "The shop closes at 6"),
    ("The Peugeot needs tyres", "The bike needs tyres"),
    ("", "We called Ines"),
    ("", "It is so called because of the river"),
    ("", "A function called main starts it"),
    ("", "Il a dit Marie et pas Anne"),
    ("", "The school, said Ines, is closed"),
    ("", "The town (Porto) is nice"),
    ("", "I was named after Ines"),
    ("", "That is known as the Streisand effect"),
    ("", "The alias table is empty"),
    ("", "She is known as Mimi"),
]


@pytest.mark.parametrize(("before", "after"), SAME)
def test_evidence_makes_a_proposal(before: str, after: str) -> None:
    assert len(proposed(before, after)) == 1


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_a_changed_value_is_no_other_name(before: str, after: str) -> None:
    assert proposed(before, after) == ()


@pytest.mark.parametrize(
    ("before", "after", "name", "other"),
    [
        ("The NiPoGi has 32 GB", "The mini PC has 32 GB", "NiPoGi", "mini PC"),
        ("Marie’s birthday is 4 May", "My sister’s birthday is 4 May", "Marie", "sister"),
        ("", "Le serveur de la cave, appelé Atlas, tourne sous Debian", "serveur", "Atlas"),
        ("", "Our network attached storage (NAS) is full", "network attached storage", "NAS"),
        ("", "Notre chien s’appelle « Rex »", "chien", "Rex"),
        ("Chen sees me on 3 June", "Dr Chen sees me on 3 June", "Chen", "Dr Chen"),
    ],
)
def test_a_name_is_proposed_as_it_was_written_without_its_article(
    before: str, after: str, name: str, other: str
) -> None:
    assert proposed(before, after) == (Pair(name, other),)


def test_a_long_text_proposes_nothing() -> None:
    said = "My cat is called Mochi."

    assert proposed("", said + " It sleeps." * (MOST_TEXT // 11 - 5)) == (Pair("cat", "Mochi"),)
    assert proposed("", said + " It sleeps." * MOST_TEXT) == ()


@given(st.text(), st.text())
def test_whatever_is_written_both_names_can_be_told_apart_and_kept(before: str, after: str) -> None:
    for pair in proposed(before, after):
        assert key(pair.name) != key(pair.other)
        assert all(0 < len(name) <= LONGEST for name in (pair.name, pair.other))


PAIRS = [Pair("NiPoGi", "mini PC"), Pair("mini PC", "Atlas"), Pair("Zoé", "ma sœur"), Pair("猫", "ミケ")]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How much RAM has the nipogi?", ("mini PC", "Atlas")),
        ("Are the Mini-PCs loud?", ("NiPoGi", "Atlas")),
        ("Is the NiPoGi a mini PC?", ("Atlas",)),
        ("Où habite zoe ?", ("ma sœur",)),
        ("猫は何を食べる?", ("ミケ",)),
        ("Is a PC mini?", ()),
        ("Zoology?", ()),
        ("", ()),
    ],
)
def test_a_question_gets_the_other_names_of_what_it_names(question: str, names: tuple[str, ...]) -> None:
    written = [name for pair in PAIRS for name in (pair.name, pair.other)]

    assert others([each.name for each in held(question, written)], PAIRS) == names


def test_a_name_is_held_whole() -> None:
    assert holds("Is the mini PC on?", "mini PC")
    assert not holds("Is the PC on?", "mini PC")


def test_other_names_stand_after_the_one_that_is_held_or_instead_of_it() -> None:
    question = "Are Zoé’s Mini-PCs loud?"
    [name] = held(question, ["mini PC"])

    assert with_others(question, name, ["NiPoGi"], instead=False) == "Are Zoé’s Mini-PCs NiPoGi loud?"
    assert with_others(question, name, ["NiPoGi"], instead=True) == "Are Zoé’s NiPoGi loud?"


@given(st.text(), st.text(min_size=1))
def test_a_name_that_is_held_is_where_it_is_said_to_be(text: str, name: str) -> None:
    for each in held(f"{text} {name} {text}", [name]):
        assert key(f"{text} {name} {text}"[each.start : each.end]) == key(name)
