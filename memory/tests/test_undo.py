"""Undo of a commit, by a commit: all of it or nothing, and the undo of an undo brings everything back."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from forgesite.errors import ConflictError, UnknownError
from forgesite.models import Account
from forgesite.testing_embedders import ScriptedEmbedder
from memory import ledger, move, undo
from memory.adopt import adopt
from memory.errors import MovedError
from memory.forget import forget
from memory.models import Commit, Entry, Link, TextVersion, Vector
from memory.regime.pending import is_indexed
from memory.relate import relate, unrelate
from memory.remember import Draft, remember_many
from memory.revise import Changes, revise
from memory.store import Moved, Write, commit
from memory.tests.entries import by_words, found, index_is_whole, saved
from memory.tests.refused import Meanwhile, refused
from memory.verify import verify

WHO: dict[str, Any] = {"actor": "person", "cause": "test"}
PORT, NEW_PORT = "The test server runs on port 8080", "The test server runs on port 9090"


@pytest.fixture
def port(ana: Account, words_only: None) -> Entry:
    return saved(ana, PORT)


def head(owner: Account) -> Commit:
    return Commit.objects.of(owner).latest("tick")


def undone(owner: Account, made: Commit | None = None) -> Commit:
    return undo.undo(owner, (made or head(owner)).address, **WHO)


def change(owner: Account, entry: Entry, **changes: Any) -> Entry:
    return revise(owner, entry.pk, Changes(**changes), version=None, **WHO)


def picture(owner: Account) -> Any:
    """All that an undo of an undo has to bring back: every column but `version`, the links, and the vectors."""
    rows = [{**row, "version": 0} for row in Entry.objects.of(owner).order_by("id").values()]
    links = sorted(Link.objects.of(owner).standing().values_list("type", "entry", "other", "digest"))
    parts = Vector.objects.filter(entry__owner=owner).order_by("entry", "part").values_list("entry", "part", "vector")
    return rows, links, [(entry, part, bytes(vector)) for entry, part, vector in parts]


def code(owner: Account, made: Commit) -> str:
    """The code that an undo is refused with: then nothing is written, and `undoable` says the same sentence."""
    before = picture(owner), head(owner).tick
    with pytest.raises(ConflictError) as refused:
        undone(owner, made)
    assert (picture(owner), head(owner).tick) == before
    assert undo.undoable(made) == refused.value.message
    return str(refused.value.code)


def test_a_revision_is_undone_by_a_commit_that_says_so(ana: Account, port: Entry) -> None:
    change(ana, port, text=NEW_PORT)
    revised = head(ana)

    made = undone(ana, revised)

    assert by_words(ana, "server port") == [PORT]
    assert (made.tick, made.cause) == (3, f"undo {revised.address[:12]} test")
    [change_] = made.changes
    assert (change_["do"], change_["of"], change_["version"]) == ("undo", revised.address, 3)
    assert ledger.address_of(made) == made.address
    assert index_is_whole()


def test_undo_of_undo_brings_back_every_column(ana: Account, port: Entry) -> None:
    change(ana, port, text=NEW_PORT, kind="event", project="shed", event_at=timezone.now(), pinned=True)
    before = picture(ana)

    undone(ana, undone(ana))

    assert picture(ana) == before
    assert Entry.objects.get().version == 4


def test_vectors_follow_the_words_back_and_forth(ana: Account) -> None:
    entry = saved(ana, PORT)
    was = picture(ana)
    change(ana, entry, text="My cat is called Mia")
    now = picture(ana)

    made = undone(ana)
    assert picture(ana)[2] == was[2]
    assert found(ana, "Which port has the server?", policy="vector") == [PORT]
    undone(ana, made)
    assert picture(ana) == now


def test_undoing_a_creation_takes_the_entry_back_and_ends_its_links(ana: Account, words_only: None) -> None:
    old = saved(ana, PORT, key="port")
    new = saved(ana, NEW_PORT, key="port")
    before, replaced = picture(ana), head(ana)

    made = undone(ana)
    rows = {row.pk: row for row in Entry.objects.of(ana)}
    assert (rows[new.pk].status, rows[old.pk].superseded_by_id, rows[old.pk].superseded_how) == ("retracted", None, "")
    assert by_words(ana, "8080 or 9090") == [PORT]
    assert not Link.objects.standing().exists()

    undone(ana, made)
    assert picture(ana) == before
    assert by_words(ana, "8080 or 9090") == [NEW_PORT, PORT]
    undone(ana, replaced)
    assert by_words(ana, "8080 or 9090") == [PORT]


def test_links_return_with_the_digest_they_had(ana: Account, words_only: None) -> None:
    source = saved(ana, PORT)
    procedure = saved(ana, "To restart the server, run the script")
    link = relate(ana, procedure.pk, "source", source.pk, **WHO)
    unrelate(ana, link.pk, **WHO)
    ended = head(ana)
    change(ana, source, text=NEW_PORT)

    made = undone(ana, ended)
    again = Link.objects.standing().get()
    assert (again.digest, again.since) == (link.digest, made.tick)
    undone(ana, made)
    assert not Link.objects.standing().exists()


def test_a_batch_is_undone_whole(ana: Account, words_only: None) -> None:
    drafts = [Draft(f"Note number {number} of the trip") for number in range(5)]
    entries = remember_many(ana, drafts, **WHO).entries
    batch = head(ana)
    change(ana, entries[3], text="Something else by now")

    assert code(ana, batch) == "moved"
    undone(ana)
    undone(ana, batch)
    assert set(Entry.objects.values_list("status", flat=True)) == {"retracted"}


def test_what_moved_since_is_named_with_the_newer_commit(ana: Account, port: Entry) -> None:
    change(ana, port, text=NEW_PORT)
    first = head(ana)
    change(ana, port, kind="decision")

    assert code(ana, first) == "moved"
    assert f"#{port.pk} changed again since, by commit {head(ana).address[:12]}" in undo.undoable(first)


def test_a_confirmation_since_is_a_change_too(ana: Account, port: Entry) -> None:
    made = head(ana)
    move.reaffirm(ana, port.pk, **WHO)
    assert code(ana, made) == "moved"


def test_undone_once_it_says_by_what(ana: Account, port: Entry) -> None:
    made = head(ana)
    again = undone(ana)

    assert code(ana, made) == "moved"
    assert f"undone already, by commit {again.address[:12]}" in undo.undoable(made)


def test_late_vectors_and_a_new_summary_are_no_move(ana: Account, port: Entry) -> None:
    change(ana, port, text=NEW_PORT)
    revised = head(ana)
    other = saved(ana, "The shed is green and dry")
    relate(ana, other.pk, "speaks_for", port.pk, **WHO)

    undone(ana, revised)
    assert Entry.objects.get(pk=port.pk).text == PORT


def test_what_was_replaced_since_moved(ana: Account, port: Entry) -> None:
    made = head(ana)
    relate(ana, saved(ana, NEW_PORT).pk, "supersedes", port.pk, **WHO)
    assert code(ana, made) == "moved"


def test_a_link_that_stands_elsewhere_now_is_in_the_way(ana: Account, port: Entry) -> None:
    link = relate(ana, saved(ana, NEW_PORT).pk, "supersedes", port.pk, **WHO)
    unrelate(ana, link.pk, **WHO)
    ended = head(ana)
    relate(ana, saved(ana, "The test server has no port any more").pk, "supersedes", port.pk, **WHO)
    assert code(ana, ended) == "moved"


def test_what_was_forgotten_stays_forgotten(ana: Account, port: Entry) -> None:
    created = head(ana)
    change(ana, port, text=NEW_PORT)
    revised = head(ana)
    forget(ana, [port.pk], **WHO)

    assert [code(ana, made) for made in (created, revised, head(ana))] == ["erased"] * 3


def test_words_that_were_erased_do_not_come_back(ana: Account, port: Entry) -> None:
    change(ana, port, text=NEW_PORT)
    TextVersion.objects.filter(text=PORT).delete()
    assert code(ana, head(ana)) == "erased"


def test_what_replaced_a_forgotten_entry_cannot_give_it_back(ana: Account, port: Entry) -> None:
    new = saved(ana, NEW_PORT)
    relate(ana, new.pk, "supersedes", port.pk, **WHO)
    made = head(ana)
    forget(ana, [port.pk], **WHO)
    assert code(ana, made) == "erased"


def test_a_version_whose_former_one_is_forgotten_is_not_undone_halfway(ana: Account, words_only: None) -> None:
    old = saved(ana, PORT, key="port")
    saved(ana, NEW_PORT, key="port")
    replaced = head(ana)
    forget(ana, [old.pk], **WHO)
    assert code(ana, replaced) == "erased"


def test_a_link_that_leans_on_other_words_now_is_another_one(ana: Account, port: Entry) -> None:
    procedure = saved(ana, "To restart the server, run the script")
    link = relate(ana, procedure.pk, "source", port.pk, **WHO)
    made = head(ana)
    unrelate(ana, link.pk, **WHO)
    change(ana, port, text=NEW_PORT)
    relate(ana, procedure.pk, "source", port.pk, **WHO)
    assert code(ana, made) == "moved"


def test_late_vectors_alone_are_nothing_to_undo(ana: Account, port: Entry) -> None:
    commit(ana, Write(moved=[Moved(Entry.objects.get(), "embed")]), actor="forge", cause="vectors")
    assert code(ana, head(ana)) == "nothing_to_undo"
    assert undo.last(ana) == Commit.objects.get(tick=1)


def test_a_commit_of_the_first_form_is_nothing_to_undo(ana: Account, port: Entry) -> None:
    Commit.objects.update(form=1)
    assert code(ana, head(ana)) == "nothing_to_undo"


def test_a_key_that_is_taken_now_is_named_and_no_integrity_error(ana: Account, words_only: None) -> None:
    first = saved(ana, PORT, key="port")
    move.retract(ana, first.pk, **WHO)
    retracted = head(ana)
    holder = saved(ana, NEW_PORT, key="port", project="shed")
    change(ana, holder, project="")

    assert code(ana, retracted) == "key_taken"
    assert f"#{holder.pk} has the key now" in undo.undoable(retracted)


def test_an_edit_from_outside_is_not_overwritten(ana: Account, port: Entry) -> None:
    made = head(ana)
    Entry.objects.filter(pk=port.pk).update(text="Somebody edited the file")
    assert code(ana, made) == "moved"
    assert "outside" in undo.undoable(made)


def test_a_stranger_knows_no_commit(ana: Account, ben: Account, port: Entry) -> None:
    for name in (head(ana).address, "deadbeef", "no address", ""):
        with pytest.raises(UnknownError):
            undo.undo(ben, name, **WHO)


def test_a_job_does_not_undo_what_a_person_wrote(ana: Account, port: Entry) -> None:
    with pytest.raises(ConflictError) as refused:
        undo.undo(ana, head(ana).address, actor="model", cause="")
    assert refused.value.code == "persons_entry"


def test_one_undo_after_the_other_walks_back(ana: Account, port: Entry) -> None:
    change(ana, port, text=NEW_PORT)
    change(ana, port, pinned=True)
    texts = []
    while newest := undo.last(ana):
        undone(ana, newest)
        row = Entry.objects.get()
        texts.append((row.text, row.pinned, row.status))
    assert texts == [(NEW_PORT, False, "active"), (PORT, False, "active"), (PORT, False, "retracted")]


def test_what_was_done_again_is_the_last_change_again(ana: Account, port: Entry) -> None:
    change(ana, port, text=NEW_PORT)
    revised = head(ana)
    undone(ana, undone(ana))
    assert undo.last(ana) == revised


def test_an_erasure_is_passed_over_and_said(ana: Account, port: Entry) -> None:
    made = head(ana)
    forget(ana, [saved(ana, NEW_PORT).pk], **WHO)
    newest = undo.newest(ana)
    assert (newest.commit, [one.tick for one in newest.final]) == (made, [3])


def test_of_nothing_there_is_no_last_change(ana: Account) -> None:
    assert undo.last(ana) is None


def test_a_summary_is_stale_again_once_its_source_is_as_it_was(ana: Account, words_only: None) -> None:
    source = saved(ana, PORT)
    summary = saved(ana, "Ports were chosen", kind="summary")
    relate(ana, summary.pk, "source", source.pk, **WHO)
    change(ana, source, text=NEW_PORT)
    before = picture(ana)

    made = undone(ana)
    assert not Entry.objects.get(pk=summary.pk).stale
    undone(ana, made)
    assert picture(ana) == before
    assert Entry.objects.get(pk=summary.pk).stale


def test_a_stale_summary_may_become_a_note_and_a_summary_again(ana: Account, words_only: None) -> None:
    source = saved(ana, PORT)
    summary = saved(ana, "Ports were chosen", kind="summary")
    relate(ana, summary.pk, "source", source.pk, **WHO)
    change(ana, source, text=NEW_PORT)
    before = picture(ana)
    change(ana, summary, kind="note")

    undone(ana)
    assert picture(ana) == before


def test_what_moves_while_words_are_embedded_is_not_undone(ana: Account) -> None:
    entry = saved(ana, PORT)
    change(ana, entry, text=NEW_PORT)
    meanwhile = Meanwhile(lambda: change(ana, entry, pinned=True))

    with pytest.raises(MovedError):
        undo.undo(ana, head(ana).address, **WHO, door=meanwhile)

    row = Entry.objects.get()
    assert (row.text, row.pinned, head(ana).tick) == (NEW_PORT, True, 3)


def test_two_who_undo_the_same_are_one_undo(ana: Account) -> None:
    entry = saved(ana, PORT)
    change(ana, entry, text=NEW_PORT)
    revised = head(ana)
    meanwhile = Meanwhile(lambda: undone(ana, revised))

    with pytest.raises(MovedError, match="undone already"):
        undo.undo(ana, revised.address, **WHO, door=meanwhile)
    assert (Entry.objects.get().text, head(ana).tick) == (PORT, 3)


def test_an_embedder_that_is_down_leaves_all_as_it_is(ana: Account, embedder: ScriptedEmbedder) -> None:
    change(ana, saved(ana, PORT), text=NEW_PORT)
    embedder.will_break()
    with refused("embedding"):
        undone(ana)


def test_or_the_words_wait_for_their_vectors(ana: Account, embedder: ScriptedEmbedder, queued: None) -> None:
    change(ana, saved(ana, PORT), text=NEW_PORT)
    embedder.will_break()
    undone(ana)
    entry = Entry.objects.get()
    assert (entry.text, entry.embedded, is_indexed(entry)) == (PORT, "", False)
    assert by_words(ana, "port 8080") == [PORT]


def test_what_a_summary_came_to_rest_on_is_not_taken_from_under_it(ana: Account, words_only: None) -> None:
    todo = saved(ana, "Paint the shed, all four of its walls and the door", kind="todo")
    note = saved(ana, "The shed is green and dry, and there is room for two boats", kind="summary")
    change(ana, todo, status="closed")
    closed = head(ana)
    change(ana, note, kind="note")
    noted = head(ana)
    saved(ana, "Sheds are painted", kind="summary", sources=(todo.pk, note.pk), covers=(todo.pk,))

    for made in (closed, noted):
        assert code(ana, made) == "moved"
        assert head(ana).address[:12] in undo.undoable(made)


def test_a_link_does_not_return_to_what_it_could_not_be_made_with(ana: Account, words_only: None) -> None:
    todo = saved(ana, "Paint the shed, all four of its walls and the door", kind="todo", status="closed")
    summary = saved(ana, "Sheds are painted", kind="summary", sources=(todo.pk,), covers=(todo.pk,))
    unrelate(ana, Link.objects.standing().get(entry=summary, type="source").pk, **WHO)
    ended = head(ana)
    change(ana, todo, status="open")

    assert code(ana, ended) == "moved"


def test_what_forge_did_by_itself_is_nobodys_last_change(ana: Account, port: Entry) -> None:
    made = head(ana)
    unit = Draft("user: hello\nassistant: hello", "exchange", origin="compaction")
    remember_many(ana, [unit], actor="compaction", cause="test")
    assert undo.last(ana) == made


def test_an_edit_from_outside_that_was_adopted_is_undone(ana: Account, port: Entry) -> None:
    Entry.objects.filter(pk=port.pk).update(text="Somebody edited the file")
    adopt(ana, cause="test")
    undone(ana)
    assert Entry.objects.get().text == PORT
    assert verify(ana).ok
