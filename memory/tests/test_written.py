"""What a write is told of its text: a word that may be misspelt, and a telegram; never another text."""

from __future__ import annotations

import pytest
from django.utils import translation

from forgesite.models import Account
from memory.domain.spelling import Hint, hints
from memory.domain.telegram import is_telegram
from memory.models import Entry
from memory.remember import Draft, remember, remember_many

VOCABULARY = frozenset({"kubernetes", "grafana", "postgres", "proxmox", "serveur"})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Runs on Kubernets now", (Hint("kubernets", "kubernetes"),)),  # ratio .947
        ("Le serveurs est neuf", (Hint("serveurs", "serveur"),)),
        ("Grafanna and promox", (Hint("grafanna", "grafana"), Hint("promox", "proxmox"))),
        ("Kubernetes runs", ()),  # known as it is
        ("The grfa of it", ()),  # four letters
        ("Postgresql16 runs", (Hint("postgresql", "postgres"),)),  # digits end a word; ratio .889
        ("A prox of it, mixing", ()),
        ("", ()),
    ],
)
def test_the_closest_word_of_the_store_is_hinted_at(text: str, found: tuple[Hint, ...]) -> None:
    assert hints(text, VOCABULARY) == found


def test_a_word_that_is_less_alike_is_no_hint() -> None:
    assert hints("tartine", {"tarting"}) == (Hint("tartine", "tarting"),)  # 12/14 = .857
    assert hints("tartin", {"tarten"}) == ()  # 10/12 = .833


@pytest.mark.parametrize(
    ("text", "telegram"),
    [
        ("nas, 32 GB, Proxmox", True),
        ("serveur, 32 Go, deux disques, Debian", True),
        ("I bought a server, and it has 32 GB, which is enough", False),
        ("nas, Proxmox", False),
        ("The server runs Proxmox", False),
        ("", False),
    ],
)
def test_a_telegram_is_bits_between_commas(text: str, telegram: bool) -> None:
    assert is_telegram(text) is telegram


@pytest.mark.django_db
def test_a_write_tells_what_may_be_misspelt_and_keeps_the_text(ana: Account) -> None:
    remember_many(ana, [Draft("The cluster runs Kubernetes at home")], actor="person", cause="test")
    saved = remember(ana, Draft("Upgraded Kubernets on Sunday"), actor="person", cause="test")
    [note] = saved.notes
    assert "“kubernets”" in note
    assert "“kubernetes”" in note
    assert Entry.objects.get(pk=saved.entry.pk).text == "Upgraded Kubernets on Sunday"


@pytest.mark.django_db
def test_its_own_words_and_those_of_others_are_no_vocabulary(ana: Account, ben: Account) -> None:
    remember(ben, Draft("Kubernetes runs at home"), actor="person", cause="test")
    assert remember(ana, Draft("Kubernets runs, kubernetes too"), actor="person", cause="test").notes == ()


@pytest.mark.django_db
def test_the_notes_are_in_the_persons_language(ana: Account) -> None:
    with translation.override("fr"):
        [note] = remember(ana, Draft("nas, 32 Go, Proxmox"), actor="person", cause="test").notes
    assert note
