"""What a recall admits, in which order, and what it says of the rest."""

from __future__ import annotations

import pytest
from django.test import override_settings
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from forgesite.errors import InvalidError, NoOwnerError
from forgesite.lib.embeddings import EmbeddingFailedError
from forgesite.lib.vectors import Vector as UnitVector
from forgesite.models import Account
from forgesite.testing import EXAMPLES
from memory.models import Entry
from memory.policies import POLICIES
from memory.recall import Query, recall
from memory.remember import Draft, remember_many
from memory.revise import Changes, revise
from memory.tests.entries import by_words, found, saved

PORT = "Which port does the test server use?"
HOSTILE = [
    '"', "'", '""', "a AND b", "NOT port", "OR", "NEAR(port server)", "port*", "^port", "words:port", "{words}: port",
    "-port",     "port + server", "(port", "port)", "[port]", "port;--", "' OR 1=1 --", "\0", "po\0rt",
    "🎉", "🎉🎉 👨‍👩‍👧", "*", "@", ".", "...",
    "/", "\\", "%", "%s", "{}", "\ud83d", "port \udc00", "\u202e port", "ﬁ", "İ", "ß", "\u0301", "e\u0301",
    "a" * 100_000, "port " * 20_000,
    "?" * 1000, "port\nserver", "\t", "ffﬃ ½ ②", "𝔭𝔬𝔯𝔱", "ราคา", "ि", "\ue02b", "NULL", "1e999", "0x00",
]  # fmt: skip


@pytest.fixture
def port(ana: Account) -> Entry:
    saved(ana, "Mon chien s'appelle Rex")
    return saved(ana, "The test server runs on port 8080")


def test_a_question_finds_its_fact_by_both_channels(ana: Account, port: Entry) -> None:
    answer = recall(ana, Query(PORT))
    assert [(row.entry, row.channel, row.rank) for row in answer.rows] == [(port, "both", 1)]
    assert (answer.nothing, answer.policy, answer.degraded) == (False, "hybrid", "")
    row = answer.rows[0]
    assert 0 < (row.distance or 0) < 1.22
    assert set(row.matched_terms) >= {"port", "server"}


def test_a_fact_is_found_in_its_own_language_and_across(ana: Account, port: Entry) -> None:
    assert found(ana, "Comment s'appelle mon chien ?") == ["Mon chien s'appelle Rex"]
    assert found(ana, "What is my dog called?", policy="vector") == ["Mon chien s'appelle Rex"]


def test_memory_that_holds_nothing_says_so(ana: Account, port: Entry) -> None:
    answer = recall(ana, Query("What is my boat called?"))
    assert (answer.rows, answer.nothing) == ((), True)
    assert answer.nearest is not None
    assert answer.nearest.reason == "cutoff"
    assert (answer.nearest.distance or 0) > (answer.cutoff or 0)


def test_the_only_fact_of_a_store_is_found_by_its_words_alone(ana: Account, words_only: None) -> None:
    saved(ana, "the test server runs on port 8080")

    assert not recall(ana, Query("Which port does the test server use?")).nothing
    assert recall(ana, Query("What is my boat called?")).nothing


def test_imported_talk_that_shares_a_common_word_is_nothing(ana: Account) -> None:
    talk = [
        "user: My cat is called Mia\nassistant: A lovely name",
        "user: What did you cook?\nassistant: A soup, as usual",
    ]
    remember_many(ana, [Draft(text, kind="exchange") for text in talk], actor="import", cause="test")
    assert recall(ana, Query("What is my boat called?")).nothing
    assert not recall(ana, Query("What is my cat called?")).nothing


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\0"])
def test_a_blank_question_finds_nothing_and_raises_nothing(ana: Account, port: Entry, text: str) -> None:
    answer = recall(ana, Query(text))
    assert (answer.rows, answer.nothing) == ((), True)


@pytest.mark.parametrize("text", HOSTILE)
def test_any_text_is_a_query_and_never_its_syntax(ana: Account, port: Entry, text: str) -> None:
    for policy in POLICIES:
        recall(ana, Query(text, policy=policy))


class AnyText(TestCase):
    """One account for all examples of a property."""

    owner: Account

    @classmethod
    def setUpTestData(cls) -> None:
        cls.owner = Account.objects.create_user("ana")
        saved(cls.owner, "The test server runs on port 8080")

    @given(st.text(st.characters(), min_size=1, max_size=200))
    @settings(max_examples=EXAMPLES, deadline=None)
    def test_no_text_raises(self, text: str) -> None:
        answer = recall(self.owner, Query(text))
        assert all(row.distance is not None or row.channel == "lexical" for row in answer.rows)


def test_owners_are_apart_in_every_channel(ana: Account, ben: Account) -> None:
    saved(ana, "The canary zanzibar sings at noon")
    saved(ben, "The dog barks at noon")
    for policy in POLICIES:
        assert found(ben, "canary zanzibar noon", policy=policy, top_k=50) in ([], ["The dog barks at noon"])
        assert "The dog barks at noon" not in found(ana, "canary zanzibar noon", policy=policy, top_k=50)
    left = recall(ben, Query("canary zanzibar")).left_out
    assert {row.id for row in left} <= set(Entry.objects.of(ben).values_list("pk", flat=True))


def test_rarity_and_order_are_counted_over_the_owners_rows(ana: Account, ben: Account, words_only: None) -> None:
    saved(ana, "The meeting in Nantes was moved")
    before = [(row.entry.pk, row.score) for row in recall(ana, Query("meeting")).rows]
    for number in range(30):
        saved(ben, f"The meeting number {number} was moved")
    assert [(row.entry.pk, row.score) for row in recall(ana, Query("meeting")).rows] == before
    assert before


def test_nobody_recalls_nothing(db: None) -> None:
    from django.contrib.auth.models import AnonymousUser

    with pytest.raises(NoOwnerError):
        recall(AnonymousUser(), Query(PORT))  # type: ignore[arg-type]


@pytest.mark.parametrize("policy", [name for name, policy in POLICIES.items() if policy.asks])
def test_archived_rows_come_after_all_live_ones_and_retracted_never(ana: Account, policy: str) -> None:
    old = saved(ana, "The test server runs on port 8080")
    gone = saved(ana, "The test server uses port 7070")
    live = saved(ana, "The second server has a port too, I was told")
    for entry, status in ((old, "archived"), (gone, "retracted")):
        revise(ana, entry.pk, Changes(status=status), version=None, actor="person", cause="test")
    question = "Which port does the test server use? server port second"
    with override_settings(FORGE=_without_cutoff(max_df=1.0)):
        assert found(ana, question, policy=policy) == [live.text, old.text]
        assert gone.text in found(ana, question, policy=policy, everything=True)


def test_a_closed_todo_is_shown_with_its_state(ana: Account) -> None:
    saved(ana, "Renew the passport in May", kind="todo", status="closed")
    [row] = recall(ana, Query("When do I renew the passport?")).rows
    assert row.entry.status == "closed"


def test_filters_work_inside_the_search(ana: Account, port: Entry) -> None:
    for number in range(70):
        saved(ana, f"The test server number {number} runs on port {9000 + number}", project="lab")
    note = saved(ana, "The printer is on the second floor", kind="note")
    with override_settings(FORGE=_without_cutoff(max_df=1.0)):
        for policy in ("union", "vector"):
            assert found(ana, PORT, policy=policy, kind="note", top_k=1) == [note.text]
            assert port.text in found(ana, PORT, policy=policy, project="", top_k=3)
            assert len(found(ana, PORT, policy=policy, project="lab", top_k=50)) >= 50


def test_each_channel_has_its_own_budget_and_the_rest_is_named(ana: Account) -> None:
    for number in range(12):
        saved(ana, f"The test server number {number} has port {9000 + number}")
    answer = recall(ana, Query("test server port 9003 9004 9005 9006 9007", policy="union", top_k=2))
    channels = [row.channel for row in answer.rows]
    assert channels[2:] == ["lexical"] * 3
    assert {"vector", "both"} >= set(channels[:2])
    assert {row.reason for row in answer.left_out} >= {"budget"}


def test_a_row_past_the_cutoff_stays_where_words_found_it(ana: Account, port: Entry) -> None:
    with override_settings(FORGE=_with(RECALL_MAX_DISTANCE="0.5")):
        answer = recall(ana, Query(PORT))
    assert [row.channel for row in answer.rows] == ["lexical"]
    assert answer.cutoff == 0.5
    assert found(ana, PORT, policy="vector") == [port.text]


def test_a_cutoff_of_another_regime_is_off_and_says_so(ana: Account, port: Entry) -> None:
    with override_settings(FORGE=_with(RECALL_MAX_DISTANCE="0.5@e3b0c4.000000")):
        answer = recall(ana, Query(PORT, policy="vector"))
    assert answer.cutoff is None
    assert len(answer.rows) == 2
    assert any("0.5@e3b0c4.000000" in notice for notice in answer.notices)


class Down:
    name, wrapper, dim = "down", "", 512

    def embed_documents(self, texts: object) -> list[UnitVector]:
        raise EmbeddingFailedError("The embedding server did not answer")

    def embed_query(self, text: str) -> UnitVector:
        return self.embed_documents([text])[0]


def test_a_failing_embedder_leaves_the_words_and_says_so(ana: Account, port: Entry) -> None:
    answer = recall(ana, Query(PORT), door=Down())
    assert ([row.entry for row in answer.rows], answer.degraded) == ([port], "embedding")
    assert "did not answer" in answer.notices[0]
    assert recall(ana, Query(PORT, policy="lexical"), door=Down()).degraded == ""


@pytest.mark.parametrize("query", [Query(PORT, policy="magic"), Query(PORT, top_k=0), Query(PORT, kind="rumour")])
def test_what_does_not_exist_is_refused_by_name(ana: Account, query: Query) -> None:
    with pytest.raises(InvalidError):
        recall(ana, query)


def test_right_beyond_4096_entries(ana: Account, words_only: None) -> None:
    import numpy as np

    from forgesite.lib.vectors import packed
    from memory import vector_channel
    from memory.domain.scope import CURRENT, Scope
    from memory.models import Vector

    drafts = [Draft(f"note number {number}", kind="note", project="old") for number in range(5000)]
    rows = remember_many(ana, drafts, actor="import", cause="test").entries
    angles = np.linspace(0, 1.5, len(rows))
    vectors = [np.array([np.cos(angle), np.sin(angle), 0, 0, 0, 0, 0, 0], dtype="f4") for angle in angles]
    Vector.objects.bulk_create(
        Vector(entry=row, version=1, part=0, regime="test", dim=8, vector=packed(vector))
        for row, vector in zip(rows, vectors, strict=True)
    )
    Entry.objects.filter(pk=rows[-1].pk).update(project="new")
    vector_channel.sync("test", 8)
    scope = Scope(ana.pk, project="new")
    assert [near.id for near in vector_channel.nearest(vectors[0], scope, CURRENT, 10)] == [rows[-1].pk]
    everything = vector_channel.nearest(vectors[0], Scope(ana.pk), CURRENT, 5000)
    assert [near.id for near in everything] == [row.pk for row in rows[:4096]]


def test_words_and_vectors_of_the_same_entry_are_one_row(ana: Account, port: Entry) -> None:
    ids = [row.entry.pk for row in recall(ana, Query(PORT, top_k=50)).rows]
    assert len(ids) == len(set(ids))
    assert by_words(ana, "port") == [port.text]


def _with(**changes: object) -> object:
    from django.conf import settings as django_settings

    return django_settings.FORGE.model_copy(update=changes)


def _without_cutoff(max_df: float) -> object:
    return _with(RECALL_MAX_DISTANCE="off", RECALL_LEXICAL_MAX_DF=max_df)


@pytest.mark.parametrize(
    ("policy", "rows"), [("union", 9), ("hybrid", 6), ("interleave", 6), ("vector", 6), ("lexical", 6)]
)
def test_words_alone_show_as_many_rows_as_the_policy_does(ana: Account, policy: str, rows: int) -> None:
    for number in range(12):
        saved(ana, f"server {number} listens on port {8000 + number}", kind="exchange")
    with override_settings(FORGE=_with(EMBEDDING_PROVIDER="none", RECALL_LEXICAL_TOP_K=3)):
        assert len(recall(ana, Query("port", policy=policy, top_k=6)).rows) == rows
