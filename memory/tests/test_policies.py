"""What each policy shows: which rows, in which order, named by which channel; now and as it was."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client, override_settings
from django.utils import timezone

from forgesite.lib.vectors import Vector
from forgesite.models import Account
from forgesite.tests.web import by_token
from memory import embedding
from memory.models import Commit, Entry
from memory.policies import POLICIES
from memory.recall import Query, Recalled, recall
from memory.relate import relate
from memory.revise import Changes, revise
from memory.tests.entries import found, saved
from memory.tests.test_recall import _with

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
#: In a store of some rows every word is a common one.
SMALL = {"EMBEDDING_PROVIDER": "none", "RECALL_LEXICAL_MAX_DF": 1.0}


def asked(owner: Account, text: str = "weather", **query: object) -> Recalled:
    return recall(owner, Query(text, **query))  # type: ignore[arg-type]


def shown(answer: Recalled) -> list[tuple[str, str]]:
    return [(row.entry.text, row.channel) for row in answer.rows]


def put(owner: Account, entry: Entry, status: str) -> None:
    revise(owner, entry.pk, Changes(status=status), version=None, actor="person", cause="test")


def states(owner: Account) -> dict[str, Entry]:
    """An entry in each state, oldest first."""
    names = ("live", "archived", "retracted", "replaced", "newer", "folded", "fold", "covered", "source")
    made = {name: saved(owner, f"the lamp that is {name} here") for name in names}
    put(owner, made["archived"], "archived")
    put(owner, made["retracted"], "retracted")
    relate(owner, made["newer"].pk, "supersedes", made["replaced"].pk, actor="person", cause="test")
    relate(owner, made["fold"].pk, "speaks_for", made["folded"].pk, actor="person", cause="test")
    made["summary"] = saved(owner, "a lamp", kind="summary", covers=(made["covered"].pk,))
    made["stale"] = saved(owner, "one lamp", kind="summary", covers=(made["source"].pk,))
    revise(owner, made["source"].pk, Changes(text="the lamp is sold"), version=None, actor="person", cause="test")
    made["closed"] = saved(owner, "buy a lamp", kind="todo", status="closed")
    made["open"] = saved(owner, "sell a lamp", kind="todo")
    return made


RECENT = ["open", "summary", "source", "fold", "folded", "newer", "live"]


@pytest.mark.parametrize("at", ["", "now"])
def test_recent_shows_live_rows_and_a_summary_for_what_it_covers(ana: Account, words_only: None, at: str) -> None:
    made = states(ana)
    as_of = timezone.now().isoformat() if at else ""
    newest = [row.entry.pk for row in asked(ana, policy="recent", top_k=50, as_of=as_of).rows]
    assert newest == [made[name].pk for name in RECENT]
    everything = asked(ana, policy="recent", top_k=50, everything=True, as_of=as_of)
    assert {row.entry.pk for row in everything.rows} == {entry.pk for entry in made.values()}


def test_recent_of_an_earlier_time_knows_nothing_of_later(ana: Account, words_only: None) -> None:
    covered = saved(ana, "the lamp stands in the hall")
    at = recall(ana, Query("lamp")).head.tick
    saved(ana, "a lamp", kind="summary", covers=(covered.pk,))
    assert found(ana, "weather", policy="recent") == ["a lamp"]
    assert found(ana, "weather", policy="recent", as_of=f"#{at}") == [covered.text]


def test_recent_goes_by_when_it_was_said_and_names_what_is_past_the_budget(ana: Account, words_only: None) -> None:
    told = saved(ana, "the old lamp is green", said_at=LONG_AGO)
    new = saved(ana, "the new lamp is blue")
    last = saved(ana, "an even older lamp", said_at=LONG_AGO - timedelta(days=1))
    answer = asked(ana, policy="recent", top_k=1)
    assert shown(answer) == [(new.text, "recent")]
    assert [(row.id, row.reason, row.rank) for row in answer.left_out] == [
        (told.pk, "budget", 2), (last.pk, "budget", 3),
    ]  # fmt: skip
    assert (answer.nothing, answer.candidates, answer.degraded) == (False, {"recent": 3}, "")


def todos_of(owner: Account) -> list[Entry]:
    """In the order in which they are to be given."""
    now = timezone.now()
    drafts: list[tuple[str, dict[str, object]]] = [
        ("Pay the rent", {"kind": "todo", "event_at": now - timedelta(days=3)}),
        ("Ask Mira about the boat", {"kind": "prospective", "event_at": now - timedelta(days=1)}),
        ("Return the telescope", {"kind": "todo"}),
        ("Renew the passport", {"kind": "todo", "event_at": now + timedelta(days=30)}),
    ]
    made = [saved(owner, text, **draft) for text, draft in (drafts[2], drafts[3], drafts[1], drafts[0])]
    saved(owner, "Water the fig when it is dry", kind="prospective")
    saved(owner, "Buy a ladder", kind="todo", status="closed")
    return [made[3], made[2], made[0], made[1]]


@pytest.mark.parametrize("at", ["", "now"])
def test_todos_come_first_what_is_due_before_what_is_old(ana: Account, words_only: None, at: str) -> None:
    todos, fact = todos_of(ana), saved(ana, "the weather station is on the roof")
    as_of = timezone.now().isoformat() if at else ""
    answer = asked(ana, policy="balanced", as_of=as_of)
    assert shown(answer)[:4] == [(todo.text, "tasks") for todo in todos]
    assert fact.text in [row.entry.text for row in answer.rows]
    alone = asked(ana, policy="task_maintenance", top_k=1, as_of=as_of)
    assert [row.entry for row in alone.rows] == todos
    assert any("partial view" in notice for notice in alone.notices)
    assert alone.candidates == {"tasks": 4}


@pytest.mark.parametrize("policy", ["hybrid", "balanced", "semantic"])
def test_a_prompt_has_the_open_todos_first_whatever_it_is_about(ana: Account, words_only: None, policy: str) -> None:
    todos, fact = todos_of(ana), saved(ana, "the weather station is on the roof")
    answer = asked(ana, "where is the weather station", policy=policy, for_prompt=True)
    assert shown(answer)[:4] == [(todo.text, "tasks") for todo in todos]
    assert fact.text in [row.entry.text for row in answer.rows[4:]]
    beside = asked(ana, "where is the weather station", policy=policy, for_prompt=True, beside_todos=True)
    assert "tasks" not in {row.channel for row in beside.rows}

    empty = asked(ana, "what is my boat called", policy=policy, kind="todo", for_prompt=True)
    assert empty.nothing
    assert {row.channel for row in empty.given} == {"tasks"}


def test_a_todo_that_was_asked_for_stands_once_and_says_what_matched(ana: Account, words_only: None) -> None:
    [_rent, _mira, telescope, _passport] = todos_of(ana)
    answer = asked(ana, "telescope", policy="balanced")
    [row] = [row for row in answer.rows if row.entry == telescope]
    assert (row.channel, row.matched_terms, row.tells) == ("tasks", ("telescope",), True)


def test_a_search_by_the_default_policy_puts_no_todo_first(ana: Account, words_only: None) -> None:
    todos_of(ana)
    assert found(ana, "where is the telescope") == ["Return the telescope"]


def test_balanced_takes_words_vectors_and_recent_rows_in_turn(ana: Account) -> None:
    saved(ana, "The car tag is QJ-417")
    saved(ana, "The registration of the workshop is cedar-582")
    for number in range(6):
        saved(ana, f"Sun and rain, number {number}")
    assert shown(asked(ana, "automobile registration", policy="balanced", top_k=3)) == [
        ("The registration of the workshop is cedar-582", "both"),
        ("Sun and rain, number 5", "recent"),
        ("The car tag is QJ-417", "vector"),
    ]


def test_semantic_adds_procedures_and_what_is_to_be_thought_of(ana: Account, words_only: None) -> None:
    source = saved(ana, "the boiler leaks when it is cold")
    how = saved(ana, "Turn the red valve twice", kind="procedure", sources=(source.pk,))
    later = saved(ana, "Give Tom his keys back when he comes", kind="prospective")
    rows = shown(asked(ana, "what to do when the boiler leaks", policy="semantic"))
    assert rows == [(source.text, "lexical"), (later.text, "procedures"), (how.text, "procedures")]


def test_a_channel_finds_no_more_than_its_candidates_and_the_rest_is_named(ana: Account, words_only: None) -> None:
    for number in range(6):
        saved(ana, f"server {number} listens on a port")
    with override_settings(FORGE=_with(**SMALL, RECALL_CANDIDATES=2)):
        answer = asked(ana, "which port", policy="lexical", top_k=5)
    assert len(answer.rows) == 2
    assert [(row.reason, row.channel) for row in answer.left_out] == [("candidates", "lexical")] * 4
    assert (answer.candidates, answer.budgets["candidates"]) == ({"lexical": 6}, 2)


def test_what_is_past_the_budget_has_its_place_in_the_order(ana: Account) -> None:
    for number in range(6):
        saved(ana, f"server {number} listens on port {8000 + number}")
    for policy in ("hybrid", "union", "interleave", "weighted", "vector", "lexical"):
        with override_settings(FORGE=_with(RECALL_MAX_DISTANCE="off", RECALL_LEXICAL_MAX_DF=1.0)):
            answer = asked(ana, "server port 8003", policy=policy, top_k=2)
        places = [row.rank for row in answer.left_out if row.reason == "budget"]
        assert sorted(place for place in places if place) == list(range(len(answer.rows) + 1, 7)), policy


def test_a_recall_says_as_of_which_commit_and_by_which_cutoff(ana: Account) -> None:
    empty = asked(ana)
    assert (empty.head.tick, empty.head.address) == (0, "")
    saved(ana, "The test server runs on port 8080")
    answer = asked(ana, "which port")
    assert answer.head.tick > 0
    assert len(answer.head.address) == 64
    assert answer.cutoff_named.startswith("1.22@")
    assert answer.cutoff_named.endswith(answer.regime)
    assert (answer.text, answer.query.text) == ("which port", "which port")


@pytest.mark.parametrize("policy", POLICIES)
def test_kind_and_project_hold_under_every_policy_and_owners_are_apart(
    ana: Account, ben: Account, words_only: None, policy: str
) -> None:
    for owner in (ana, ben):
        for kind in ("fact", "todo", "prospective"):
            for project in ("boat", "house"):
                saved(
                    owner,
                    f"repaint the mast of {owner.username}, a {kind} for the {project}",
                    kind=kind,
                    project=project,
                )
    for as_of in ("", timezone.now().isoformat()):
        with override_settings(FORGE=_with(**SMALL)):
            rows = asked(ana, "mast", policy=policy, kind="todo", project="boat", for_prompt=True, as_of=as_of).rows
        assert [row.entry.text for row in rows] == ["repaint the mast of ana, a todo for the boat"], as_of


@pytest.mark.parametrize("policy", POLICIES)
def test_a_blank_question_finds_nothing_under_any_policy(ana: Account, words_only: None, policy: str) -> None:
    saved(ana, "Return the telescope", kind="todo")
    assert asked(ana, "  ", policy=policy).rows == ()


@pytest.mark.django_db(transaction=True)
def test_a_program_gets_the_list_of_todos_that_do_not_fit(ana: Account, words_only: None) -> None:
    saved(ana, "Return the telescope", kind="todo")
    ask = by_token(ana).ask
    [row] = ask("GET", "/search?q=weather&policy=balanced").json()
    assert (row["channel"], row["distance"], row["score"]) == ("tasks", None, None)
    saved(ana, "Wind the clock", kind="todo")
    with override_settings(FORGE=_with(EMBEDDING_PROVIDER="none", RECALL_MAX_ITEMS=1)):
        refused = ask("GET", "/search?q=weather&policy=balanced")
    assert refused.status_code == 409
    error = refused.json()["error"]
    assert error["code"] == "context_overflow"
    assert [each["content"] for each in error["detail"]] == ["Return the telescope", "Wind the clock"]


class Meanwhile:
    """The bundled embedder, and somebody who saves something each time that it is asked for a question."""

    def __init__(self, owner: Account) -> None:
        inner = embedding.served()
        assert inner is not None
        self.owner, self.inner = owner, inner
        self.name, self.wrapper, self.dim = inner.name, inner.wrapper, inner.dim

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        return self.inner.embed_documents(texts)

    def embed_query(self, text: str) -> Vector:
        saved(self.owner, f"The test server runs on port {8000 + Entry.objects.count()}", key="port")
        return self.inner.embed_query(text)


def test_rows_and_head_are_of_one_moment_whoever_writes_meanwhile(ana: Account) -> None:
    saved(ana, "The test server runs on port 8000", key="port")
    answer = recall(ana, Query("which port", policy="vector", for_prompt=True), door=Meanwhile(ana))
    [row] = answer.rows
    newest = Commit.objects.of(ana).order_by("-tick").values_list("tick", "address").first()
    assert (answer.head.tick, answer.head.address) == newest
    assert row.entry == Entry.objects.of(ana).standing().get()


@pytest.mark.parametrize("policy", ["balanced", "semantic", "recent", "task_maintenance"])
def test_the_desk_s_search_box_goes_by_the_question_whatever_prompts_are_given(
    desk: Client, ana: Account, words_only: None, policy: str
) -> None:
    for text in ("Wind the clock", "Feed the cat"):
        saved(ana, text, kind="todo")
    saved(ana, "The telescope stands in the attic")
    with override_settings(FORGE=_with(**SMALL, RECALL_POLICY=policy, RECALL_MAX_ITEMS=1)):
        page = desk.get("/admin/memory/entry/", {"q": "telescope", "rows": "1"}).content.decode()
    assert "stands in the attic" in page
    assert "Wind the clock" not in page
