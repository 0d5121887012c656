"""How two entries may stand to each other, and what that does to them."""

from __future__ import annotations

from typing import Any

import pytest

from forgesite.models import Account
from memory import move
from memory.forget import forget
from memory.models import Commit, Entry, Link, LinkType
from memory.relate import links_of, relate, unrelate
from memory.remember import Draft, remember
from memory.revise import Changes, revise
from memory.tests.entries import found, saved
from memory.tests.refused import everything, refused

LONG = "We talked about the test server, its port 8080, the cellar it stands in and the cable that is too short"
BY: dict[str, Any] = {"actor": "person", "cause": "desk"}


@pytest.fixture(autouse=True)
def _without_embedder(words_only: None) -> None:
    """What is embedded is no matter here."""


def linked(owner: Account, entry: Entry, type: str, other: Entry) -> Link:
    return relate(owner, entry.pk, type, other.pk, **BY)


def pair(owner: Account, **draft: Any) -> tuple[Entry, Entry]:
    return saved(owner, "The test server runs on port 9443"), saved(owner, "The test server runs on port 8080", **draft)


def summary(owner: Account, text: str = "A server in a cellar", **draft: Any) -> Entry:
    return saved(owner, text, kind="summary", origin="import", **draft)


def replaced(entry: Entry) -> bool:
    entry.refresh_from_db()
    return entry.is_replaced


def test_what_is_superseded_is_kept_and_found_no_more(ana: Account) -> None:
    new, old = pair(ana, pinned=True)
    link = linked(ana, new, "supersedes", old)
    assert (replaced(old), old.superseded_by, old.status) == (True, new, "active")
    assert found(ana, "8080 9443", for_prompt=True) == [new.text]
    said = [(change["do"], change["id"]) for change in Commit.objects.latest("tick").changes]
    assert said == [("follow", old.pk), ("relate", new.pk)]
    unrelate(ana, link.pk, **BY)
    assert (replaced(old), Commit.objects.count()) == (False, 4)


@pytest.mark.parametrize("type", LinkType.values)
def test_both_ends_are_ones_own_and_two(ana: Account, ben: Account, type: str) -> None:
    own, bens = saved(ana, LONG), saved(ben, LONG)
    for entry, other in ((own.pk, bens.pk), (bens.pk, own.pk), (own.pk, 4711), (own.pk, 2**70)):
        with refused("unknown"):
            relate(ana, entry, type, other, **BY)
    with refused("self_link") as error:
        relate(ana, own.pk, type, own.pk, **BY)
    assert error.match(f"#{own.pk}")


def test_a_relation_that_does_not_exist_is_refused(ana: Account) -> None:
    new, old = pair(ana)
    with refused("invalid") as error:
        linked(ana, new, "contradicts", old)
    assert error.match("contradicts.*supersedes")


def test_the_same_link_again_is_the_one_that_stands(ana: Account) -> None:
    new, old = pair(ana)
    links = [linked(ana, new, type, old) for type in ("supersedes", "source", "conflicts")]
    before = everything()
    assert [linked(ana, new, link.type, old) for link in links] == links
    assert linked(ana, old, "conflicts", new) == links[2]
    assert everything() == before


def test_nothing_is_superseded_twice_or_by_what_is_superseded(ana: Account) -> None:
    new, old = pair(ana)
    third = saved(ana, "The test server is gone")
    linked(ana, new, "supersedes", old)
    for type in ("supersedes", "speaks_for"):
        with refused("already_superseded") as error:
            linked(ana, third, type, old)
        assert error.match(f"#{old.pk}.*#{new.pk}")
        with refused("already_superseded"):
            linked(ana, old, type, third)


def test_nothing_retracted_supersedes_or_is_superseded(ana: Account) -> None:
    new, old = pair(ana)
    move.retract(ana, old.pk, **BY)
    for entry, other in ((new, old), (old, new)):
        for type in ("supersedes", "speaks_for"):
            with refused("not_live") as error:
                linked(ana, entry, type, other)
            assert error.match(f"#{old.pk}")


def test_an_event_is_never_superseded(ana: Account) -> None:
    new, old = pair(ana, kind="event")
    with refused("event"):
        linked(ana, new, "supersedes", old)
    linked(ana, old, "supersedes", new)


def test_a_fold_speaks_for_others_and_hides_none_from_search(ana: Account) -> None:
    fold, source = pair(ana)
    linked(ana, fold, "speaks_for", source)
    source.refresh_from_db()
    assert (source.superseded_by, source.superseded_how, source.is_live) == (fold, "fold", False)
    assert set(found(ana, "8080 9443")) == {fold.text, source.text}


def test_folds_make_no_chains(ana: Account) -> None:
    fold, source = pair(ana)
    third = saved(ana, "The test server is gone")
    linked(ana, fold, "speaks_for", source)
    for entry, other in ((source, third), (third, source), (third, fold), (source, fold)):
        with refused("already_superseded"):
            linked(ana, entry, "speaks_for", other)
    linked(ana, fold, "speaks_for", third)


def test_versions_have_one_key_and_one_project(ana: Account) -> None:
    new = saved(ana, "The test server runs on port 9443", key="port")
    for draft in ({}, {"key": "cat"}, {"key": "port", "project": "atlas"}):
        other = saved(ana, f"The cat is called Mia, {draft}", **draft)
        with refused("invalid") as error:
            linked(ana, new, "version_of", other)
        assert error.match(f"#{other.pk}")


def test_a_retracted_entry_of_a_key_becomes_its_older_version(ana: Account) -> None:
    old = saved(ana, "The test server runs on port 8080", key="port", project="atlas")
    new = saved(ana, "The test server runs on port 9443", key="port")
    move.retract(ana, old.pk, **BY)
    revise(ana, old.pk, Changes(project=""), version=2, **BY)
    with refused("not_live"):
        linked(ana, old, "version_of", new)
    link = linked(ana, new, "version_of", old)
    assert replaced(old)
    move.archive(ana, old.pk, **BY)
    with refused("key_taken") as error:
        unrelate(ana, link.pk, **BY)
    assert error.value.detail == {"id": new.pk}


def test_what_a_summary_covers_becomes_its_source(ana: Account) -> None:
    made, long, short = summary(ana), saved(ana, LONG), saved(ana, "In the cellar")
    cover = linked(ana, made, "covers", long)
    assert [(link.type, link.other) for link in links_of(ana, made)] == [("covers", long), ("source", long)]
    unrelate(ana, linked(ana, made, "covers", short).pk, **BY)  # short, but not with the long one
    unrelate(ana, Link.objects.get(type="source", other=short).pk, **BY)
    source = Link.objects.get(type="source", other=long)
    unrelate(ana, source.pk, **BY)
    cover.refresh_from_db()
    assert (links_of(ana, made), cover.until) == ([], Commit.objects.latest("tick").tick)


def test_a_summary_is_related_as_it_is_written(ana: Account) -> None:
    made, other = summary(ana), summary(ana, "Another summary of the evening")
    short, todo = saved(ana, "In the cellar"), saved(ana, LONG, kind="todo")
    gone = saved(ana, LONG)
    move.retract(ana, gone.pk, **BY)
    for entry, type, what, code in (
        (short, "covers", gone, "covers_need_summary"),
        (made, "covers", short, "longer_summary"),
        (made, "covers", todo, "covers_open_todo"),
        (made, "covers", other, "recursive_summary"),
        (made, "source", other, "recursive_summary"),
        (made, "source", gone, "not_current"),
        (made, "covers", gone, "not_current"),
    ):
        with refused(code):
            linked(ana, entry, type, what)
    assert linked(ana, short, "source", made).type == "source"


def test_an_entry_rests_on_at_most_32(ana: Account) -> None:
    pks = tuple(saved(ana, f"Note number {number} of the evening").pk for number in range(33))
    entry = saved(ana, "It was a long evening", sources=pks[:32])
    with refused("invalid"):
        relate(ana, entry.pk, "source", pks[32], **BY)


def test_links_are_seen_from_both_ends_and_past_a_forgotten_one(ana: Account, ben: Account) -> None:
    new, old = pair(ana)
    saved(ben, LONG)
    linked(ana, new, "conflicts", old)
    made = summary(ana, sources=(old.pk,))
    assert [(link.type, link.entry.text) for link in links_of(ana, old)] == [
        ("conflicts", new.text),
        ("source", made.text),
    ]
    forget(ana, [old.pk], **BY)
    assert [(link.type, link.other_id, link.other.text) for link in links_of(ana, made)] == [("source", old.pk, "")]


def test_a_link_is_ended_once_by_its_owner(ana: Account, ben: Account) -> None:
    new, old = pair(ana)
    link = linked(ana, new, "conflicts", old)
    with refused("unknown"):
        unrelate(ben, link.pk, **BY)
    unrelate(ana, link.pk, **BY)
    with refused("unknown") as error:
        unrelate(ana, link.pk, **BY)
    assert error.match(str(link.pk))


def test_a_todo_by_a_model_supersedes_an_open_one_of_a_models(ana: Account) -> None:
    one, two = (
        remember(ana, Draft(f"Call the dentist, {n}", kind="todo", origin="model"), actor="model", cause="t").entry
        for n in "ab"
    )
    relate(ana, two.pk, "supersedes", one.pk, actor="model", cause="test")
    assert replaced(one)
