"""The history of an entry: what each commit did to it, what stands of that, and what took it back."""

from __future__ import annotations

from typing import Any

import pytest

from forgesite.models import Account
from memory import move
from memory.domain.chain import FIRST, PRESENT
from memory.domain.chapters import Chapter, Field, Linked, SpokenFor, Told, chapters
from memory.forget import forget
from memory.histories import history, made, newest
from memory.ledger import head
from memory.models import Commit, Entry, TextVersion
from memory.relate import relate, unrelate
from memory.remember import Draft, remember_many
from memory.revise import Changes, revise
from memory.tests.entries import saved
from memory.undo import undo, undoable

WHO: dict[str, Any] = {"actor": "person", "cause": "test"}
PORT, OTHER = "The test server runs on port 8080", "The test server runs on port 9090"

pytestmark = pytest.mark.usefixtures("words_only")


def told(owner: Account, entry: Entry, limit: int | None = None) -> list[Chapter]:
    """Newest first."""
    return [past.chapter for past in history(owner, entry.pk, limit=limit).past]


def edited(owner: Account, entry: Entry, **changes: Any) -> Commit:
    revise(owner, entry.pk, Changes(**changes), version=None, **WHO)
    commit = head(owner)
    assert commit is not None
    return commit


def values(chapter: Chapter) -> dict[str, tuple[Any, Any]]:
    return {field.name: (field.before, field.after) for field in chapter.fields}


def test_a_beginning_tells_what_the_entry_has(ana: Account) -> None:
    entry = saved(ana, PORT, project="home")

    [begun] = told(ana, entry)

    assert begun.does == ("create",)
    assert values(begun) == {
        "text": (None, PORT), "project": (None, "home"), "kind": (None, "fact"), "status": (None, "active"),
    }  # fmt: skip


def test_a_change_tells_each_field_before_and_after_and_the_words_that_differ(ana: Account) -> None:
    entry = saved(ana, PORT)
    edited(ana, entry, text=OTHER, kind="note")

    changed = told(ana, entry)[0]

    assert values(changed) == {"text": (PORT, OTHER), "kind": ("fact", "note")}
    assert [(piece.kind, piece.text) for piece in changed.fields[0].pieces if piece.kind != "same"] == [
        ("gone", "8080"), ("new", "9090"),
    ]  # fmt: skip


def test_a_page_of_a_long_history_knows_what_came_before_it(ana: Account) -> None:
    entry = saved(ana, PORT)
    for name in ("one", "two", "three"):
        edited(ana, entry, project=name)

    page = history(ana, entry.pk, limit=1)

    assert page.more
    assert [values(past.chapter) for past in page.past] == [{"project": ("two", "three")}]
    assert not history(ana, entry.pk, limit=4).more


def test_links_are_told_from_both_ends_and_what_follows_from_them(ana: Account) -> None:
    old, new = saved(ana, PORT), saved(ana, OTHER)
    link = relate(ana, new.pk, "supersedes", old.pk, **WHO)
    unrelate(ana, link.pk, **WHO)

    [ended, made_one, _begun] = told(ana, old)

    assert made_one.links == (Linked("supersedes", new.pk, outward=False, ended=False),)
    assert made_one.fields == (Field("spoken_for", None, SpokenFor("replaced", new.pk)),)
    assert ended.links == (Linked("supersedes", new.pk, outward=False, ended=True),)
    assert told(ana, new)[1].links == (Linked("supersedes", old.pk, outward=True, ended=False),)


def test_what_stands_can_be_undone_and_what_was_undone_says_by_what(ana: Account) -> None:
    entry = saved(ana, PORT)
    move.archive(ana, entry.pk, **WHO)
    archived = newest(ana, entry.pk)
    assert archived is not None
    back = undo(ana, archived.address, **WHO)

    [put_back, gone, begun] = told(ana, entry)

    assert (put_back.stands, gone.stands, begun.stands) == (True, False, True)
    assert (put_back.undone_by, gone.undone_by) == ("", back.address)
    again = undo(ana, back.address, **WHO)
    assert [chapter.undone_by for chapter in told(ana, entry)] == ["", again.address, "", ""]


def test_what_is_offered_to_be_undone_is_what_the_verb_would_undo(ana: Account) -> None:
    entry, other = saved(ana, PORT), saved(ana, OTHER)
    edited(ana, entry, text="The test server moved to the attic")
    move.archive(ana, entry.pk, **WHO)
    undo(ana, newest(ana, entry.pk).address, **WHO)  # type: ignore[union-attr]
    relate(ana, entry.pk, "conflicts", other.pk, **WHO)
    edited(ana, entry, pinned=True)

    for past in history(ana, entry.pk).past:
        whole = Commit.objects.get(pk=past.commit.pk)
        assert past.chapter.stands == (not undoable(whole) and not past.chapter.undone_by), whole.tick


def test_words_that_were_erased_are_told_as_erased(ana: Account) -> None:
    entry = saved(ana, PORT)
    edited(ana, entry, text=OTHER)
    forget(ana, [entry.pk], **WHO)

    [gone, changed, begun] = told(ana, entry)

    assert gone.does == ("forget",)
    assert (changed.erased, begun.erased) == (True, True)
    assert not any(field.name == "text" for chapter in (gone, changed, begun) for field in chapter.fields)
    assert not any(chapter.stands for chapter in (gone, changed, begun))


def test_nobody_is_told_of_anothers_entry(ana: Account, ben: Account) -> None:
    entry = saved(ana, PORT)

    assert history(ben, entry.pk).past == ()
    assert made(ben, [entry.pk]) == {}
    assert newest(ben, entry.pk) is None


def test_one_of_a_batch_is_told_alone(ana: Account) -> None:
    drafts = [Draft(f"Server number {n} is on shelf {n}") for n in range(30)]
    entry = remember_many(ana, drafts, **WHO).entries[17]

    [begun] = told(ana, entry)

    assert values(begun)["text"] == (None, "Server number 17 is on shelf 17")
    assert history(ana, entry.pk).past[0].entries == 30


def test_who_made_an_entry_and_what_undid_that(ana: Account) -> None:
    entry = saved(ana, PORT)
    edited(ana, entry, kind="note")
    begun = Commit.objects.earliest("tick")
    assert made(ana, [entry.pk])[entry.pk].commit == begun.address

    other = saved(ana, OTHER)
    back = undo(ana, made(ana, [other.pk])[other.pk].commit, **WHO)

    assert made(ana, [other.pk])[other.pk].undone_by == back.address


def test_a_commit_of_the_first_form_is_told_as_far_as_it_tells() -> None:
    words = {"a": {"text": PORT}, "b": {"text": OTHER}, "p": {"text": "home"}}
    first = [
        Told(FIRST, [{"do": "create", "kind": "fact", "project": "p", "status": "active", "text": "a"}]),
        Told(FIRST, [{"do": "revise", "version": 2, "text": "b"}]),
        Told(FIRST, [{"do": "reaffirm"}]),
    ]

    [begun, changed, confirmed] = chapters(first, 7, words, earlier=None, compared=())

    assert values(begun)["project"] == (None, "home")
    assert values(changed) == {"text": (PORT, OTHER)}
    assert (confirmed.fields, confirmed.stands) == ((), False)
    [alone] = chapters(first[1:2], 7, {}, earlier=None, compared=())
    assert (alone.fields, alone.erased) == ((), True)


def test_a_baseline_after_commits_of_the_first_form_tells_nothing_new() -> None:
    state = {
        "kind": "fact", "status": "active", "origin": "person", "words": "w", "said": "2026-01-02T03:04:05+00:00",
        "recorded": "2026-01-02T03:04:05+00:00", "updated": "2026-01-02T03:04:05+00:00", "version": 1,
    }  # fmt: skip
    words = {"a": {"text": PORT}, "w": {"text": PORT, "project": "", "key": "", "event_words": ""}}
    given = [
        Told(
            FIRST,
            [
                {
                    "do": "create",
                    "kind": "fact",
                    "project": "",
                    "status": "active",
                    "text": "a",
                    "said_at": state["said"],
                }
            ],
        ),
        Told(PRESENT, [{"do": "baseline", "id": 7, **state}]),
    ]

    assert chapters(given, 7, words, earlier=None, compared=())[1].fields == ()


def test_a_text_version_that_is_gone_hides_no_other_field(ana: Account) -> None:
    entry = saved(ana, PORT)
    edited(ana, entry, text=OTHER, kind="note")
    TextVersion.objects.filter(text=PORT).delete()

    changed, begun = told(ana, entry)

    assert begun.erased
    assert values(changed) == {"text": (None, OTHER), "kind": ("fact", "note")}
