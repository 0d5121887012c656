"""The order `hybrid`, and what the exchanges next to one add to its words."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

from hypothesis import given
from hypothesis import strategies as st

from forgesite.models import Account
from memory.domain.hybrid import FIRST, Company, hybrid
from memory.domain.ranking import Frequency, scored
from memory.domain.scope import Scope
from memory.domain.union import Budgets, Found, Merged
from memory.domain.words import terms
from memory.finding.by_words import without_common_names
from memory.models import Entry
from memory.recall import Query, recall
from memory.remember import Draft, remember_many
from memory.tests.test_interleave import CUTOFF, IDS, LIVE, ids, near, told

DAYS = st.dictionaries(st.integers(1, 40), st.sampled_from([date(2023, 5, 7), date(2023, 5, 8)]))
#: Nothing is known of what stands with what.
ALONE = Company()
BESIDE = st.dictionaries(st.integers(1, 40), st.tuples(st.integers(1, 40)))


def mixed(
    vectors: list[Found],
    words: list[Found],
    top_k: int,
    *,
    cutoff: float | None = CUTOFF,
    company: Company = ALONE,
) -> Merged:
    return hybrid(vectors, words, cutoff=cutoff, budgets=Budgets(top_k, top_k), company=company)


def test_what_both_channels_find_good_comes_before_what_one_finds_best() -> None:
    merged = mixed(near(1, 2, 3, 4), told(5, 2, 6, 7), 3)
    assert ids(merged)[0] == 2
    assert [row.channel for row in merged.shown if row.found.id == 2] == ["both"]


def test_a_row_past_the_cutoff_is_shown_only_where_words_found_it() -> None:
    assert ids(mixed(near(1, 2, distance=1.3), told(2), 10)) == [2]


def test_the_score_is_what_the_rows_are_ordered_by() -> None:
    scores = [row.found.score for row in mixed(near(1, 2, 3), told(3, 4), 10).shown]
    assert None not in scores
    assert scores == sorted(scores, key=lambda score: -(score or 0.0))


def test_without_words_the_distances_order_and_without_vectors_the_words() -> None:
    assert ids(mixed(near(4, 9, 2), [], 10)) == [4, 9, 2]
    assert ids(mixed([], told(4, 9, 2), 10)) == [4, 9, 2]
    assert ids(hybrid(near(4, 9), told(7), cutoff=CUTOFF, budgets=Budgets(10, 0))) == [4, 9]


def test_a_row_next_to_a_good_one_comes_before_its_equals() -> None:
    words = [Found(pk, 0, None, 9.0 if pk == 1 else 3.0, ("port",)) for pk in range(1, 7)]

    assert ids(mixed([], words, 10)) == [1, 6, 5, 4, 3, 2]
    assert ids(mixed([], words, 10, company=Company(beside={2: (1,), 3: (6,)}))) == [1, 2, 6, 5, 4, 3]


def test_a_row_of_a_day_with_good_ones_comes_before_its_equals() -> None:
    words = [Found(pk, 0, None, 9.0 if pk < 3 else 3.0, ("port",)) for pk in range(1, 8)]
    good, other = date(2023, 5, 7), date(2023, 5, 8)

    found = mixed([], words, 10, company=Company(days={1: good, 2: good, 3: good, 4: other, 5: other}))

    assert ids(found) == [2, 1, 3, 7, 6, 5, 4]


def test_where_all_is_of_one_day_the_order_stays() -> None:
    of_one_day = Company(days=dict.fromkeys(range(1, 10), date(2023, 5, 7)))
    vectors, words = near(4, 9, 2, 7), told(5, 2, 6, 4, 1)

    assert ids(mixed(vectors, words, 10, company=of_one_day)) == ids(mixed(vectors, words, 10))


def test_past_the_first_ten_a_deliberate_row_comes_sooner_and_none_before_them() -> None:
    words = told(*range(1, 21))
    brief = mixed([], words, 20, company=Company(deliberate={3, 12, 13, 20}))

    assert ids(brief)[:FIRST] == list(range(1, 11))
    assert ids(brief)[FIRST : FIRST + 2] == [12, 13]
    assert FIRST < ids(brief).index(20) < 19
    assert {row.found.id: row.found.score for row in brief.shown} == {
        row.found.id: row.found.score for row in mixed([], words, 20).shown
    }


@given(IDS, IDS, LIVE, LIVE, st.integers(1, 30), st.sampled_from([None, 0.55, CUTOFF]), DAYS, BESIDE)
def test_every_row_is_shown_or_named_once_and_archived_ones_come_last(
    vectors: list[int],
    words: list[int],
    live_near: int,
    live_told: int,
    top_k: int,
    cutoff: float | None,
    days: dict[int, date],
    beside: dict[int, tuple[int]],
) -> None:
    archived = set(vectors[live_near:]) | set(words[live_told:])
    found = [Found(pk, int(pk in archived), 0.5 + place / 100, None) for place, pk in enumerate(vectors)]
    said = [Found(pk, int(pk in archived), None, 20.0 - place, ("port",)) for place, pk in enumerate(words)]
    company = Company(beside, days, deliberate=frozenset(days))
    merged = mixed(found, said, top_k, cutoff=cutoff, company=company)

    shown, left = ids(merged), [cut.id for cut in merged.cut]
    assert len(shown) == len(set(shown)) <= top_k
    assert sorted([*shown, *left]) == sorted(set(vectors) | set(words))
    tiers = [row.found.tier for row in merged.shown]
    assert tiers == sorted(tiers)


def test_words_next_to_a_row_lift_it_neither_lengthen_nor_are_covered_by_it() -> None:
    found = [Frequency(term, 1) for term in terms("boat harbour").content]
    rows = {1: "boat", 2: "yes", 3: "no", 4: "harbour boat"}
    alone = {row.id: row for row in scored(rows, found, 100)}
    beside = {row.id: row for row in scored(rows, found, 100, {2: (4,), 4: (2,)})}

    assert beside[2].score > 0 == alone[2].score
    assert beside[3].score == 0
    assert (beside[2].share, beside[2].matched) == (0.0, ())
    assert beside[4] == alone[4]
    assert beside[4].score > beside[2].score


def exchanges(owner: Account, *texts: str, **more: str | datetime) -> list[int]:
    drafts = [Draft(text, kind="exchange", origin="import", **more) for text in texts]  # type: ignore[arg-type]
    return [entry.pk for entry in remember_many(owner, drafts, actor="import", cause="test").entries]


def test_the_answer_is_found_by_the_question_in_the_row_before_it(ana: Account) -> None:
    asked, answered, _other = exchanges(
        ana, "user: What is the boat called?", "user: Petrel", "user: Good night", conversation="c1"
    )
    exchanges(ana, *(f"user: other talk number {number}" for number in range(30)), conversation="c2")

    rows = recall(ana, Query("What is the boat called?", policy="lexical", top_k=5)).rows

    assert [row.entry.pk for row in rows][:2] == [asked, answered]


def test_what_was_said_on_the_day_of_good_rows_comes_sooner_now_and_as_of_then(ana: Account) -> None:
    far, close = datetime(2023, 5, 7, 9, tzinfo=UTC), datetime(2023, 5, 9, 9, tzinfo=UTC)
    [odd] = exchanges(ana, "user: the harbour was grey", conversation="c1", said_at=close)
    [even] = exchanges(ana, "user: the harbour was blue", conversation="c2", said_at=far)
    exchanges(ana, "user: Petrel the boat lies in the harbour", conversation="c3", said_at=close)
    exchanges(ana, *(f"user: other talk number {number}" for number in range(30)), conversation="c4", said_at=far)
    query = Query("Where in the harbour lies the boat Petrel?", top_k=10)

    now = [row.entry.pk for row in recall(ana, query).rows]
    then = [row.entry.pk for row in recall(ana, replace(query, as_of="4")).rows]

    assert now.index(odd) < now.index(even)
    assert then == now


def test_days_are_those_of_the_owners_clock_and_the_first_one_is_none_before_it(ana: Account) -> None:
    Account.objects.filter(pk=ana.pk).update(time_zone="America/New_York")
    ana.refresh_from_db()
    late, early = datetime(2023, 5, 8, 1, tzinfo=UTC), datetime(2023, 5, 8, 9, tzinfo=UTC)
    [of_day] = exchanges(ana, "user: the harbour was grey", conversation="c1", said_at=late)
    [other] = exchanges(ana, "user: the harbour was blue", conversation="c2", said_at=early)
    exchanges(ana, "user: Petrel the boat lies in the harbour", conversation="c3", said_at=late.replace(day=7, hour=20))
    exchanges(ana, *(f"user: other talk number {number}" for number in range(30)), conversation="c4")
    exchanges(ana, "user: a harbour of old", conversation="c5", said_at=datetime(1, 1, 1, tzinfo=UTC))

    rows = [row.entry.pk for row in recall(ana, Query("Where in the harbour lies the boat Petrel?", top_k=10)).rows]

    assert rows.index(of_day) < rows.index(other)


def test_another_conversation_or_owner_or_project_is_not_next_to_it(ana: Account, ben: Account) -> None:
    [asked] = exchanges(ana, "user: What is the boat called?", conversation="c1")
    exchanges(ana, "user: Petrel", conversation="c2")
    exchanges(ana, "user: Cormorant", conversation="c1", project="sail")
    exchanges(ben, "user: Puffin", conversation="c1")
    exchanges(ana, *(f"user: other talk number {number}" for number in range(30)), conversation="c3")

    rows = recall(ana, Query("boat called", policy="lexical", top_k=5)).rows

    assert [row.entry.pk for row in rows] == [asked]


def test_what_is_next_to_it_then_is_next_to_it_as_of_then(ana: Account) -> None:
    made = exchanges(ana, "user: What is the boat called?", "user: Petrel", "user: Good night", conversation="c1")
    exchanges(ana, *(f"user: other talk number {number}" for number in range(30)), conversation="c2")
    query = Query("What is the boat called?", policy="lexical", top_k=5)
    now = [row.entry.pk for row in recall(ana, query).rows]
    exchanges(ana, "user: It is a boat", conversation="c1")

    then = recall(ana, Query(query.text, policy="lexical", top_k=5, as_of="2")).rows

    assert Entry.objects.of(ana).count() == 34
    assert [row.entry.pk for row in then] == now
    assert made[1] in now


def test_a_name_that_most_rows_hold_is_nothing_to_look_for_by_meaning(ana: Account) -> None:
    exchanges(
        ana, *(f"user: Melanie said number {number}" for number in range(60)), "user: Petrel is a boat of Caroline's"
    )
    where = Scope(ana.pk)

    assert without_common_names("What did Melanie paint?", where) == "What did paint?"
    assert without_common_names("What did Caroline paint?", where) == "What did Caroline paint?"
    assert without_common_names("Melanie painted what?", where) == "Melanie painted what?"
    assert without_common_names("Who is Melanie?", where) == "Who is Melanie?"
    assert without_common_names("what did melanie paint?", where) == "what did melanie paint?"


def test_in_a_small_store_no_name_is_common(ana: Account) -> None:
    exchanges(ana, *(f"user: Melanie said number {number}" for number in range(20)))

    assert without_common_names("What did Melanie paint?", Scope(ana.pk)) == "What did Melanie paint?"


def test_how_far_a_row_is_from_the_question_is_told_of_the_whole_question(ana: Account) -> None:
    exchanges(ana, *(f"user: Melanie said number {number}" for number in range(60)), "user: Melanie painted a lake")
    asked = "What did Melanie paint?"
    hybrid_rows = {row.entry.pk: row for row in recall(ana, Query(asked, top_k=10)).rows}
    vector_rows = {row.entry.pk: row for row in recall(ana, Query(asked, policy="vector", top_k=50)).rows}

    both = hybrid_rows.keys() & vector_rows.keys()
    assert both
    assert {pk: hybrid_rows[pk].distance for pk in both} == {pk: vector_rows[pk].distance for pk in both}
