"""What the judge `rules` says of entries, and what it leaves alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retention.domain import rules
from retention.domain.items import BadVerdictError, Item, Row, spread, verdict
from retention.domain.pair_rules import compared
from retention.domain.single_rules import over

SAID = datetime(2026, 1, 20, 9, tzinfo=UTC)
TODAY = datetime(2026, 6, 1, tzinfo=UTC)


def row(pk: int, text: str, *, days: int = 0, pinned: bool = False) -> Row:
    at = SAID + timedelta(days=days)
    return Row(pk, "fact", "", text, at, at, at, pinned=pinned)


def why_over(text: str) -> str:
    return over(row(1, text), TODAY, UTC)


def of_two(older: str, newer: str) -> str:
    return compared(row(1, older), row(2, newer, days=30))[0]


@pytest.mark.parametrize(
    "text",
    [
        "The loan car is ours until 3 March 2026.",
        "Deployments are frozen until 14 February.",
        "Tomorrow the plumber comes to look at the boiler.",
        "We are going to fly to Porto on February 16, 2026.",
        "Le code de la porte est valable jusqu’au 16 février.",
        "La démo est prévue le 14 février 2026.",
        "La semaine prochaine je serai à Lille.",
    ],
)
def test_what_looked_forward_to_a_day_that_has_passed_is_over(text: str) -> None:
    assert why_over(text)


@pytest.mark.parametrize(
    "text",
    [
        "My passport is valid until 29 October 2026.",
        "My daughter was born on 7 May.",
        "We bought the boiler on 21 February.",
        "Every Monday I go swimming until March.",
        "Anna's birthday is on 3 March.",
        "I have worked here since 6 February.",
        "My favourite film is The Day After Tomorrow.",
        "Never call me before I have had my coffee.",
        "Nous avons acheté la terrasse le 7 mars.",
        "Malik s’est marié le 21 février.",
        "Le loyer se paie le 5 de chaque mois.",
        "Is the office closed until 3 March?",
        "Allergic to peanuts",
    ],
)
def test_what_still_holds_happened_or_comes_again_is_not(text: str) -> None:
    assert why_over(text) == ""


def test_a_day_is_not_over_before_it_is_two_days_past() -> None:
    entry = row(1, "The demo is scheduled for 14 February 2026.")

    assert over(entry, datetime(2026, 2, 16, tzinfo=UTC), UTC) == ""
    assert over(entry, datetime(2026, 2, 18, tzinfo=UTC), UTC) == "planned"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Deploys on Fridays are allowed", "Deploys on Fridays are not allowed"),
        ("Deploys on Fridays are allowed", "Deploys on Fridays are never allowed"),
        ("Le NiPoGi a 32 Go", "Le NiPoGi n’a pas 32 Go"),
        ("Freitags darf deployt werden", "Freitags darf nicht deployt werden"),
        ("Se permiten despliegues los viernes", "No se permiten despliegues los viernes"),
        ("周五允许部署", "周五不允许部署"),
        ("Coffee with sugar", "Coffee without sugar"),
        ("Always use tabs in Quarry", "Never use tabs in Quarry"),
        ("I have met Omar at the fair in Oslo last May.", "I have never met Omar at any fair"),
        ("Anna's birthday is on 3 May", "Anna's birthday is on 5 May"),
        ("The server has 16 GB of memory", "The server has 32 GB of memory"),
    ],
)
def test_two_that_contradict_each_other_are_shown(older: str, newer: str) -> None:
    assert of_two(older, newer) == "conflict"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The wifi password is birch-71", "The wifi password is now otter-28"),
        ("I live in Lisbon", "I have moved to Ghent"),
        ("I drink coffee in the morning", "I no longer drink coffee in the morning"),
        ("I use Vim", "I use Emacs now"),
        ("The meeting is on Tuesday", "The meeting was moved to Wednesday"),
        ("On livre le vendredi", "On livre maintenant le mardi au lieu du vendredi"),
        ("Je suis végétarien", "Je ne suis plus végétarien"),
        (
            "We spend 120 euros a month at the bakery, a lot.",
            "Our spending at the bakery a month has dropped to 90 euros.",
        ),
    ],
)
def test_what_the_newer_one_tells_the_change_of_is_replaced(older: str, newer: str) -> None:
    assert of_two(older, newer) == "supersede_older"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I own a Steam Deck.", "I own a Steam Deck with 512 GB of storage."),
        ("The NAS has 4 disks", "the NAS has 4 disks and a UPS"),
        ("周五允许部署", "周五允许部署。"),
    ],
)
def test_what_the_newer_one_says_too_may_go(older: str, newer: str) -> None:
    assert of_two(older, newer) == "archive_older"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Ran 5 km along the canal this morning", "Ran 9 km along the canal this morning"),
        ("Had dinner with Omar at the Lion", "Had dinner with Omar at the Lion again"),
        ("Couru 5 km ce matin", "Couru 9 km ce matin"),
        ("I do not like tea", "The server is not in Paris"),
        ("Marta is allergic to nuts", "Omar is not allergic to nuts"),
        ("The staging port is 8080", "The production port is 9090"),
        ("Deploys on Fridays are allowed", "Deploys on Sundays are not allowed"),
        ("I like mushrooms", "I like cheese"),
        ("Invoice 12 is paid", "Invoice 13 is paid"),
        ("Alice beat Bob", "Bob beat Alice"),
        ("We have a cat called Rex", "We have a dog called Ida"),
    ],
)
def test_two_that_both_may_be_so_both_stay(older: str, newer: str) -> None:
    assert of_two(older, newer) == "keep_both"


def test_a_single_entry_is_replaced_by_the_newer_one_that_tells_of_the_change() -> None:
    newer = (row(2, "Omar likes tea", days=3), row(3, "I have moved to Ghent", days=30))
    found = rules.judged(Item("s0", row(1, "I live in Lisbon"), newer), TODAY, UTC)

    assert (found.choice, found.action, found.related) == ("supersede_by:s0n1", "supersede", newer[1])
    assert found.probability >= rules.THRESHOLDS["supersede"]


def test_what_no_rule_is_sure_of_is_kept_and_says_so() -> None:
    found = rules.judged(Item("s0", row(1, "Allergic to peanuts"), ()), TODAY, UTC)

    assert (found.choice, found.reason) == ("keep", "keep")
    assert rules.judged(Item("p0", row(1, "a b"), (row(2, "c d"),), pair=True), TODAY, UTC).reason == "unsure"


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_texts_get_a_verdict_that_adds_up(older: str, newer: str) -> None:
    for item in (
        Item("p0", row(1, older), (row(2, newer, days=1),), pair=True),
        Item("s0", row(1, older), (row(2, newer, days=1),)),
    ):
        found = rules.judged(item, TODAY, UTC)
        assert set(found.probabilities) == set(item.options)
        assert sum(found.probabilities.values()) == pytest.approx(1)


@given(st.text(alphabet="ab 1n'otpas.", max_size=30), st.text(alphabet="ab 1n'otpas.", max_size=30))
def test_whichever_is_older_the_newer_one_is_never_what_changes(one: str, other: str) -> None:
    item = Item("p0", row(1, one), (row(2, other, days=1),), pair=True)

    assert rules.judged(item, TODAY, UTC).related != item.entry


def test_a_verdict_of_other_options_or_of_no_probabilities_is_none() -> None:
    item = Item("s0", row(1, "a b"), ())

    for wrong in (
        {"keep": 1.0},
        {"keep": 0.5, "archive": 0.4},
        {"keep": 1.2, "archive": -0.2},
        {"keep": True, "archive": 0},
    ):
        with pytest.raises(BadVerdictError):
            verdict(item, wrong)
    assert verdict(item, {"keep": 0.2, "archive": 0.81}).probability == pytest.approx(0.81 / 1.01)
    assert spread(item, "keep", 0.9).probabilities == {"keep": 0.9, "archive": pytest.approx(0.1)}
