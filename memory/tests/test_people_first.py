"""What a person wrote, edited or pinned is changed by a person; a job may only propose."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from forgesite.models import Account
from memory import move
from memory.errors import StaleVersionError
from memory.models import Entry
from memory.relate import relate, unrelate
from memory.remember import Draft, remember
from memory.revise import Changes, revise
from memory.tests.entries import by_sql, saved
from memory.tests.refused import Meanwhile, refused

TEXT, EDIT = "The test server runs on port 8080", "The test server runs on port 8081"


@pytest.fixture(autouse=True)
def _without_embedder(words_only: None) -> None:
    """What is embedded is no matter here."""


def by_model(owner: Account, text: str = TEXT, **draft: object) -> Entry:
    given = Draft(text, origin="model", **draft)  # type: ignore[arg-type]
    return remember(owner, given, actor="model", cause="test").entry


Act = Callable[[Account, Entry], object]
BY_A_JOB: dict[str, Act] = {
    "revise": lambda owner, entry: revise(
        owner, entry.pk, Changes(text="Port 1 it is"), version=entry.version, actor="job", cause="test"
    ),
    "archive": lambda owner, entry: move.archive(owner, entry.pk, actor="job", cause="test", version=entry.version),
    "retract": lambda owner, entry: move.retract(owner, entry.pk, actor="job", cause="test", version=entry.version),
    "reaffirm": lambda owner, entry: move.reaffirm(owner, entry.pk, actor="job", cause="test", version=entry.version),
}
BY_A_PERSON: dict[str, Act] = {
    "edited": lambda owner, entry: revise(
        owner, entry.pk, Changes(text=EDIT), version=None, actor="person", cause="test"
    ),
    "pinned": lambda owner, entry: revise(
        owner, entry.pk, Changes(pinned=True), version=None, actor="person", cause="test"
    ),
    "put away and brought back": lambda owner, entry: (
        move.archive(owner, entry.pk, actor="person", cause="test"),
        move.restore(owner, entry.pk, actor="person", cause="test"),
    ),
    "edited in the file": lambda owner, entry: by_sql("UPDATE memory_entry SET text = %s", EDIT),
}


@pytest.mark.parametrize("act", BY_A_JOB.values(), ids=BY_A_JOB)
def test_a_job_changes_what_no_person_touched(ana: Account, act: Act) -> None:
    entry = by_model(ana)
    move.reaffirm(ana, entry.pk, actor="person", cause="test")  # that it is true makes it not theirs
    act(ana, entry)
    entry.refresh_from_db()
    assert (entry.text, entry.status) != (TEXT, "active") or entry.last_reviewed_at is not None


@pytest.mark.parametrize("act", BY_A_JOB.values(), ids=BY_A_JOB)
def test_a_job_changes_nothing_that_a_person_wrote(ana: Account, act: Act) -> None:
    entry = saved(ana, TEXT)
    with refused("persons_entry") as error:
        act(ana, entry)
    assert error.match(f"#{entry.pk}")


@pytest.mark.parametrize("touch", BY_A_PERSON.values(), ids=BY_A_PERSON)
def test_a_job_changes_nothing_that_a_person_touched(ana: Account, touch: Act) -> None:
    entry = by_model(ana)
    touch(ana, entry)
    entry.refresh_from_db()
    for act in BY_A_JOB.values():
        with refused("persons_entry"):
            act(ana, entry)


def test_a_job_changes_nothing_that_is_pinned(ana: Account) -> None:
    entry = by_model(ana, pinned=True)
    for act in BY_A_JOB.values():
        with refused("persons_entry"):
            act(ana, entry)


def test_a_job_supersedes_nothing_of_a_persons_and_brings_nothing_back(ana: Account) -> None:
    entry, newer = saved(ana, TEXT), by_model(ana, "The test server is gone")
    with refused("persons_entry"):
        relate(ana, newer.pk, "supersedes", entry.pk, actor="job", cause="test")
    link = relate(ana, newer.pk, "supersedes", entry.pk, actor="person", cause="test")
    with refused("persons_entry"):
        unrelate(ana, link.pk, actor="job", cause="test")
    with refused("persons_entry"):
        move.restore(ana, entry.pk, actor="job", cause="test", version=1)


def test_a_job_brings_no_old_version_back_over_a_persons_or_an_open_todo(ana: Account) -> None:
    old = by_model(ana, key="port")
    saved(ana, EDIT, key="port")
    done = by_model(ana, "The passport is valid", key="passport")
    by_model(ana, "Renew the passport", key="passport", kind="todo")
    for entry, code in ((old, "persons_entry"), (done, "open_todo")):
        with refused(code):
            move.restore(ana, entry.pk, actor="job", cause="test", version=1)
        move.restore(ana, entry.pk, actor="person", cause="test")


def test_a_job_says_which_version_it_read(ana: Account) -> None:
    entry = by_model(ana)
    with refused("invalid"):
        revise(ana, entry.pk, Changes(text=EDIT), version=None, actor="job", cause="test")
    with refused("invalid"):
        move.archive_many(ana, [entry.pk], actor="job", cause="test")


@pytest.mark.parametrize("change", [Changes(text=EDIT), Changes(pinned=True)])
def test_an_edit_between_a_jobs_read_and_its_write_stays(ana: Account, change: Changes) -> None:
    entry = by_model(ana)
    meanwhile = Meanwhile(lambda: revise(ana, entry.pk, change, version=None, actor="person", cause="desk"))
    with pytest.raises(StaleVersionError):
        revise(ana, entry.pk, Changes(text="Port 1 it is"), version=1, actor="job", cause="test", door=meanwhile)
    entry.refresh_from_db()
    assert (entry.text, entry.pinned, entry.version) == (change.text or TEXT, bool(change.pinned), 2)


@pytest.mark.parametrize("actor", ["model", "import"])
def test_no_model_and_no_import_closes_an_open_todo(ana: Account, actor: str) -> None:
    note = by_model(ana, "The passport was renewed", kind="note")
    for todo in (saved(ana, "Renew the passport", kind="todo"), by_model(ana, "Call the dentist", kind="todo")):
        for changes in (Changes(status="closed"), Changes(status="retracted"), Changes(kind="fact")):
            with refused("open_todo"):
                revise(ana, todo.pk, changes, version=1, actor=actor, cause="test")
        for act in (move.archive, move.retract):
            with refused("open_todo"):
                act(ana, todo.pk, actor=actor, cause="test", version=1)
        with refused("open_todo"):
            relate(ana, note.pk, "supersedes", todo.pk, actor=actor, cause="test")


def test_a_person_closes_a_todo_by_its_id(ana: Account) -> None:
    todo = by_model(ana, "Call the dentist", kind="todo")
    assert revise(ana, todo.pk, Changes(status="closed"), version=1, actor="person", cause="test").status == "closed"
