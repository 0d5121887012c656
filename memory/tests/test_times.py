"""When it was said, when it happens, when it was recorded: three times, and the words stay as they were."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from forgesite.models import Account
from memory.models import DELIBERATE, Entry
from memory.remember import Draft, Saved, remember, remember_many
from memory.revise import Changes, revise
from memory.tests.entries import saved

#: A Monday in Paris, and in UTC still the Sunday before.
SAID = datetime(2026, 11, 29, 23, 30, tzinfo=UTC)
YESTERDAY = datetime(2026, 11, 28, 23, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _without_embedder(words_only: None) -> None:
    """What is embedded is no matter here."""


@pytest.fixture
def paris(ana: Account) -> Account:
    ana.time_zone = "Europe/Paris"
    ana.save()
    return ana


def said(owner: Account, text: str, at: datetime = SAID, **draft: object) -> Saved:
    return remember(owner, Draft(text, said_at=at, **draft), actor="person", cause="test")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "words"), [("I ran 5 km yesterday", "yesterday"), ("J'ai couru hier soir", "hier soir")]
)
def test_a_day_is_told_in_the_persons_zone_against_when_it_was_said(paris: Account, text: str, words: str) -> None:
    answer = said(paris, text)
    entry = Entry.objects.get()
    assert (entry.text, entry.said_at, entry.event_at, entry.event_words) == (text, SAID, YESTERDAY, words)
    assert entry.recorded_at > datetime(2026, 1, 1, tzinfo=UTC)
    assert answer.notes == (f"“{words}” is read as 29 November 2026.",)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("We moved last month", "“last month” is read as October 2026."),
        ("We moved last year", "“last year” is read as 2025."),
        ("We moved last week", "“last week” is read as the week from 23 November 2026."),
        ("The train left today at 14:05", "“today at 14:05” is read as 30 November 2026, 14:05."),
    ],
)
def test_a_note_says_no_more_than_the_words_do(paris: Account, text: str, note: str) -> None:
    assert said(paris, text).notes == (note,)


def test_a_todo_looks_ahead_and_a_fact_does_not(paris: Account) -> None:
    todo, fact = said(paris, "Call Zoé on Tuesday", kind="todo").entry, said(paris, "Zoé called on Tuesday").entry
    assert (todo.event_at, todo.event_words) == (datetime(2026, 11, 30, 23, 0, tzinfo=UTC), "on Tuesday")
    assert (fact.event_at, fact.event_words) == (None, "")


def test_the_same_on_two_days_is_two_entries_and_on_one_day_one(paris: Account) -> None:
    text = "I ran 5 km yesterday"
    for at in (SAID, SAID.replace(hour=23, minute=59), SAID.replace(day=30, hour=23)):
        said(paris, text, at)
    batch = remember_many(
        paris, [Draft(text, said_at=SAID), Draft(text, said_at=SAID.replace(day=20))], actor="person", cause="test"
    )
    assert (Entry.objects.count(), len(batch.entries), batch.duplicates) == (3, 1, 1)


def test_a_time_that_was_given_is_left_alone(paris: Account) -> None:
    given = datetime(2026, 1, 5, 8, 0, tzinfo=UTC)
    answer = said(paris, "I ran 5 km yesterday", event_at=given)
    assert (answer.entry.event_at, answer.entry.event_words, answer.notes) == (given, "", ())
    changes = Changes(text="I ran 6 km the day before yesterday")
    assert revise(paris, answer.entry.pk, changes, version=1, actor="person", cause="test").event_at == given


@pytest.mark.parametrize("kind", ["exchange", "summary"])
def test_what_nobody_chose_to_write_down_has_no_time_of_its_words(paris: Account, kind: str) -> None:
    assert said(paris, "I ran 5 km yesterday", kind=kind).entry.event_at is None


def test_every_deliberate_kind_has_one(paris: Account) -> None:
    for kind in DELIBERATE:
        assert said(paris, "5 km have to be run tomorrow", kind=kind).entry.event_words == "tomorrow"


@pytest.mark.parametrize(
    ("text", "words", "at"),
    [
        ("I ran 5 km today", "today", datetime(2026, 11, 29, 23, 0, tzinfo=UTC)),
        ("I ran five kilometres", "", None),
        ("I ran 6 km yesterday", "yesterday", YESTERDAY),
    ],
)
def test_an_edit_of_the_words_is_read_as_of_when_they_were_said(
    paris: Account, text: str, words: str, at: datetime | None
) -> None:
    entry = said(paris, "I ran 5 km yesterday").entry
    edited = revise(paris, entry.pk, Changes(text=text), version=1, actor="person", cause="test")
    assert (edited.event_words, edited.event_at, edited.said_at) == (words, at, SAID)


def test_a_time_given_by_hand_stands_for_itself(paris: Account) -> None:
    entry = said(paris, "I ran 5 km yesterday").entry
    changes = Changes(text="I ran 5 km today", event_at=YESTERDAY)
    edited = revise(paris, entry.pk, changes, version=1, actor="person", cause="test")
    assert (edited.event_at, edited.event_words) == (YESTERDAY, "")
    cleared = revise(paris, entry.pk, Changes(event_at=None), version=2, actor="person", cause="test")
    assert cleared.event_at is None


def test_an_edit_of_the_kind_leaves_the_time(paris: Account) -> None:
    entry = said(paris, "I ran 5 km yesterday").entry
    edited = revise(paris, entry.pk, Changes(kind="event"), version=1, actor="person", cause="test")
    assert (edited.event_at, edited.event_words) == (YESTERDAY, "yesterday")


def test_without_a_date_it_was_said_now(ana: Account) -> None:
    entry = saved(ana, "I ran 5 km yesterday")
    assert entry.event_at is not None
    assert 0 < (entry.said_at - entry.event_at).days <= 2
