"""What an entry may rest on, and what a summary may be made from and stand for."""

from __future__ import annotations

from typing import Any

import pytest

from forgesite.models import Account
from memory import move
from memory.models import Entry, Link
from memory.remember import Draft, Saved, remember, remember_many
from memory.revise import Changes, revise
from memory.tests.entries import saved
from memory.tests.refused import refused

LONG = "We talked about the test server, its port 8080, the cellar it stands in and the cable that is too short"
SHORT = "The test server is in the cellar"


@pytest.fixture(autouse=True)
def _without_embedder(words_only: None) -> None:
    """What is embedded is no matter here."""


def wrote(owner: Account, text: str, actor: str = "person", **draft: Any) -> Saved:
    return remember(owner, Draft(text, **draft), actor=actor, cause="test")


def summary(owner: Account, text: str = SHORT, **draft: Any) -> Entry:
    return wrote(owner, text, "compaction", **{"kind": "summary", "origin": "compaction", **draft}).entry


def naming(field: str, *pks: int) -> dict[str, Any]:
    return {field: pks}


def links(entry: Entry) -> set[tuple[str, int]]:
    return set(Link.objects.standing().filter(entry=entry).values_list("type", "other"))


def test_what_is_covered_is_a_source_too(ana: Account) -> None:
    one, two = saved(ana, LONG), saved(ana, "The cellar is dry in summer")
    made = summary(ana, sources=(two.pk,), covers=(one.pk,))
    assert links(made) == {("source", two.pk), ("source", one.pk), ("covers", one.pk)}


def test_what_was_said_again_rests_on_the_new_sources_too(ana: Account) -> None:
    one, two = saved(ana, LONG), saved(ana, "The cellar is dry in summer")
    first = wrote(ana, SHORT, sources=(one.pk,)).entry
    again = wrote(ana, SHORT.lower(), sources=(one.pk, two.pk))
    assert (again.created, again.entry.pk) == (False, first.pk)
    assert links(first) == {("source", one.pk), ("source", two.pk)}


@pytest.mark.parametrize("field", ["sources", "covers"])
def test_a_source_that_is_not_there_or_somebody_elses_is_unknown(ana: Account, ben: Account, field: str) -> None:
    own, bens = saved(ana, LONG), saved(ben, LONG)
    for pk in (bens.pk, 4711, 0, -1, 2**63, 2**200):
        with refused("unknown") as error:
            wrote(ana, SHORT, kind="summary", **naming(field, own.pk, pk))
        assert error.value.detail == {"ids": [pk]}
        assert error.match(str(pk))


def test_an_entry_of_a_batch_rests_on_none_that_the_batch_makes(ana: Account) -> None:
    first = saved(ana, LONG).pk
    drafts = [Draft("The cellar is dry in summer"), Draft(SHORT, sources=(first + 1,))]
    with refused("unknown") as error:
        remember_many(ana, drafts, actor="import", cause="test")
    assert error.match("there before")


@pytest.mark.parametrize("field", ["sources", "covers"])
def test_at_most_32_are_named_and_each_once(ana: Account, field: str) -> None:
    pks = [saved(ana, f"Note number {number} of the long evening").pk for number in range(33)]
    wrote(ana, SHORT, kind="summary", **naming(field, *pks[:32]))
    with refused("invalid") as error:
        wrote(ana, "Another one", kind="summary", **naming(field, *pks))
    assert error.value.detail == {"size": 33, "limit": 32}
    with refused("invalid") as error:
        wrote(ana, "Another one", kind="summary", **naming(field, pks[0], pks[0]))
    assert error.match(f"#{pks[0]}.*twice")


def test_only_a_summary_covers(ana: Account) -> None:
    source = saved(ana, LONG)
    with refused("covers_need_summary"):
        wrote(ana, SHORT, covers=(source.pk,))


def test_no_summary_is_built_on_summaries(ana: Account) -> None:
    made = summary(ana, sources=(saved(ana, LONG).pk,))
    for field in ("sources", "covers"):
        with refused("recursive_summary") as error:
            summary(ana, "In the cellar", **naming(field, made.pk))
        assert error.match(f"#{made.pk}")


def test_a_summary_is_built_on_what_is_current(ana: Account) -> None:
    retracted, old = saved(ana, LONG), saved(ana, "The port is 8080", key="port")
    move.retract(ana, retracted.pk, actor="person", cause="test")
    saved(ana, "The port is 9443", key="port")
    for entry in (retracted, old):
        with refused("not_current") as error:
            summary(ana, sources=(entry.pk,))
        assert error.match(f"#{entry.pk}")


def test_a_summary_is_not_built_on_what_it_replaces(ana: Account) -> None:
    old = saved(ana, LONG, key="server")
    with refused("not_current"):
        wrote(ana, SHORT, kind="summary", key="server", sources=(old.pk,))
    drafts = [Draft("The server is gone", key="server"), Draft(SHORT, kind="summary", sources=(old.pk,))]
    with refused("not_current"):
        remember_many(ana, drafts, actor="person", cause="test")


def test_a_summary_covers_no_open_todo(ana: Account) -> None:
    todo = saved(ana, LONG, kind="todo")
    with refused("covers_open_todo") as error:
        summary(ana, covers=(todo.pk,))
    assert error.match(f"#{todo.pk}")
    summary(ana, sources=(todo.pk,))
    revise(ana, todo.pk, Changes(status="closed"), version=1, actor="person", cause="test")
    assert ("covers", todo.pk) in links(summary(ana, "In the cellar", covers=(todo.pk,)))


@pytest.mark.parametrize(("covered", "fits"), [("Il fait très beau", True), ("Il fait tres beau", False)])
def test_a_summary_is_shorter_in_bytes_than_what_it_covers(ana: Account, covered: str, fits: bool) -> None:
    pk = saved(ana, covered).pk  # 18 bytes with its accent, 17 without
    text = "Weather is lovely"
    if fits:
        assert links(summary(ana, text, covers=(pk,))) == {("source", pk), ("covers", pk)}
        return
    with refused("longer_summary") as error:
        summary(ana, text, covers=(pk,))
    assert error.value.detail == {"size": 17, "limit": 17}


def test_a_summary_grows_no_longer_than_what_it_covers(ana: Account) -> None:
    made = summary(ana, covers=(saved(ana, LONG).pk,))
    with refused("longer_summary"):
        revise(ana, made.pk, Changes(text=f"{LONG}, and more"), version=1, actor="person", cause="test")
    with refused("covers_need_summary"):
        revise(ana, made.pk, Changes(kind="note"), version=1, actor="person", cause="test")


def test_a_summary_can_be_cut_when_what_it_covers_is_shorter_by_now(ana: Account) -> None:
    covered = saved(ana, LONG)
    made = summary(ana, covers=(covered.pk,))
    revise(ana, covered.pk, Changes(text="In the cellar"), version=1, actor="person", cause="test")
    cut = SHORT.replace("test ", "")
    assert revise(ana, made.pk, Changes(text=cut), version=1, actor="person", cause="test").text == cut


def test_what_a_summary_is_built_on_becomes_none(ana: Account) -> None:
    source = saved(ana, LONG)
    summary(ana, sources=(source.pk,))
    with refused("recursive_summary"):
        revise(ana, source.pk, Changes(kind="summary"), version=1, actor="person", cause="test")


@pytest.mark.parametrize("origin", ["model", "compaction"])
def test_a_summary_that_is_made_here_names_its_sources(ana: Account, origin: str) -> None:
    with refused("needs_source"):
        summary(ana, origin=origin)


@pytest.mark.parametrize("origin", ["person", "import"])
def test_a_summary_from_elsewhere_is_kept_and_said_to_be_unproved(ana: Account, origin: str) -> None:
    notes = wrote(ana, SHORT, kind="summary", origin=origin).notes
    assert any("sources are not known" in note for note in notes)


@pytest.mark.parametrize("origin", ["model", "import"])
def test_a_procedure_of_a_machine_rests_on_what_was_said(ana: Account, origin: str) -> None:
    source = saved(ana, LONG)
    made, gone = summary(ana, sources=(source.pk,)), saved(ana, "Restart it with the red button")
    move.retract(ana, gone.pk, actor="person", cause="test")
    for sources in ((), (made.pk,), (gone.pk, made.pk)):
        with refused("needs_source") as error:
            wrote(ana, "To restart, press it twice", origin, kind="procedure", origin=origin, sources=sources)
        assert all(f"#{pk}" in str(error.value) for pk in sources)
    sources = (made.pk, source.pk)
    wrote(ana, "To restart, press it twice", origin, kind="procedure", origin=origin, sources=sources)


def test_a_persons_own_word_is_enough_for_a_procedure_but_a_bad_source_is_none(ana: Account) -> None:
    made = summary(ana, sources=(saved(ana, LONG).pk,))
    wrote(ana, "To restart, press the button", kind="procedure")
    with refused("needs_source"):
        wrote(ana, "To restart, press it twice", kind="procedure", sources=(made.pk,))


@pytest.mark.parametrize("what", ["edited", "replaced", "retracted"])
def test_a_summary_is_stale_once_a_source_is_no_longer_so(ana: Account, what: str) -> None:
    source = saved(ana, LONG, key="server")
    made = summary(ana, covers=(source.pk,))
    {
        "edited": lambda: revise(ana, source.pk, Changes(text=SHORT), version=1, actor="person", cause="test"),
        "replaced": lambda: saved(ana, "The server is gone", key="server"),
        "retracted": lambda: move.retract(ana, source.pk, actor="person", cause="test"),
    }[what]()
    made.refresh_from_db()
    assert (made.stale, made.is_live) == (True, False)
