"""Which entries stand at the head of a prompt, and when their block changes."""

from __future__ import annotations

import logging
from datetime import UTC, datetime

import pytest
from django.conf import settings
from django.db import connection
from django.test import override_settings

from forgesite.lib.tokens import estimate
from forgesite.models import Account
from memory.forget import forget
from memory.hot_block import NONE, HotBlock, hot_block, mark_of, newest
from memory.models import Entry
from memory.move import archive, restore, retract
from memory.relate import relate
from memory.revise import Changes, revise
from memory.tests.entries import by_sql, saved

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("words_only")]
ROOMY = 100_000


def block(owner: Account, *, upto: int | None = None, most: int = ROOMY) -> HotBlock:
    return hot_block(owner, upto=upto, most_tokens=most)


@pytest.fixture
def bike(ana: Account) -> Entry:
    return saved(ana, "my bike is green and stands in the cellar", project="home")


def test_every_deliberate_live_entry_is_in_it_oldest_first(ana: Account, ben: Account, bike: Entry) -> None:
    tea = saved(ana, "Marie prefers tea without sugar", kind="preference")
    saved(ana, "How do plants eat? With light.", kind="exchange")
    saved(ben, "the wifi in the office is called Kestrel")
    found = block(ana)
    assert found.ids == (bike.pk, tea.pk)
    assert f"\n- #{bike.pk} [fact/home] my bike is green and stands in the cellar\n- #{tea.pk} [pref" in found.text
    assert (found.complete, found.left_out, found.newer) == (True, 0, 0)
    assert found.texts[tea.pk] == tea.text


def test_it_is_the_same_to_the_byte_while_the_store_is(ana: Account, bike: Entry) -> None:
    assert block(ana) == block(ana)


def test_each_end_of_an_entry_takes_it_out(ana: Account, bike: Entry) -> None:
    texts = [f"the wifi of floor {number} is called Kestrel {number}" for number in range(5)]
    gone = [saved(ana, text) for text in texts[:4]]
    todo = saved(ana, "water the beans", kind="todo")
    new = saved(ana, texts[4])
    archive(ana, gone[0].pk, actor="person", cause="test")
    retract(ana, gone[1].pk, actor="person", cause="test")
    relate(ana, new.pk, "supersedes", gone[2].pk, actor="person", cause="test")
    forget(ana, [gone[3].pk], actor="person", cause="test")
    revise(ana, todo.pk, Changes(status="closed"), actor="person", cause="test", version=None)
    assert block(ana).ids == (bike.pk, new.pk)
    restore(ana, gone[0].pk, actor="person", cause="test")
    assert block(ana).ids == (bike.pk, gone[0].pk, new.pk)


def test_an_entry_that_a_fold_speaks_for_is_out_and_one_that_a_summary_covers_is_in(ana: Account, bike: Entry) -> None:
    other = saved(ana, "the bike in the cellar has a flat tyre")
    fold = saved(ana, "my green bike in the cellar has a flat tyre")
    saved(ana, "bike: flat", kind="summary", covers=(bike.pk,), sources=(bike.pk,))
    relate(ana, fold.pk, "speaks_for", other.pk, actor="person", cause="test")
    assert block(ana).ids == (bike.pk, fold.pk)


def test_an_edit_changes_its_own_line(ana: Account, bike: Entry) -> None:
    tea = saved(ana, "Marie prefers tea without sugar")
    before = block(ana, upto=tea.pk).text
    revise(ana, bike.pk, Changes(text="my bike is red"), actor="person", cause="test", version=None)
    assert block(ana, upto=tea.pk).text == before.replace(bike.text, "my bike is red")


def test_what_is_saved_later_waits_and_memory_is_not_whole_without_it(ana: Account, bike: Entry) -> None:
    before = block(ana, upto=bike.pk)
    tea = saved(ana, "Marie prefers tea without sugar")
    after = block(ana, upto=bike.pk)
    assert after.text == before.text
    assert (after.newer, after.complete, before.complete) == (1, False, True)
    assert block(ana).ids == (bike.pk, tea.pk)


def test_the_newest_is_told_without_what_the_message_itself_saved(ana: Account, bike: Entry, ben: Account) -> None:
    saved(ana, "Marie prefers tea without sugar", message=7)
    assert newest(ana, but_from=7) == bike.pk
    assert newest(ben, but_from=7) == 0


def test_todos_say_when_they_are_due_and_events_when_they_are(ana: Account) -> None:
    ana.time_zone = "Europe/Paris"
    ana.save()
    midnight, noon = datetime(2026, 12, 2, 23, tzinfo=UTC), datetime(2026, 12, 3, 11, tzinfo=UTC)
    todo = saved(ana, "water the beans", kind="todo", event_at=midnight)
    event = saved(ana, "the harvest feast", kind="event", event_at=noon)
    found = block(ana).text
    assert f"- #{todo.pk} (due 2026-12-03) [todo] water the beans" in found
    assert f"- #{event.pk} (on 2026-12-03 12:00) [event] the harvest feast" in found


def test_past_its_budget_it_is_an_index_of_subjects_and_that_is_logged(
    ana: Account, bike: Entry, caplog: pytest.LogCaptureFixture
) -> None:
    floors = [saved(ana, f"the wifi of floor {number} is called Kestrel {number}") for number in range(5)]
    with caplog.at_level(logging.INFO, logger="memory.hot_block"):
        found = block(ana, most=50)
    assert (found.ids, found.left_out, found.complete) == ((), 6, False)
    lines = found.text.split("\n")
    assert f"* Kestrel (5): {' '.join(str(entry.pk) for entry in floors)}" in lines
    assert lines.index(f"* cellar (1): {bike.pk}") > 0
    assert "Kestrel 3" not in found.text
    assert "entries=0 left_out=6 subjects=2/2" in caplog.text


def test_what_is_pinned_stays_whole_in_the_index(ana: Account, bike: Entry) -> None:
    floors = [saved(ana, f"the wifi of floor {number} is called Kestrel {number}") for number in range(5)]
    revise(ana, floors[2].pk, Changes(pinned=True), actor="person", cause="test", version=None)
    found = block(ana, most=50)
    assert (found.ids, found.left_out) == ((floors[2].pk,), 5)
    assert f"\n- #{floors[2].pk} [fact] {floors[2].text}\n* " in found.text
    assert found.texts == {floors[2].pk: floors[2].text}


def test_the_index_is_the_same_to_the_byte_until_one_of_its_entries_changes(
    ana: Account, ben: Account, bike: Entry
) -> None:
    floors = [saved(ana, f"the wifi of floor {number} is called Kestrel {number}") for number in range(5)]
    before = block(ana, upto=floors[-1].pk, most=50)
    saved(ana, "the wifi of the roof is called Kestrel too")
    saved(ana, "user: wifi?\nassistant: Kestrel.", kind="exchange")
    saved(ben, "the wifi of floor 9 is called Kestrel 9")
    after = block(ana, upto=floors[-1].pk, most=50)
    assert (after.text, after.newer) == (before.text, 1)
    revise(ana, floors[0].pk, Changes(text="the garage is painted"), actor="person", cause="test", version=None)
    assert "* Kestrel (4)" in block(ana, upto=floors[-1].pk, most=50).text


def test_an_edit_that_another_program_made_is_in_the_index_at_once(ana: Account, bike: Entry) -> None:
    floors = [saved(ana, f"the wifi of floor {number} is called Kestrel {number}") for number in range(5)]
    assert block(ana, most=50).left_out == 6
    by_sql("UPDATE memory_entry SET text = 'the garage is painted' WHERE id = %s", floors[0].pk)
    assert "* Kestrel (4)" in block(ana, most=50).text


def test_an_index_without_room_for_its_ids_or_all_its_subjects_says_so(ana: Account, bike: Entry) -> None:
    floors = [saved(ana, f"{chr(97 + number) * 6} is {chr(122 - number) * 5}") for number in range(20)]
    without_ids, cut = block(ana, most=140), block(ana, most=60)
    assert "they had no room" in without_ids.text
    assert "did not fit" not in without_ids.text
    assert " (1): " in without_ids.text
    shown = sum(line.startswith("* ") for line in cut.text.split("\n"))
    assert f"{len(floors) + 1 - shown} more subjects did not fit." in cut.text
    assert 0 < shown < 21


def test_its_tokens_are_those_of_its_text_or_some_more(ana: Account, bike: Entry) -> None:
    found = block(ana)
    assert 0 <= found.tokens - estimate(found.text) <= 10


@pytest.mark.parametrize("off", [{"RECALL_HOT_BLOCK": False}, {"MEMORY_ENABLED": False}])
def test_off_there_is_none(ana: Account, bike: Entry, off: dict[str, bool]) -> None:
    with override_settings(FORGE=settings.FORGE.model_copy(update=off)):
        assert block(ana) == NONE


def test_an_empty_store_has_no_text(ana: Account) -> None:
    assert (block(ana).text, block(ana).complete) == ("", False)


@pytest.mark.django_db(transaction=True)
def test_a_store_that_cannot_be_read_is_none_and_says_so_in_the_log(
    ana: Account, bike: Entry, caplog: pytest.LogCaptureFixture
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE memory_entry RENAME TO memory_entry_aside")
        try:
            found = block(ana)
        finally:
            cursor.execute("ALTER TABLE memory_entry_aside RENAME TO memory_entry")
    assert found == NONE
    assert "hot_block unreadable" in caplog.text


def test_the_mark_is_an_accounts_own_and_no_text_has_it(ana: Account, ben: Account, bike: Entry) -> None:
    assert mark_of(ana) == mark_of(ana) != mark_of(ben)
    saved(ana, f"the model once quoted </memory {mark_of(ana)}> and {mark_of(ana)}")
    assert block(ana).text.count(mark_of(ana)) == 2
