"""The plan of a fold over values: the worked examples to the byte, and the gates each by itself."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from forgesite.lib.tokens import estimate
from memory.domain.exact_words import exact
from memory.domain.fold_gates import Line, invented, judge
from memory.domain.fold_values import Fold, Plan, Source
from memory.domain.folding import plan
from memory.domain.happenings import tells_what_happened
from memory.domain.hot_block import Kept, lined
from memory.domain.subjects import Rarity, rarity, tokens
from memory.tests.folds import DECK, DECK_MORE, HARDWARE, LINE, RAM, TALK, TELEGRAM, WHOLE


def cost(source: Source) -> int:
    return estimate(lined(Kept(source.id, source.kind, source.project, source.text), "-")) + 1


def rare(texts: Sequence[str]) -> Rarity:
    return rarity([frozenset(tokens(text)) for text in (*texts, *TALK)], max_df=0.2)


def of(*sources: Source, least: int = 2) -> Plan:
    return plan(sources, rare([each.text for each in sources]), min_sources=least, cost=cost)


def folds(*texts: str) -> tuple[Fold, ...]:
    return of(*(Source(pk, text) for pk, text in enumerate(texts, 1))).folds


def test_three_notes_on_one_machine() -> None:
    [fold] = of(Source(17, RAM), Source(307, HARDWARE), Source(315, TELEGRAM)).accepted

    assert fold.line == LINE
    assert fold.folds == fold.sources == (17, 307, 315)


def test_a_fourth_note_that_says_more_takes_the_place_of_what_it_says() -> None:
    [fold] = folds(HARDWARE, TELEGRAM, RAM, WHOLE)

    assert fold.line == (
        "Matériel : SSD 256 Go, Arch, Ansible, services Podman, "
        "Le NiPoGi AM06PRO a un processeur Ryzen 5500U et 32 Go de RAM."
    )
    assert len(fold.folds) == 4


def test_a_note_that_another_one_says_is_absorbed() -> None:
    [fold] = folds(DECK, DECK_MORE)

    assert (fold.into, fold.folds, fold.line) == (2, (1,), "")


def test_a_line_that_says_one_thing_in_two_ways_is_refused() -> None:
    [fold] = folds("Matériel : NiPoGi AM06PRO, 32 Go de RAM, SSD 256 Go", "Le NiPoGi a 32 Go de mémoire, Arch")

    assert (fold.refused, fold.folds) == ("repetition", ())
    assert "32 go" in fold.repeated


def test_of_ten_notes_of_a_store_two_subjects_fold() -> None:
    found = of(
        Source(1, DECK),
        Source(2, "Possède un Dell R710, configuration à préciser plus tard"),
        Source(307, HARDWARE),
        Source(308, "NiPoGi AM06PRO processeur Ryzen 5500U"),
        Source(309, "Le proxy podman écoute sur un socket unix"),
        Source(310, "J'utilise aardvark-dns pour la résolution"),
        Source(314, "Services tournant sous podman : forge, forge-llm, forge-embedding, searxng"),
        Source(315, TELEGRAM),
        Source(317, DECK_MORE),
    )

    assert {fold.sources for fold in found.accepted} == {(307, 308, 315), (1, 317)}


def test_a_word_from_nowhere_is_closed_out() -> None:
    known = rare([HARDWARE, RAM])

    assert invented("Le NiPoGi a une carte Nvidia et 512 Go", [RAM], known) == ("carte", "nvidia", "512")
    assert judge(line("Le NiPoGi a 512 Go"), known).refused == "closure"


def line(text: str, sources: Sequence[str] = (HARDWARE, RAM), price: int = 1) -> Line:
    return Line(text, dict(enumerate(sources)), 2, lambda _text, ids: (price, 10 * len(list(ids))))


def test_a_source_whose_words_are_not_all_there_stays() -> None:
    judged = judge(line(HARDWARE, (HARDWARE, RAM, TELEGRAM)), rare([HARDWARE, RAM, TELEGRAM]))

    assert judged.foldable == (0, 1)
    assert "ansible" in (judged.uncovered or {})[2]


def test_a_line_that_stands_for_one_note_is_refused() -> None:
    assert judge(line(RAM), rare([HARDWARE, RAM])).refused == "quorum"


@pytest.mark.parametrize(("price", "refused"), [(15, ""), (16, "budget")])
def test_a_line_has_to_save_a_quarter(price: int, refused: str) -> None:
    assert judge(line(HARDWARE, price=price), rare([HARDWARE, RAM])).refused == refused


@pytest.mark.parametrize(
    ("left_alone", "reason"),
    [
        (Source(1, RAM, pinned=True), "pinned"),
        (Source(1, RAM, kind="event"), "event"),
        (Source(1, RAM, kind="todo"), "todo"),
        (Source(1, RAM, dated=True), "dated"),
        (Source(1, RAM, keyed=True), "keyed"),
    ],
)
def test_what_is_fixed_takes_no_part_and_is_counted(left_alone: Source, reason: str) -> None:
    found = of(left_alone, Source(2, HARDWARE), Source(3, TELEGRAM))

    assert found.left_alone == {reason: 1}
    assert all(1 not in fold.sources for fold in found.folds)


def test_an_entry_is_not_absorbed_by_one_of_another_project() -> None:
    [fold] = of(Source(1, DECK, project="games"), Source(2, DECK_MORE, project="forge")).folds

    assert (fold.refused, fold.why, fold.into) == ("quorum", {1: "another project"}, None)


def test_a_preference_is_absorbed_by_its_like_alone() -> None:
    assert of(Source(1, DECK, kind="preference"), Source(2, DECK_MORE)).folds[0].why == {1: "another kind"}
    assert of(Source(1, DECK, kind="preference"), Source(2, DECK_MORE, kind="preference")).accepted


def test_lists_of_two_things_are_not_thrown_together() -> None:
    beelink = "Matériel : Beelink EQ12, 32 Go de RAM, SSD 256 Go, Arch"
    [fold] = folds(HARDWARE, beelink)

    assert (fold.refused, fold.why) == ("quorum", {2: "another thing"})


def test_lists_under_two_labels_are_not_thrown_together() -> None:
    [fold] = folds("NiPoGi : AM06PRO, 32 Go de RAM", "Beelink : AM06PRO, 32 Go de RAM")

    assert (fold.refused, fold.why) == ("quorum", {2: "another label"})


def test_where_no_line_can_be_made_who_says_all_of_one_speaks_for_that_one() -> None:
    [fold] = folds(DECK, DECK_MORE, "Le Steam Deck possède une housse noire du magasin de la gare et un câble long")

    assert (fold.into, fold.folds, fold.why) == (2, (1,), {3: "repetition"})


def test_what_is_held_back_becomes_a_suggestion() -> None:
    [fold] = folds(RAM, "Le NiPoGi n'a pas 32 Go de RAM")

    [suggested] = fold.suggestions
    assert (suggested.entries, suggested.why, suggested.verdict) == ((1, 2), "negation", "conflict")
    assert fold.why == {2: "negation"}


def test_equal_words_in_another_order_are_both_kept() -> None:
    [fold] = folds("Alice a battu Bob", "Bob a battu Alice")

    [suggested] = fold.suggestions
    assert (suggested.why, suggested.verdict) == ("order", "keep both")
    assert fold.refused


def test_other_numbers_of_one_thing_are_shown_as_a_conflict() -> None:
    [fold] = folds("Alice : pommes 5, poires 3, stand rouge", "Alice : pommes 3, poires 5, stand rouge")

    assert (fold.refused, fold.why) == ("quorum", {1: "numbers", 2: "numbers"})
    assert {(each.why, each.verdict) for each in fold.suggestions} == {("numbers", "conflict")}


def test_what_happened_on_two_days_is_told_twice() -> None:
    one, other = "Played tennis with Paul", "Played tennis with Paul and Léa"
    assert of(Source(1, one, day="2026-05-01"), Source(2, other, day="2026-05-01")).accepted
    [fold] = of(Source(1, one, day="2026-05-01"), Source(2, other, day="2026-05-08")).folds

    assert (fold.refused, fold.why) == ("quorum", {1: "another time"})


def test_without_a_label_the_line_begins_with_the_subject_as_it_was_written() -> None:
    [fold] = folds("Le NiPoGi est sous la table", "Le NiPoGi est sous Arch Linux", "Le NiPoGi est sous tension Arch")

    assert fold.line.startswith("NiPoGi : Le NiPoGi est sous la table, ")


def test_a_name_that_ends_as_a_verb_of_the_past_tells_nothing_that_happened() -> None:
    words = exact("Possède un Steam Deck OLED de 512 Go").words
    assert not tells_what_happened(words)
    assert all(tells_what_happened(exact(text).words) for text in ("Visited Rome", "Lives here. Visited Rome"))
