"""Put away, taken back, brought back, still true: one by one, and many in one commit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from forgesite.models import Account
from memory import move
from memory.models import Commit, Entry, Link
from memory.relate import relate
from memory.revise import Changes, revise
from memory.tests.entries import by_sql, found, saved
from memory.tests.refused import everything, refused

PORTS = [f"The test server runs on port {number}" for number in (8080, 9443, 7000)]
BY: dict[str, Any] = {"actor": "person", "cause": "desk"}
One = Callable[..., Entry]
Many = Callable[..., tuple[Entry, ...]]
VERBS: list[tuple[One, Many, str]] = [
    (move.archive, move.archive_many, "archived"),
    (move.retract, move.retract_many, "retracted"),
    (move.restore, move.restore_many, "active"),
]


@pytest.fixture(autouse=True)
def _without_embedder(words_only: None) -> None:
    """What is embedded is no matter here."""


def versions(owner: Account, count: int = 3) -> list[Entry]:
    entries = [saved(owner, text, key="port") for text in PORTS[:count]]
    return [Entry.objects.get(pk=entry.pk) for entry in entries]


def states(entries: Sequence[Entry]) -> list[str]:
    """Of each: `live`, or the number of the one in its place, from 0."""
    rows = Entry.objects.in_bulk([entry.pk for entry in entries])
    places = {entry.pk: place for place, entry in enumerate(entries)}
    return ["live" if rows[pk].is_live else str(places.get(rows[pk].superseded_by_id or 0)) for pk in places]


@pytest.mark.parametrize(("one", "many", "status"), VERBS)
def test_a_move_is_one_commit_and_a_second_one_none(ana: Account, one: One, many: Many, status: str) -> None:
    entry = saved(ana, PORTS[0], status="archived" if status != "archived" else "")
    moved = one(ana, entry.pk, **BY)
    assert (moved.status, moved.version, moved.updated_at > entry.updated_at) == (status, 2, True)
    commit = Commit.objects.latest("tick")
    assert (commit.tick, commit.actor, commit.cause) == (2, "person", "desk")
    assert [change["do"] for change in commit.changes] == [one.__name__]
    before = everything()
    assert one(ana, entry.pk, **BY).status == status
    assert many(ana, [entry.pk], **BY) == ()
    assert everything() == before


@pytest.mark.parametrize(("one", "many", "status"), VERBS)
def test_many_move_in_one_commit_as_each_alone(ana: Account, one: One, many: Many, status: str) -> None:
    entries = [saved(ana, f"Note number {number} of the evening", status="archived") for number in range(50)]
    if status == "archived":
        move.restore_many(ana, [entry.pk for entry in entries], **BY)
    before, ids = Commit.objects.count(), [entry.pk for entry in entries]
    one(ana, ids[7], **BY)
    assert [entry.pk for entry in many(ana, [*ids, ids[0]], **BY)] == [pk for pk in ids if pk != ids[7]]
    assert Commit.objects.count() == before + 2
    rows = Entry.objects.in_bulk(ids)
    assert {(row.status, row.version - entries[0].version) for row in rows.values()} == {
        (status, 2 if status == "archived" else 1)
    }
    assert not many(ana, [], **BY)


@pytest.mark.parametrize("many", [move.archive_many, move.retract_many, move.restore_many, move.reaffirm_many])
def test_all_move_or_none(ana: Account, ben: Account, many: Many) -> None:
    own, bens = saved(ana, PORTS[0], status="archived"), saved(ben, PORTS[1])
    for pk in (bens.pk, 4711):
        with refused("unknown") as error:
            many(ana, [own.pk, pk], **BY)
        assert error.match(str(pk))


@pytest.mark.parametrize("one", [move.archive, move.retract, move.restore, move.reaffirm])
def test_a_move_of_what_changed_since_is_refused(ana: Account, one: One) -> None:
    entry = saved(ana, PORTS[0])
    revise(ana, entry.pk, Changes(pinned=True), version=1, **BY)
    with refused("stale_version"):
        one(ana, entry.pk, version=1, **BY)


def test_a_todo_comes_back_open(ana: Account) -> None:
    for status in ("closed", "archived", "retracted"):
        todo = saved(ana, f"Renew the passport, {status}", kind="todo", status=status)
        assert move.restore(ana, todo.pk, **BY).status == "open"


def test_what_is_retracted_is_found_no_more_until_it_is_restored(ana: Account) -> None:
    entry = saved(ana, PORTS[0])
    move.retract(ana, entry.pk, **BY)
    assert found(ana, "port of the test server") == []
    move.restore(ana, entry.pk, **BY)
    assert found(ana, "port of the test server") == [entry.text]


@pytest.mark.parametrize(("back", "after"), [(0, ["live", "2", "0"]), (1, ["1", "live", "1"]), (2, ["1", "2", "live"])])
def test_an_older_version_that_is_restored_replaces_the_current_one(ana: Account, back: int, after: list[str]) -> None:
    entries = versions(ana)
    restored = move.restore(ana, entries[back].pk, **BY)
    assert (states(entries), restored.updated_at) == (after, entries[back].updated_at)
    assert saved(ana, "The test server is gone", key="port").is_live
    assert Entry.objects.live().count() == 1


def test_versions_are_restored_back_and_forth(ana: Account) -> None:
    entries = versions(ana)
    for place in (0, 1, 2, 0, 2, 1):
        move.restore(ana, entries[place].pk, **BY)
        assert states(entries)[place] == "live"
        assert Entry.objects.live().count() == 1


def test_a_retracted_newest_version_gives_way(ana: Account) -> None:
    old, new = versions(ana, 2)
    move.retract(ana, new.pk, **BY)
    move.restore(ana, old.pk, **BY)
    assert states([old, new]) == ["live", "0"]
    move.restore(ana, new.pk, **BY)
    assert states([old, new]) == ["1", "live"]


def test_of_one_key_one_is_restored(ana: Account) -> None:
    entries = versions(ana)
    with refused("key_taken") as error:
        move.restore_many(ana, [entry.pk for entry in entries[:2]], **BY)
    assert error.match("“port”")
    other = saved(ana, "The cat is called Mia", status="archived")
    assert len(move.restore_many(ana, [entries[0].pk, other.pk], **BY)) == 2
    assert states(entries)[0] == "live"


def test_a_version_whose_key_another_entry_has_is_not_restored(ana: Account) -> None:
    old, new = versions(ana, 2)
    revise(ana, new.pk, Changes(project="atlas"), version=1, **BY)
    taken = saved(ana, PORTS[2], key="port")
    with refused("key_taken") as error:
        move.restore(ana, old.pk, **BY)
    assert error.value.detail == {"id": taken.pk}
    move.retract(ana, taken.pk, **BY)
    move.restore(ana, old.pk, **BY)
    assert states([old, new]) == ["live", "live"]


def test_versions_that_were_turned_into_a_circle_from_outside_are_no_trap(ana: Account) -> None:
    old, new = versions(ana, 2)
    by_sql("UPDATE memory_entry SET superseded_by_id = %s, superseded_how = 'replaced' WHERE id = %s", old.pk, new.pk)
    assert move.restore(ana, old.pk, **BY).is_live


def test_what_was_superseded_comes_back_beside_what_superseded_it(ana: Account) -> None:
    old, new = saved(ana, PORTS[0]), saved(ana, PORTS[1])
    relate(ana, new.pk, "supersedes", old.pk, **BY)
    assert states([old, new]) == ["1", "live"]
    move.restore(ana, old.pk, **BY)
    assert states([old, new]) == ["live", "live"]
    assert not Link.objects.standing().exists()


def test_a_fold_stays_when_a_source_is_put_away_and_restored(ana: Account) -> None:
    source, fold = saved(ana, PORTS[0]), saved(ana, "Ports: 8080 and others")
    relate(ana, fold.pk, "speaks_for", source.pk, **BY)
    move.archive(ana, source.pk, **BY)
    back = move.restore(ana, source.pk, **BY)
    assert (back.status, back.superseded_by, back.superseded_how) == ("active", fold, "fold")


def test_what_is_still_true_is_reviewed_and_not_changed(ana: Account) -> None:
    entry = saved(ana, PORTS[0])
    again = move.reaffirm(ana, entry.pk, **BY)
    assert again.last_reviewed_at is not None
    assert (again.updated_at, again.version) == (entry.updated_at, 1)
    assert move.reaffirm_many(ana, [entry.pk], **BY) == (entry,)


def test_a_stale_summary_is_not_confirmed(ana: Account) -> None:
    source = saved(ana, PORTS[0])
    made = saved(ana, "A test server", kind="summary", sources=(source.pk,))
    move.retract(ana, source.pk, **BY)
    with refused("not_live") as error:
        move.reaffirm(ana, made.pk, **BY)
    assert error.match("source")


@pytest.mark.parametrize("state", ["archived", "retracted", "closed", "replaced"])
def test_what_is_not_live_is_not_confirmed(ana: Account, state: str) -> None:
    draft: dict[str, Any] = {"closed": {"kind": "todo", "status": "closed"}, "replaced": {"key": "port"}}.get(
        state, {"status": state}
    )
    entry, live = saved(ana, PORTS[0], **draft), saved(ana, PORTS[1], key="port")
    with refused("not_live") as error:
        move.reaffirm_many(ana, [live.pk, entry.pk], **BY)
    assert error.match(f"#{entry.pk}.*{state}")
