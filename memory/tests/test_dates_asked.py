"""A date of the question is a key: the rows that were said then, or that tell of then, come first."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgesite.models import Account
from memory.domain.dates_asked import MOST, Date, dates_asked
from memory.models import Entry
from memory.recall import Query, recall
from memory.remember import Draft, remember_many

MAY, JUNE = datetime(2023, 5, 7, 12, tzinfo=UTC), datetime(2023, 6, 3, 12, tzinfo=UTC)


def asked(text: str) -> list[tuple[int | None, int, int | None]]:
    return [(date.year, date.month, date.day) for date in dates_asked(text)]


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("What did we eat in May 2023?", [(2023, 5, None)]),
        ("Who came on 7 May?", [(None, 5, 7)]),
        ("Who came on the 3rd of June, 2022?", [(2022, 6, 3)]),
        ("And on October 13, 2023?", [(2023, 10, 13)]),
        ("Qui est venu le 3 juin 2022 ?", [(2022, 6, 3)]),
        ("Qu’avons-nous mangé en août ?", [(None, 8, None)]),
        ("le 1er février", [(None, 2, 1)]),
        ("from 2023-05-07 to 2023-06", [(2023, 5, 7), (2023, 6, None)]),
        ("May 7 and 7 May", [(None, 5, 7), (None, 5, 7)]),
        ("May I march?", []),
        ("last summer, or yesterday", []),
        ("v0.8.1, 12:30 and 10.5 mars", []),
        ("2023-13-01 and 20230507", []),
        ("", []),
    ],
)
def test_dates_are_read_and_nothing_else(text: str, dates: list[tuple[int | None, int, int | None]]) -> None:
    assert asked(text) == dates


def test_no_more_dates_are_read_than_a_search_takes() -> None:
    assert len(dates_asked(" ".join(f"{day} May {year}" for year in (2021, 2022) for day in range(1, 29)))) == MOST


@given(st.text(max_size=200))
def test_no_text_raises_and_every_span_ends_after_it_begins(text: str) -> None:
    for date in dates_asked(f"{text} 31 December 2199 and in May"):
        assert all(first < last for first, last in date.spans(UTC, range(2022, 2024)))


def test_a_day_is_one_of_the_owners_clock_and_the_31st_of_february_is_none() -> None:
    [(first, last)] = Date("7 May", None, 5, 7).spans(ZoneInfo("Asia/Tokyo"), range(2023, 2024))
    assert (first.astimezone(UTC), last.astimezone(UTC)) == (
        datetime(2023, 5, 6, 15, tzinfo=UTC),
        datetime(2023, 5, 7, 15, tzinfo=UTC),
    )
    assert Date("31 February", None, 2, 31).spans(UTC, range(2023, 2024)) == []


def said(owner: Account, text: str, at: datetime, *, event: datetime | None = None, kind: str = "exchange") -> Entry:
    draft = Draft(text, kind=kind, origin="import", said_at=at, event_at=event)
    return remember_many(owner, [draft], actor="import", cause="test").entries[0]


@pytest.fixture
def talk(ana: Account) -> dict[str, Entry]:
    sailing = [
        Draft(
            f"user: the boat sails, number {day}",
            kind="exchange",
            origin="import",
            said_at=datetime(2022, 1, day, tzinfo=UTC),
        )
        for day in range(1, 31)
    ]
    remember_many(ana, sailing, actor="import", cause="test")
    return {
        "may": said(ana, "user: we painted the boat", MAY),
        "june": said(ana, "user: we sold the boat", JUNE),
        "event": said(ana, "user: the harbour is booked", JUNE, event=datetime(2023, 9, 2, 10, tzinfo=UTC)),
    }


def first(owner: Account, text: str, **more: str) -> Entry:
    return recall(owner, Query(text, policy="lexical", **more)).rows[0].entry  # type: ignore[arg-type]


def test_rows_of_the_date_come_first_and_say_so(ana: Account, talk: dict[str, Entry]) -> None:
    assert first(ana, "What of the boat on 7 May 2023?") == talk["may"]
    assert first(ana, "Et le boat, en juin 2023 ?") == talk["june"]
    row = recall(ana, Query("What of the boat in May?", policy="lexical")).rows[0]
    assert (row.entry, row.matched_terms[0], row.channel) == (talk["may"], "in May", "lexical")


def test_a_row_is_found_by_the_date_that_it_tells_of(ana: Account, talk: dict[str, Entry]) -> None:
    assert first(ana, "What is booked in September 2023?") == talk["event"]


def test_a_date_alone_finds_its_rows(ana: Account, talk: dict[str, Entry]) -> None:
    rows = recall(ana, Query("7 May 2023", policy="lexical")).rows
    assert [row.entry for row in rows][:1] == [talk["may"]]


def test_another_owners_rows_of_the_date_stay_theirs(ana: Account, ben: Account, talk: dict[str, Entry]) -> None:
    said(ben, "user: a kite", MAY)
    assert [row.entry.owner for row in recall(ben, Query("7 May 2023", policy="lexical")).rows] == [ben]


def test_a_date_is_a_key_as_of_then_too(ana: Account, talk: dict[str, Entry]) -> None:
    query = Query("What of the boat on 7 May?", policy="lexical")
    now = [row.entry.pk for row in recall(ana, query).rows]
    said(ana, "user: the boat once more", MAY)
    then = recall(ana, Query(query.text, policy="lexical", as_of="4"))
    assert [row.entry.pk for row in then.rows] == now
