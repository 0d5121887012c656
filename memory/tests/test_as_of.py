"""Memory at an earlier time: the same list, the same entry, and the same search as there was then."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from forgesite.errors import ForgeError, InvalidError, UnknownError
from forgesite.models import Account
from forgesite.testing import EXAMPLES
from forgesite.testing_embedders import ScriptedEmbedder
from forgesite.tests.web import by_token
from memory import as_of, ledger, move, undo
from memory.domain.naming_times import named
from memory.forget import forget
from memory.listing import listing
from memory.models import Commit, Entry
from memory.past import vectors as past_vectors
from memory.recall import Query, Recalled, recall
from memory.relate import relate
from memory.remember import Draft, remember, remember_many
from memory.revise import Changes, revise
from memory.tests.entries import found, saved

WHO: dict[str, Any] = {"actor": "person", "cause": "test"}
PORT, NEW_PORT = "The test server runs on port 8080", "The test server runs on port 9090"
BERLIN = ZoneInfo("Europe/Berlin")


def tick(owner: Account) -> int:
    head = ledger.head(owner)
    return head.tick if head else 0


def answer(owner: Account, text: str, **query: Any) -> Any:
    """All that a search says, but its notices."""
    said: Recalled = recall(owner, Query(text, **query))
    entries = [(row.entry.pk, row.entry.text, row.entry.status, row.entry.superseded_by_id) for row in said.rows]
    channels = [row.channel for row in said.rows]
    numbers = [(row.distance, row.score, row.matched_terms, row.rank, row.tells) for row in said.rows]
    return entries, channels, numbers, said.left_out, said.nothing, said.cutoff


# --- naming a time


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2026-03-28", "2026-03-28T22:59:59.999999+00:00"),
        ("2026-03-29", "2026-03-29T21:59:59.999999+00:00"),  # a day of 23 hours
        ("2026-03-31T18:00", "2026-03-31T16:00:00+00:00"),
        (" 2026-03-31 18:00 ", "2026-03-31T16:00:00+00:00"),
        ("2026-03-31T18:00:05Z", "2026-03-31T18:00:05+00:00"),
        ("2026-03-31T18:00:00+05:30", "2026-03-31T12:30:00+00:00"),
        ("2026-03-31T18:00:00 05:30", "2026-03-31T12:30:00+00:00"),
    ],
)
def test_a_time_is_one_of_the_accounts_zone_and_a_date_is_its_end(text: str, at: str) -> None:
    asked = named(text, BERLIN)
    assert asked is not None
    assert asked.at is not None
    assert asked.at.astimezone(UTC).isoformat() == at


def test_a_number_is_a_tick_and_eight_digits_are_an_address() -> None:
    assert [getattr(named(text, UTC), "tick", None) for text in ("12", "#12", "#12345678")] == [12, 12, 12345678]
    assert getattr(named("ABCDEF0123", UTC), "address", "") == "abcdef0123"


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "2026-02-30", "18:00", "0x12", "-3", "12.5", "\0"])
def test_what_names_no_time_is_refused(ana: Account, text: str) -> None:
    with pytest.raises(InvalidError):
        as_of.moment_of(ana, text)


@given(st.text(max_size=40))
@settings(max_examples=EXAMPLES)
def test_no_text_breaks_the_reading(text: str) -> None:
    named(text, BERLIN)


@pytest.fixture
def story(ana: Account, words_only: None) -> Account:
    """Two entries; the first is changed, then archived."""
    port = saved(ana, PORT, project="shed")
    saved(ana, "The shed is green and dry")
    revise(ana, port.pk, Changes(text=NEW_PORT, kind="decision"), version=None, **WHO)
    move.archive(ana, port.pk, **WHO)
    return ana


def test_a_time_is_the_last_commit_before_it(story: Account) -> None:
    third = Commit.objects.get(tick=3)
    for name in (third.address, third.address[:8], "3", third.at.isoformat()):
        assert as_of.moment_of(story, name).tick == 3
    assert as_of.moment_of(story, (third.at - timedelta(microseconds=1)).isoformat()).tick == 2
    assert as_of.moment_of(story, "2000-01-01").tick == 0
    assert as_of.moment_of(story, "9998-01-01").tick == 4


def test_a_strangers_commit_is_no_time(story: Account, ben: Account) -> None:
    for name in ("3", Commit.objects.get(tick=3).address):
        with pytest.raises(UnknownError):
            as_of.moment_of(ben, name)


def test_before_whole_entries_were_stated_nothing_is_told(story: Account) -> None:
    Commit.objects.filter(tick__lte=2).update(form=1)
    Commit.objects.filter(tick=3).update(cause=as_of.BASELINE)
    with pytest.raises(InvalidError, match=r"commit #3") as refused:
        as_of.moment_of(story, "2")
    assert refused.value.detail["tick"] == 3
    assert as_of.moment_of(story, "3").tick == 3


# --- the list and one entry


def test_the_list_is_that_of_then(story: Account) -> None:
    def then(tick: int, **filters: Any) -> list[tuple[str, str, str]]:
        listed = as_of.listing(story, as_of.moment_of(story, f"#{tick}"), **filters)
        assert listed.total == sum(listed.by_kind.values())
        return [(entry.text, entry.kind, entry.status) for entry in listed.entries]

    shed = ("The shed is green and dry", "fact", "active")
    assert then(1) == [(PORT, "fact", "active")]
    assert then(2) == [shed, (PORT, "fact", "active")]
    assert then(3) == [shed, (NEW_PORT, "decision", "active")]
    assert then(4) == [shed, (NEW_PORT, "decision", "archived")]
    assert then(3, kind="decision") == then(3, project="shed") == [(NEW_PORT, "decision", "active")]
    assert then(4, status="archived") == [(NEW_PORT, "decision", "archived")]
    assert then(4, limit=1, offset=1) == [(NEW_PORT, "decision", "archived")]
    assert as_of.listing(story, as_of.moment_of(story, "2000-01-01")).total == 0


def test_every_column_is_as_it_was(story: Account) -> None:
    columns = [field.attname for field in Entry._meta.concrete_fields if field.attname != "sameness"]
    then = {}
    for entry in Entry.objects.of(story):
        then[entry.pk] = [getattr(entry, name) for name in columns]
    for entry in Entry.objects.of(story):
        revise(story, entry.pk, Changes(text=f"{entry.text} no more", pinned=True), version=None, **WHO)

    at = as_of.moment_of(story, "4")
    assert {pk: [getattr(as_of.entry(story, at, pk), name) for name in columns] for pk in then} == then


def test_what_is_forgotten_is_forgotten_at_any_time(story: Account) -> None:
    port = Entry.objects.get(text=NEW_PORT)
    forget(story, [port.pk], **WHO)
    at = as_of.moment_of(story, "2")

    listed = as_of.listing(story, at)
    assert ([entry.text for entry in listed.entries], listed.forgotten) == (["The shed is green and dry"], 1)
    with pytest.raises(UnknownError, match="forgotten, at any time"):
        as_of.entry(story, at, port.pk)
    said = recall(story, Query("Which port has the server?", as_of="2"))
    assert said.rows == ()
    assert "1 entry of then is forgotten by now" in " ".join(said.notices)


def test_links_are_those_of_then(ana: Account, words_only: None) -> None:
    old, new = saved(ana, PORT), saved(ana, NEW_PORT)
    relate(ana, new.pk, "supersedes", old.pk, **WHO)
    undo.undo(ana, ledger.head(ana).address, **WHO)  # type: ignore[union-attr]

    told = [as_of.links(ana, as_of.moment_of(ana, f"#{number}"), old.pk) for number in (2, 3, 4)]
    assert [[(link.type, link.entry.text, link.other.text) for link in links] for links in told] == [
        [],
        [("supersedes", NEW_PORT, PORT)],
        [],
    ]
    assert as_of.entry(ana, as_of.moment_of(ana, "3"), old.pk).superseded_by_id == new.pk


# --- the search


def history(owner: Account) -> list[Callable[[], Any]]:
    """What happens to a memory, step by step; each step is at least one commit."""
    ids: dict[str, int] = {}
    talk = [Draft(f"user: server log {number}\nassistant: ok", "exchange") for number in range(9)]

    def keep(name: str, text: str, **draft: Any) -> None:
        ids[name] = saved(owner, text, **draft).pk

    def change(name: str, **changes: Any) -> None:
        revise(owner, ids[name], Changes(**changes), version=None, **WHO)

    return [
        lambda: keep("port", PORT, key="port"),
        lambda: keep("cat", "My cat is called Mia and sleeps on the server"),
        lambda: remember_many(owner, talk, **WHO),
        lambda: keep("new", NEW_PORT, key="port"),
        lambda: change("cat", text="My cat is called Mia and sleeps on the sofa"),
        lambda: keep("todo", "Move the server to the cellar", kind="todo"),
        lambda: move.archive(owner, ids["todo"], **WHO),
        lambda: change("cat", project="home", kind="event"),
        lambda: move.retract(owner, ids["new"], **WHO),
        lambda: undo.undo(owner, ledger.head(owner).address, **WHO),  # type: ignore[union-attr]
        lambda: keep("summary", "Ports of servers", kind="summary", sources=(ids["cat"], ids["new"])),
        lambda: change("new", text="The test server runs on port 7070 now"),
    ]


ASKED = [
    (text, policy, everything)
    for policy in ("union", "lexical", "vector")
    for text, everything in (("Which port does the test server use?", False), ("Mia the cat", False), ("server", True))
]


def test_a_search_of_then_gives_what_the_search_gave_then(ana: Account) -> None:
    then: dict[int, list[Any]] = {}
    for step in history(ana):
        step()
        then[tick(ana)] = [answer(ana, text, policy=policy, everything=every) for text, policy, every in ASKED]

    for number, answers in then.items():
        for (text, policy, every), expected in zip(ASKED, answers, strict=True):
            query = {"policy": policy, "everything": every, "as_of": str(number)}
            assert answer(ana, text, **query) == expected, (number, text, policy)


WORDS = ("port", "server", "Mia", "cat", "green", "shed")
TEXTS = st.lists(st.sampled_from(WORDS), min_size=2, max_size=4).map(" ".join)
KEYS = st.sampled_from(("", "", "a", "b"))
NUMBER = st.integers(0, 20)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("remember"), TEXTS, KEYS),
        st.tuples(st.just("revise"), NUMBER, TEXTS),
        st.tuples(st.sampled_from(("archive", "retract", "restore")), NUMBER, st.none()),
        st.tuples(st.just("undo"), st.none(), st.none()),
    ),
    min_size=1,
    max_size=8,
)


def do(owner: Account, step: tuple[str, Any, Any]) -> None:
    """One step of a story; one that a rule refuses is none."""
    name, one, two = step
    with suppress(ForgeError):
        if name == "remember":
            remember(owner, Draft(one, key=two), **WHO)
        elif name == "undo" and (last := undo.last(owner)):
            undo.undo(owner, last.address, **WHO)
        elif ids := list(Entry.objects.of(owner).order_by("id").values_list("pk", flat=True)):
            pk = ids[one % len(ids)] if one is not None else ids[0]
            if name == "revise":
                revise(owner, pk, Changes(text=two), version=None, **WHO)
            elif name != "undo":
                getattr(move, name)(owner, pk, **WHO)


class AnyStory(TestCase):
    @given(STEPS, st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join))
    @settings(max_examples=EXAMPLES // 8, deadline=None)
    def test_a_search_of_then_gives_what_the_search_gave_then(self, steps: list[Any], text: str) -> None:
        owner = Account.objects.create(username="ana")
        then: dict[int, Any] = {}
        for step in steps:
            do(owner, step)
            then[tick(owner)] = answer(owner, text), listed(owner)

        for number, (expected, rows) in then.items():
            if number:
                assert answer(owner, text, as_of=str(number)) == expected
                at = as_of.moment_of(owner, str(number))
                assert [(row.pk, row.text, row.status) for row in as_of.listing(owner, at).entries] == rows


def listed(owner: Account) -> list[tuple[int, str, str]]:
    return [(row.pk, row.text, row.status) for row in listing(owner).entries]


def test_filters_and_budgets_hold_then_as_now(ana: Account) -> None:
    for step in history(ana):
        step()
    now = str(tick(ana))
    for filters in ({"kind": "exchange"}, {"project": "home"}, {"project": ""}, {"top_k": 1}, {"kind": "todo"}):
        assert answer(ana, "the server", as_of=now, **filters) == answer(ana, "the server", **filters), filters


def test_it_says_that_it_is_slower_and_when(story: Account) -> None:
    [notice] = recall(story, Query("port", as_of="2", policy="lexical")).notices
    second = Commit.objects.get(tick=2)
    assert notice.startswith(f"Memory as it was at {second.at:%Y-%m-%d %H:%M:%S} (commit #2, {second.address[:12]})")
    assert "slower" in notice


def test_an_edit_from_outside_changes_nothing_of_then(story: Account) -> None:
    Entry.objects.filter(text__startswith="The shed").update(text="The canary zanzibar sings")
    assert found(story, "canary zanzibar", as_of="4") == []
    assert found(story, "green and dry", as_of="4") == ["The shed is green and dry"]


def test_another_owners_words_are_in_no_time(story: Account, ben: Account) -> None:
    saved(ben, "The canary zanzibar sings at noon")
    for number in range(1, 5):
        assert found(story, "canary zanzibar noon", as_of=str(number)) == []


def test_what_had_no_vectors_then_is_found_by_its_words(ana: Account, embedder: ScriptedEmbedder, queued: None) -> None:
    embedder.will_break()
    saved(ana, PORT)

    said = recall(ana, Query("Which port does the test server use?", explicit=True, as_of="1"))
    assert [row.channel for row in said.rows] == ["lexical"]
    assert "1 entry had no vectors then" in " ".join(said.notices)


def test_only_some_are_embedded_for_a_search_and_the_rest_are_told(
    ana: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(past_vectors, "MOST", 1)
    entries = [saved(ana, f"The cat number {number} sleeps on the sofa") for number in range(3)]
    for entry in entries:
        revise(ana, entry.pk, Changes(text=f"Something about a boat, {entry.pk}"), version=None, **WHO)

    said = recall(ana, Query("Where do the cats sleep?", policy="vector", as_of="3"))
    assert [row.entry.pk for row in said.rows] == [entries[-1].pk]
    assert "2 entries that changed since are found by their words alone" in " ".join(said.notices)


def test_the_same_text_is_not_embedded_again(ana: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past_vectors, "MOST", 0)
    revise(ana, saved(ana, PORT).pk, Changes(project="shed"), version=None, **WHO)
    assert found(ana, "Which port does the test server use?", policy="vector", as_of="1") == [PORT]


@pytest.mark.django_db(transaction=True)
def test_it_is_asked_for_by_rest(story: Account) -> None:
    web = by_token(story)
    port = Entry.objects.get(text=NEW_PORT)
    assert [row["content"] for row in web.ask("GET", "/search?q=port+server&as_of=1").json()] == [PORT]
    answer_ = web.ask("POST", "/search", {"q": "port server", "as_of": "1"})
    assert [row["content"] for row in answer_.json()] == [PORT]
    assert "slower" in answer_.headers["Forge-Notice"]
    listed = web.ask("GET", "/memory?as_of=1").json()
    assert (listed["total"], [entry["content"] for entry in listed["entries"]]) == (1, [PORT])
    for ref in (str(port.pk), port.address):
        then = web.ask("GET", f"/memory/{ref}?as_of=3").json()
        assert (then["content"], then["status"], [commit["tick"] for commit in then["history"]]) == (
            NEW_PORT,
            "active",
            [1, 3],
        )
    assert web.ask("GET", "/memory?as_of=99").status_code == 404
    assert web.ask("GET", "/memory?as_of=soon").status_code == 422
    assert web.ask("GET", f"/memory/{port.pk + 1}?as_of=1").status_code == 404
