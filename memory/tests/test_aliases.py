"""Other names of subjects: proposed from what a person writes, searched once accepted, gone with their entry."""

from __future__ import annotations

import pytest
from django.db.models import QuerySet

from forgesite.errors import InvalidError
from forgesite.models import Account
from forgesite.tests.web import by_token
from memory import aliases
from memory.forget import forget
from memory.models import Alias, AliasState, Entry
from memory.recall import Query, recall
from memory.revise import Changes, revise
from memory.tests.entries import found, saved

pytestmark = pytest.mark.usefixtures("words_only")
PAIR = ("NiPoGi", "mini PC")


def of(owner: Account) -> QuerySet[Alias, tuple[str, str, str]]:
    return Alias.objects.of(owner).order_by("id").values_list("name", "other", "state")


def ids() -> list[int]:
    return list(Alias.objects.values_list("pk", flat=True))


def corrected(owner: Account) -> Entry:
    entry = saved(owner, "The NiPoGi has 32 GB")
    return revise(owner, entry.pk, Changes(text="The mini PC has 32 GB"), version=None, actor="person", cause="test")


def accepted(owner: Account, name: str, other: str) -> None:
    aliases.add(owner, name, other)


def test_a_correction_of_a_name_proposes_it_and_changes_no_search(ana: Account) -> None:
    corrected(ana)

    assert list(of(ana)) == [(*PAIR, "proposed")]
    assert found(ana, "What about the NiPoGi?") == []


def test_a_new_version_of_a_key_does_so_too_and_a_changed_value_does_not(ana: Account) -> None:
    for text in ("The NiPoGi has 32 GB", "The mini PC has 32 GB", "The mini PC has 64 GB"):
        saved(ana, text, key="machine")

    assert list(of(ana)) == [(*PAIR, "proposed")]


def test_a_text_that_says_it_proposes_it_unless_it_is_an_exchange(ana: Account) -> None:
    saved(ana, "user: My dog is called Rex", kind="exchange")
    saved(ana, "My cat is called Mochi")

    assert list(of(ana)) == [("cat", "Mochi", "proposed")]


def test_rejected_is_final_in_either_order(ana: Account) -> None:
    corrected(ana)
    assert aliases.decide(ana, ids(), AliasState.REJECTED) == 1

    saved(ana, "The mini PC, also called Nipogi, is loud")
    saved(ana, "The NiPoGi, also called the mini PC, is loud")

    assert list(of(ana)) == [(*PAIR, "rejected")]


def test_once_accepted_each_name_finds_what_the_other_names(ana: Account) -> None:
    corrected(ana)
    saved(ana, "The NiPoGi runs Debian")
    assert aliases.decide(ana, ids(), AliasState.ACCEPTED) == 1

    answer = recall(ana, Query("Which system does the mini-PC run?"))

    assert [row.entry.text for row in answer.rows][:1] == ["The NiPoGi runs Debian"]
    assert answer.rows[0].matched_terms == ("nipogi", "run")
    assert answer.aliases == ("NiPoGi",)
    assert answer.query.text == "Which system does the mini-PC run?"
    assert answer.notices[-1] == "Searched by other names too: NiPoGi."
    assert "The mini PC has 32 GB" in found(ana, "nipogi?")


def test_a_name_that_no_row_holds_makes_room_for_the_other(ana: Account) -> None:
    accepted(ana, *PAIR)
    saved(ana, "The mini PC runs Debian")

    assert aliases.widened(ana, "Is the NiPoGi on?").text == "Is the mini PC on?"
    assert aliases.widened(ana, "Is the NiPoGi on?", then=True).text == "Is the NiPoGi mini PC on?"
    saved(ana, "The NiPoGi is loud")
    assert aliases.widened(ana, "Is the NiPoGi on?").text == "Is the NiPoGi mini PC on?"


def test_of_names_within_names_the_longest_is_the_one_that_is_meant(ana: Account) -> None:
    accepted(ana, "mill", "Moulin")
    accepted(ana, "old mill", "Villa Rosa")

    wide = aliases.widened(ana, "Is the old mill near the mill?")

    assert wide.text == "Is the Villa Rosa near the Moulin?"
    assert wide.aliases == ("Villa Rosa", "Moulin")


@pytest.mark.django_db(transaction=True)
def test_a_search_says_in_its_header_by_which_names(ana: Account) -> None:
    accepted(ana, *PAIR)
    saved(ana, "The mini PC runs Debian")

    answer = by_token(ana).ask("GET", "/search?q=NiPoGi")

    assert [row["content"] for row in answer.json()] == ["The mini PC runs Debian"]
    assert "Searched by other names too: mini PC." in answer.headers["Forge-Notice"]


def test_a_decision_taken_back_is_a_proposal_again(ana: Account) -> None:
    accepted(ana, *PAIR)
    saved(ana, "The mini PC runs Debian")

    assert found(ana, "NiPoGi?") == ["The mini PC runs Debian"]
    assert aliases.undo(ana, ids()) == 1
    assert found(ana, "NiPoGi?") == []
    assert (aliases.undo(ana, ids()), list(of(ana))) == (0, [(*PAIR, "proposed")])


def test_nothing_of_another_owner_is_used_or_decided(ana: Account, ben: Account) -> None:
    accepted(ben, *PAIR)
    saved(ana, "The mini PC runs Debian")

    assert found(ana, "NiPoGi?") == []
    assert aliases.undo(ana, ids()) == 0
    corrected(ana)
    assert list(of(ana)) == [(*PAIR, "proposed")]


def test_a_pair_goes_with_the_entry_that_it_came_from(ana: Account) -> None:
    entry = corrected(ana)
    aliases.decide(ana, ids(), AliasState.ACCEPTED)

    forget(ana, [entry.pk], actor="person", cause="test")

    assert not of(ana).exists()


def test_a_name_of_an_earlier_version_goes_with_that(ana: Account) -> None:
    old = saved(ana, "The NiPoGi has 32 GB", key="machine")
    saved(ana, "The mini PC has 32 GB", key="machine")
    said = saved(ana, "Our boat is called Calypso", key="boat")
    saved(ana, "Our boat is called Calypso, and moored in Vigo", key="boat")

    forget(ana, [old.pk], actor="person", cause="test")
    assert [name for name, _other, _state in of(ana)] == ["boat"]

    forget(ana, [said.pk], actor="person", cause="test")
    assert not of(ana).exists()


@pytest.mark.parametrize(
    ("name", "other", "why"),
    [
        ("Mini-PC", "mini pcs", "for one name already"),
        ("NiPoGi", "…", "is no name"),
        ("NiPoGi", "long " * 30, "100 characters"),
        ("mini PC", "nipogi", "are there already"),
    ],
)
def test_what_is_no_pair_is_refused_and_says_why(ana: Account, name: str, other: str, why: str) -> None:
    accepted(ana, *PAIR)

    with pytest.raises(InvalidError, match=why):
        aliases.add(ana, name, other)
