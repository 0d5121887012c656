"""Duplicates on the desk: what says the same, nearly the same, or only looks like it; and every act with its undo."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.test import Client

from forgesite.models import Account
from forgesite.testing_embedders import ScriptedEmbedder, digest_vector
from memory import consistency, duplicates
from memory.desk.duplicates import REASONS
from memory.ledger import head
from memory.models import Entry, Link
from memory.recall import Query, recall
from memory.remember import Draft, remember_many
from memory.revise import Changes, revise
from memory.tests.entries import saved
from memory.tests.selections import LIST, WHO

PAGE = f"{LIST}duplicates/"
CHOIR, CHOIR_TOO = "The choir meets on Tuesdays at the church", "The choir meets at the church on Tuesdays"
NO_CHOIR = "The choir does not meet on Tuesdays at the church"

words = pytest.mark.usefixtures("words_only")


def groups(owner: Account) -> list[set[int]]:
    return [{entry.pk for entry in group.entries} for group in duplicates.near(owner).groups]


def conflicts(owner: Account) -> list[tuple[int, int, str]]:
    return [(each.newer.pk, each.older.pk, each.reason) for each in duplicates.near(owner).conflicts]


def undo(desk: Client, told: str) -> None:
    [address] = re.findall(r"/commit/([0-9a-f]{64})/undo/", told)
    desk.post(f"/admin/memory/commit/{address}/undo/")


def press(desk: Client, act: str, *, near: bool = True) -> str:
    return desk.post(PAGE, {"act": act} | ({"near": "1"} if near else {}), follow=True).content.decode()


# -- the same words


@words
def test_the_same_words_are_a_group_of_one_kind_and_time(desk: Client, ana: Account, ben: Account) -> None:
    same = [saved(ana, "Possède un Steam Deck", project="a"), saved(ana, "possède un  Steam Deck.", project="b")]
    saved(ana, "Possède un Steam Deck", kind="note", project="c")
    for day in (1, 2):
        saved(ana, "The boiler broke", kind="event", event_at=datetime(2026, 5, day, tzinfo=UTC))
    saved(ben, "Possède un Steam Deck")

    [group] = duplicates.same(ana).groups

    assert {entry.pk for entry in group.entries} == {entry.pk for entry in same}
    page = desk.get(PAGE).content.decode()
    assert page.count("data-row") == 2


@words
def test_what_is_put_away_or_said_in_a_conversation_is_no_duplicate(ana: Account) -> None:
    first = saved(ana, CHOIR, project="a")
    saved(ana, CHOIR, project="b")
    remember_many(ana, [Draft(text, kind="exchange") for text in (CHOIR, f"{CHOIR}.")], **WHO)
    assert Entry.objects.filter(kind="exchange").count() == 2
    revise(ana, first.pk, Changes(status="archived"), version=None, **WHO)

    assert duplicates.same(ana).total == 0


# -- nearly the same


@words
@pytest.mark.parametrize(
    ("one", "other"),
    [(CHOIR, CHOIR_TOO), ("J'habite à Lyon", "J'habite maintenant à Lyon"), ("我住在东京", "我现在住在东京")],
)
def test_nearly_the_same_is_a_group_by_words_alone_too(ana: Account, one: str, other: str) -> None:
    first, second = saved(ana, one), saved(ana, other)
    saved(ana, "The boiler was repaired in May")

    assert groups(ana) == [{first.pk, second.pk}]
    assert duplicates.near(ana).by_words_alone


@words
@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        (CHOIR, NO_CHOIR, "negation"),
        ("我住在东京", "我不住在东京", "negation"),
        ("The test server runs on port 8000", "The test server runs on port 8080", "numbers"),
    ],
)
def test_a_negation_or_a_number_makes_it_a_conflict_to_look_at(
    desk: Client, ana: Account, one: str, other: str, reason: str
) -> None:
    older, newer = saved(ana, one), saved(ana, other)

    assert groups(ana) == []
    assert conflicts(ana) == [(newer.pk, older.pk, reason)]
    page = desk.get(PAGE, {"near": 1}).content.decode()
    assert str(REASONS[reason]).capitalize() in page


@words
def test_a_group_never_reaches_across_a_negation(ana: Account) -> None:
    one, other, denied = saved(ana, CHOIR), saved(ana, CHOIR_TOO), saved(ana, NO_CHOIR)

    assert groups(ana) == [{one.pk, other.pk}]
    assert {row[:2] for row in conflicts(ana)} == {(denied.pk, one.pk), (denied.pk, other.pk)}


def test_what_vectors_put_far_apart_is_not_near(ana: Account, embedder: ScriptedEmbedder) -> None:
    one, other = saved(ana, CHOIR), saved(ana, CHOIR_TOO)
    recall(ana, Query(CHOIR))  # makes the index, whatever model another test had it made for
    assert groups(ana) == []  # a digest of one text is near to no other's

    embedder.vector = lambda text, dim: digest_vector("choir" if "choir" in text else text, dim)
    third, fourth = saved(ana, f"{CHOIR} hall"), saved(ana, f"{CHOIR_TOO}, in the hall")

    assert groups(ana) == [{third.pk, fourth.pk}]
    assert not duplicates.near(ana).by_words_alone
    assert duplicates.near(ana).groups[0].distance == pytest.approx(0.0, abs=1e-3)
    assert Entry.objects.filter(pk__in=[one.pk, other.pk]).count() == 2


@words
def test_events_of_two_days_are_two_events(ana: Account) -> None:
    for day in ("3 May 2026", "4 May 2026"):
        saved(ana, f"The boiler broke in the cellar on {day}", kind="event")

    assert groups(ana) == []
    assert conflicts(ana) == []


# -- the acts


@words
def test_archive_one_and_take_it_back(desk: Client, ana: Account) -> None:
    one, _other = saved(ana, CHOIR), saved(ana, CHOIR_TOO)

    told = press(desk, f"archive {one.pk}")

    assert "No two say nearly the same." in told
    assert Entry.objects.get(pk=one.pk).status == "archived"
    undo(desk, told)
    assert Entry.objects.get(pk=one.pk).status == "active"
    assert consistency.check().ok


@words
def test_the_newer_takes_the_place_of_the_older_and_back(desk: Client, ana: Account) -> None:
    one, other = saved(ana, CHOIR), saved(ana, CHOIR_TOO)
    page = desk.get(PAGE, {"near": 1}).content.decode()
    assert f'value="supersede {one.pk},{other.pk}"' in page

    told = press(desk, f"supersede {one.pk},{other.pk}")

    assert Entry.objects.get(pk=one.pk).superseded_by_id == other.pk
    undo(desk, told)
    assert Entry.objects.get(pk=one.pk).superseded_by_id is None


@words
def test_what_happened_is_never_offered_to_be_replaced(desk: Client, ana: Account) -> None:
    one, other = (saved(ana, text, kind="event") for text in ("The boiler broke again", "The boiler broke down again"))

    page = desk.get(PAGE, {"near": 1}).content.decode()

    assert f"archive {one.pk}" in page
    assert "supersede" not in page
    assert "is an event" in press(desk, f"supersede {one.pk},{other.pk}")
    assert not Link.objects.exists()


@words
def test_a_conflict_is_said_and_asked_no_more(desk: Client, ana: Account) -> None:
    one, other = saved(ana, CHOIR), saved(ana, NO_CHOIR)

    told = press(desk, f"conflicts {other.pk},{one.pk}")

    assert conflicts(ana) == []
    undo(desk, told)
    assert conflicts(ana) == [(other.pk, one.pk, "negation")]


@words
@pytest.mark.parametrize("near", [True, False])
def test_what_is_kept_is_asked_again_after_an_undo_or_an_edit(desk: Client, ana: Account, near: bool) -> None:
    texts = (CHOIR, CHOIR_TOO) if near else (CHOIR, CHOIR)
    one, other = (saved(ana, text, project=name) for text, name in zip(texts, "ab", strict=True))
    ids, then = f"{other.pk},{one.pk}", head(ana)

    def found() -> int:
        return duplicates.near(ana).groups_total if near else duplicates.same(ana).total

    told = press(desk, f"keep {ids}", near=near)
    assert "2 entries are kept" in told
    assert found() == 0
    assert Entry.objects.exclude(last_reviewed_at=None).count() == 2
    assert head(ana).tick == then.tick + 1  # type: ignore[union-attr]
    undo(desk, told)
    assert found() == 1

    press(desk, f"keep {ids}", near=near)
    assert found() == 0
    revise(ana, one.pk, Changes(project="b"), version=None, **WHO)
    assert found() == 1


@words
def test_confirming_both_by_hand_keeps_nothing_apart(desk: Client, ana: Account) -> None:
    entries = [saved(ana, CHOIR), saved(ana, CHOIR_TOO)]

    desk.post(LIST, {"action": "reaffirm_selected", "_selected_action": [entry.pk for entry in entries]})

    assert len(groups(ana)) == 1


@words
@pytest.mark.parametrize("act", ["", "archive", "archive x", "supersede 1", "drop 1", "keep 1"])
def test_what_is_no_act_changes_nothing(desk: Client, ana: Account, act: str) -> None:
    saved(ana, CHOIR)

    assert desk.post(PAGE, {"act": act}).status_code == 400


@words
def test_anothers_entries_are_neither_shown_nor_touched(desk: Client, ana: Account, ben: Account) -> None:
    one, other = saved(ben, CHOIR), saved(ben, CHOIR_TOO)

    assert "choir" not in desk.get(PAGE, {"near": 1}).content.decode()
    for act in ("archive {1}", "supersede {0},{1}", "conflicts {0},{1}", "keep {0},{1}"):
        press(desk, act.format(one.pk, other.pk))
    assert set(Entry.objects.values_list("status", "last_reviewed_at")) == {("active", None)}
    assert not Link.objects.exists()
