"""The same key again is a new version: one is current, and none is lost."""

from __future__ import annotations

import pytest

from forgesite.models import Account
from memory import keys, move
from memory.errors import KeyTakenError, StaleVersionError
from memory.models import Commit, Entry, Link
from memory.remember import Draft, Saved, remember, remember_many
from memory.revise import Changes, revise
from memory.tests.entries import found, saved
from memory.tests.refused import Meanwhile, refused

PORT, NEW_PORT, LAST_PORT = (f"The test server runs on port {number}" for number in (8080, 9443, 7000))


@pytest.fixture(autouse=True)
def _without_embedder(words_only: None) -> None:
    """What is embedded is no matter here."""


def written(owner: Account, text: str, actor: str = "person", **draft: object) -> Saved:
    return remember(owner, Draft(text, **{"key": "port", **draft}), actor=actor, cause="test")  # type: ignore[arg-type]


def live(owner: Account) -> list[str]:
    return list(Entry.objects.of(owner).live().order_by("id").values_list("text", flat=True))


@pytest.mark.parametrize("times", [1, 2, 3])
@pytest.mark.parametrize("key", ["", "port"])
def test_a_fact_said_again_and_again_is_one_live_entry(ana: Account, key: str, times: int) -> None:
    for text in [PORT, f"  {PORT.lower()}.", PORT.replace(" ", "\n")][:times]:
        count = written(ana, text, key=key).count_of_kind
    assert (Entry.objects.count(), count, live(ana)) == (1, 1, [PORT])


def test_a_change_under_its_key_is_current_and_the_old_one_is_kept(ana: Account) -> None:
    old, new = written(ana, PORT).entry, written(ana, NEW_PORT)
    old.refresh_from_db()
    assert (live(ana), new.count_of_kind, new.replaced) == ([NEW_PORT], 1, old)
    assert (old.text, old.status, old.superseded_by, old.superseded_how) == (PORT, "active", new.entry, "replaced")
    assert [(link.type, link.entry, link.other) for link in Link.objects.all()] == [("version_of", new.entry, old)]
    assert found(ana, "8080 9443", for_prompt=True) == [NEW_PORT]
    assert found(ana, "8080 9443", everything=True) == [NEW_PORT, PORT]
    assert any(f"#{old.pk}" in note for note in new.notes)


def test_going_back_is_a_version_too(ana: Account) -> None:
    for text in (PORT, NEW_PORT, PORT):
        written(ana, text)
    assert (Entry.objects.count(), live(ana)) == (3, [PORT])
    assert Link.objects.standing().count() == 2


def test_a_key_is_of_one_owner_and_project(ana: Account, ben: Account) -> None:
    written(ana, PORT)
    written(ana, NEW_PORT, project="atlas")
    written(ben, NEW_PORT)
    assert (live(ana), live(ben)) == ([PORT, NEW_PORT], [NEW_PORT])


def test_who_says_it_without_its_key_confirms_it(ana: Account) -> None:
    first = written(ana, PORT).entry
    again = saved(ana, PORT.lower())
    assert (again.pk, Entry.objects.count()) == (first.pk, 1)


def test_the_same_words_under_another_key_are_another_entry(ana: Account) -> None:
    saved(ana, PORT)
    assert [written(ana, PORT, key=key).created for key in ("port", "server", "port")] == [True, True, False]
    assert live(ana) == [PORT] * 3


@pytest.mark.parametrize("act", [move.archive, move.retract])
def test_what_was_put_away_under_a_key_is_replaced_too(ana: Account, act: object) -> None:
    old = written(ana, PORT).entry
    act(ana, old.pk, actor="person", cause="test")  # type: ignore[operator]
    new = written(ana, PORT).entry
    old.refresh_from_db()
    assert (old.superseded_by, new.pk != old.pk, live(ana)) == (new, True, [PORT])


@pytest.mark.parametrize(
    ("key", "why"), [("é" * 65, "130 bytes.*128"), (" \n", "blank"), ("po\0rt", "NUL"), ("port\ud83d", "half")]
)
def test_a_key_is_at_most_128_bytes_of_plain_text(ana: Account, key: str, why: str) -> None:
    with refused("invalid") as error:
        written(ana, PORT, key=key)
    assert error.match(why)


def test_the_longest_key_is_kept_as_it_is(ana: Account) -> None:
    assert written(ana, PORT, key=f" {'é' * 64}\n").entry.key == "é" * 64


@pytest.mark.parametrize("before", [[], [PORT]])
def test_of_two_writers_on_one_key_the_second_is_told(ana: Account, before: list[str]) -> None:
    for text in before:
        written(ana, text)
    meanwhile = Meanwhile(lambda: written(ana, NEW_PORT))
    with pytest.raises(StaleVersionError) as stale:
        remember(ana, Draft(LAST_PORT, key="port"), actor="person", cause="test", door=meanwhile)
    assert stale.value.detail == {"id": Entry.objects.get(text=NEW_PORT).pk, "version": 1}
    assert (live(ana), Entry.objects.count(), Commit.objects.count()) == ([NEW_PORT], len(before) + 1, len(before) + 1)


def test_two_writers_who_say_the_same_are_of_one_mind(ana: Account) -> None:
    meanwhile = Meanwhile(lambda: written(ana, PORT))
    second = remember(ana, Draft(PORT, key="port"), actor="person", cause="test", door=meanwhile)
    assert (second.created, live(ana)) == (False, [PORT])


def test_a_batch_is_told_of_a_second_writer_and_writes_nothing_of_it(ana: Account) -> None:
    meanwhile = Meanwhile(lambda: written(ana, NEW_PORT))
    drafts = [Draft("The cat is called Mia"), Draft(LAST_PORT, key="port")]
    with pytest.raises(StaleVersionError):
        remember_many(ana, drafts, actor="person", cause="test", door=meanwhile)
    assert live(ana) == [NEW_PORT]


def test_a_batch_skips_what_somebody_else_said_meanwhile(ana: Account) -> None:
    meanwhile = Meanwhile(lambda: saved(ana, PORT))
    batch = remember_many(ana, [Draft(PORT), Draft(NEW_PORT)], actor="person", cause="test", door=meanwhile)
    assert ([entry.text for entry in batch.entries], batch.duplicates) == ([NEW_PORT], 1)


def test_a_version_that_was_edited_meanwhile_is_not_replaced_unread(ana: Account) -> None:
    old = written(ana, PORT).entry
    edit = Changes(text="The test server runs on port 8081")
    meanwhile = Meanwhile(lambda: revise(ana, old.pk, edit, version=1, actor="person", cause="test"))
    with pytest.raises(StaleVersionError):
        remember(ana, Draft(NEW_PORT, key="port", origin="model"), actor="model", cause="test", door=meanwhile)
    assert live(ana) == [edit.text]


def test_a_batch_writes_versions_and_skips_what_is_current(ana: Account) -> None:
    written(ana, PORT)
    written(ana, NEW_PORT)
    drafts = [Draft(PORT, key="port"), Draft("The cat is called Mia", key="cat")]
    batch = remember_many(ana, drafts, actor="person", cause="test")
    assert ([entry.text for entry in batch.entries], batch.duplicates) == ([PORT, "The cat is called Mia"], 0)
    assert live(ana) == [PORT, "The cat is called Mia"]
    assert remember_many(ana, drafts, actor="person", cause="test").duplicates == 2


def test_a_batch_has_one_value_for_a_key(ana: Account) -> None:
    with refused("invalid") as error:
        remember_many(ana, [Draft(PORT, key="port"), Draft(NEW_PORT, key=" port")], actor="person", cause="test")
    assert error.match("“port”")


def test_an_open_todo_is_followed_by_a_todo_alone(ana: Account) -> None:
    todo = written(ana, "Renew the passport", kind="todo", key="passport").entry
    for kind in ("fact", "note", "event"):
        with refused("open_todo") as error:
            written(ana, "The passport was renewed", kind=kind, key="passport")
        assert error.match(f"#{todo.pk}")
    with refused("open_todo"):
        remember_many(ana, [Draft("It was renewed", key="passport")], actor="import", cause="test")
    written(ana, "The passport was renewed", kind="todo", status="closed", key="passport")
    written(ana, "The passport is valid until 2036", key="passport")
    assert live(ana) == ["The passport is valid until 2036"]


@pytest.mark.parametrize("origin", ["model", "import"])
def test_a_model_or_an_import_closes_a_todo_by_its_key(ana: Account, origin: str) -> None:
    todo = written(ana, "Renew the passport", kind="todo", key="passport").entry
    written(ana, "Renewed the passport", origin, origin=origin, kind="todo", status="closed", key="passport")
    todo.refresh_from_db()
    assert (todo.status, todo.is_live, live(ana)) == ("open", False, [])


def test_a_job_replaces_nothing_that_a_person_wrote(ana: Account) -> None:
    entry = written(ana, PORT).entry
    with refused("persons_entry") as error:
        written(ana, NEW_PORT, "import", origin="import")
    assert error.match(f"#{entry.pk}")
    written(ana, NEW_PORT, "model", origin="model")  # in a turn of the person's
    assert live(ana) == [NEW_PORT]


def test_an_entry_moves_to_no_project_where_its_key_is_taken(ana: Account) -> None:
    entry, taken = written(ana, PORT).entry, written(ana, NEW_PORT, project="atlas").entry
    with refused("key_taken") as error:
        revise(ana, entry.pk, Changes(project="atlas"), version=1, actor="person", cause="test")
    assert error.value.detail == {"id": taken.pk}
    move.retract(ana, taken.pk, actor="person", cause="test")
    assert revise(ana, entry.pk, Changes(project="atlas"), version=1, actor="person", cause="test").project == "atlas"


def test_what_no_check_saw_is_said_and_no_error_of_the_database(ana: Account) -> None:
    written(ana, PORT)
    other = saved(ana, NEW_PORT)
    with pytest.raises(KeyTakenError), keys.transaction():
        Entry.objects.filter(pk=other.pk).update(key="port")
    other.refresh_from_db()
    assert other.key == ""
