"""What notes are about: tokens, rarity, subjects and labels, by examples and by properties."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain.subjects import Labelled, Note, Rarity, labelled, note, rarity, subjects, tokens

#: Eleven entries as somebody kept them. Of 1, 307 and 315 the words are the reference's own, the others are made so
#: that they have its structure: 308 is about the machine of 307 and 315, 317 says 1 with more words, one more entry
#: runs `podman` and others say `possède`, and nothing else is shared.
KEPT = {
    1: "Possède un Steam Deck",
    307: "Matériel : NiPoGi AM06PRO, processeur Ryzen 5500U, 32 Go de RAM, SSD 256 Go",
    308: "Le NiPoGi AM06PRO reste allumé la nuit pour les sauvegardes",
    309: "Possède un vélo de course rouge",
    310: "Préfère le thé vert sans sucre",
    311: "Apprend le rust depuis janvier",
    312: "Le chat s'appelle Moustache",
    313: "Déploie ses sites avec podman",
    314: "Possède une maison en Bretagne",
    315: "NiPoGi AM06PRO, Arch, 5500U, 32Go RAM, SSD 256Go, Ansible, services Podman",
    317: "Possède un Steam Deck OLED avec une station d'accueil",
}
#: What everybody says all the time is in the archive, which is counted with them.
ARCHIVE = [f"user: j'ai un souci {number} avec le serveur, une idée ?" for number in range(195)]


def golden() -> Rarity:
    return rarity([tokens(text) for text in (*KEPT.values(), *ARCHIVE)], max_df=0.2)


def test_tokens_are_lowercase_runs_of_letters_or_of_digits() -> None:
    assert tokens("32Go, l'AM06PRO à_x") == ("32", "go", "l", "am", "06", "pro", "à", "x")
    assert tokens("e\u0301te\u0301") == ("été",)
    assert tokens(" …!") == ()


def test_the_limit_of_206_entries_is_41_and_there_are_two_subjects() -> None:
    rare = golden()
    found = subjects([note(pk, text) for pk, text in KEPT.items()], rare)
    assert (rare.size, rare.limit) == (206, 41)
    assert [one.ids for one in found] == [(307, 308, 315), (1, 317)]
    assert not {one.name for one in found} & {"podman", "possède"}


def test_a_limit_is_one_at_the_least_and_exact_where_a_float_is_not() -> None:
    assert rarity([], max_df=0.2).limit == 1
    assert rarity([("a",)] * 100, max_df=0.29).limit == 29


def test_the_rest_of_a_longer_name_decides_between_equals() -> None:
    notes = [note(1, "red kettle"), note(2, "red kettle")]
    [found] = subjects(notes, rarity([], max_df=1))
    assert (found.name, found.shared) == ("kettle", ("kettle", "red"))


words = st.lists(st.sampled_from("abcdefgh"), max_size=5).map(frozenset)
notes = st.lists(st.builds(Note, st.integers(1, 99), words), max_size=12, unique_by=lambda one: one.id)
rarities = st.builds(
    Rarity, st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 9)), st.just(9), st.integers(1, 9)
)


@given(notes, rarities, st.integers(2, 3), st.integers(1, 3), st.randoms(use_true_random=False))
def test_no_order_of_the_notes_changes_the_subjects(
    kept: list[Note], rare: Rarity, least: int, shared: int, chance: random.Random
) -> None:
    other = chance.sample(kept, len(kept))
    assert subjects(kept, rare, min_sources=least, shared=shared) == subjects(
        other, rare, min_sources=least, shared=shared
    )


@given(notes, rarities, st.integers(2, 3), st.integers(1, 3))
def test_every_subject_is_the_best_of_what_was_left_and_nothing_is_left_that_were_one(
    kept: list[Note], rare: Rarity, least: int, shared: int
) -> None:
    """Against a slow reading of the rule to the letter."""
    pool = {one.id: frozenset(word for word in one.words if rare.informs(word)) for one in kept}
    for found in [*subjects(kept, rare, min_sources=least, shared=shared), None]:
        groups = []
        for word in frozenset().union(*pool.values()) if pool else ():
            ids = tuple(sorted(pk for pk, held in pool.items() if word in held))
            common = frozenset.intersection(*(pool[pk] for pk in ids))
            if len(ids) >= least and len(common) >= shared:
                groups.append(((-len(ids), -len(common), -len(word), word), word, tuple(sorted(common)), ids))
        assert (min(groups)[1:] if groups else None) == (found and (found.name, found.shared, found.ids))
        for pk in found.ids if found else ():
            del pool[pk]


@pytest.mark.parametrize(
    ("text", "label", "details"),
    [
        ("Matériel : NiPoGi, 32 Go; SSD", "Matériel", ("NiPoGi", "32 Go", "SSD")),
        ("Le NiPoGi a 32 Go", "", ("Le NiPoGi a 32 Go",)),
        ("one two three four: a, b", "", ("one two three four: a, b",)),
        ("Matériel : , ;", "", ("Matériel : , ;",)),
        (": a, b", "", (": a, b",)),
        ("Heures: 10:30, 11:30", "Heures", ("10:30", "11:30")),
    ],
)
def test_a_label_is_at_most_three_words_before_a_colon_with_something_behind_it(
    text: str, label: str, details: tuple[str, ...]
) -> None:
    assert labelled(text) == Labelled(label, details)
