"""A fold is one commit that takes nothing away, and everything that takes it back gives back what was there before."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from forgesite.errors import UnknownError
from forgesite.models import Account
from memory import move
from memory.adopt import adopt
from memory.errors import MovedError
from memory.fold import MOVED, Applied, apply
from memory.folds.folded import written_for
from memory.folds.plan import planned
from memory.forget import forget
from memory.golden import star
from memory.models import Commit, Entry, Kind, LinkType, Status
from memory.revise import Changes, revise
from memory.tests.entries import by_sql, by_words, saved
from memory.tests.folds import (
    BY,
    DECK,
    DECK_MORE,
    HARDWARE,
    LINE,
    RAM,
    TELEGRAM,
    WHOLE,
    block,
    notes,
    standing,
)
from memory.undo import undo
from memory.unfold import NotAFoldError, folds, unwind
from memory.verify import verify

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("words_only")]


def folded(owner: Account) -> Applied:
    done = apply(owner, **BY)
    assert len(done.done) == 1, done
    return done


def test_three_notes_become_one_line_that_speaks_for_them(ana: Account) -> None:
    sources = notes(ana, RAM, HARDWARE, TELEGRAM, project="home")
    before = Commit.objects.of(ana).count()

    done = folded(ana)

    entry = Entry.objects.get(pk=done.done[0].id)
    assert (entry.text, entry.kind, entry.project, entry.origin) == (LINE, Kind.FACT, "home", "person")
    assert standing(ana) == {(LinkType.SPEAKS_FOR, entry.pk, source.pk) for source in sources}
    assert block(ana).count("\n- #") == 1
    assert Commit.objects.of(ana).count() == before + 1
    assert verify(ana).ok


def test_the_preview_is_what_is_written(ana: Account) -> None:
    notes(ana, RAM, HARDWARE, TELEGRAM)
    preview = planned(ana)

    done = folded(ana)

    assert [each.fold for each in done.done] == list(preview.plan.accepted)


def test_a_second_run_changes_nothing(ana: Account) -> None:
    notes(ana, RAM, HARDWARE, TELEGRAM, DECK, DECK_MORE)
    assert len(apply(ana, **BY).done) == 2
    before, tick = block(ana), Commit.objects.of(ana).count()

    assert apply(ana, **BY) == Applied()
    assert (block(ana), Commit.objects.of(ana).count()) == (before, tick)


def test_an_absorption_writes_no_entry(ana: Account) -> None:
    deck, more = notes(ana, DECK, DECK_MORE)
    count = Entry.objects.of(ana).count()

    folded(ana)

    assert Entry.objects.of(ana).count() == count
    assert standing(ana) == {(LinkType.SPEAKS_FOR, more.pk, deck.pk)}
    assert DECK_MORE in block(ana)
    assert f"{DECK}\n" not in block(ana)


def test_every_source_is_found_as_before(ana: Account) -> None:
    notes(ana, RAM, HARDWARE, TELEGRAM)
    folded(ana)

    assert {RAM, HARDWARE, TELEGRAM} <= set(by_words(ana, "NiPoGi"))


def test_of_different_projects_the_line_has_none(ana: Account) -> None:
    notes(ana, HARDWARE, TELEGRAM, project="home")
    saved(ana, RAM, project="work")

    [done] = folded(ana).done

    assert Entry.objects.get(pk=done.id).project == ""


def test_unwound_block_and_links_are_what_they_were(ana: Account) -> None:
    notes(ana, RAM, HARDWARE, TELEGRAM)
    before, links = block(ana), standing(ana)
    [done] = folded(ana).done

    unwound = unwind(ana, done.id, **BY)

    assert (block(ana), standing(ana)) == (before, links)
    assert unwound.retracted
    assert unwound.released == done.fold.folds
    assert LINE not in by_words(ana, "NiPoGi")
    assert verify(ana).ok


def test_an_absorption_is_unwound_and_its_speaker_stays(ana: Account) -> None:
    _deck, more = notes(ana, DECK, DECK_MORE)
    before = block(ana)
    folded(ana)

    assert not unwind(ana, more.pk, **BY).retracted
    assert (block(ana), standing(ana)) == (before, set())


def test_a_later_fold_is_unwound_alone(ana: Account) -> None:
    notes(ana, RAM, HARDWARE, TELEGRAM)
    [first] = folded(ana).done
    later = saved(ana, "NiPoGi AM06PRO, 32 Go de RAM, Ansible")
    before, links = block(ana), standing(ana)

    [second] = folded(ana).done
    assert (second.id, second.fold.folds) == (first.id, (later.pk,))
    unwind(ana, second.id, sources=[later.pk], **BY)

    assert (block(ana), standing(ana)) == (before, links)


def test_the_whole_is_unwound_after_a_second_fold_too(ana: Account) -> None:
    notes(ana, RAM, HARDWARE, TELEGRAM)
    [first] = folded(ana).done
    unwind(ana, first.id, **BY)
    saved(ana, "NiPoGi AM06PRO, 32 Go de RAM, Ansible")
    before = block(ana)
    [second] = folded(ana).done

    unwind(ana, second.id, **BY)

    assert (block(ana), standing(ana)) == (before, set())


def test_what_speaks_for_nothing_is_not_unwound(ana: Account) -> None:
    [entry] = notes(ana, RAM)

    with pytest.raises(NotAFoldError):
        unwind(ana, entry.pk, **BY)


def test_another_persons_fold_is_unknown(ana: Account, ben: Account) -> None:
    notes(ana, RAM, HARDWARE, TELEGRAM)
    [done] = folded(ana).done

    with pytest.raises(UnknownError):
        unwind(ben, done.id, **BY)
    assert folds(ben) == ()
    assert not planned(ben).plan.folds


def test_the_commit_of_a_fold_is_undone(ana: Account) -> None:
    notes(ana, RAM, HARDWARE, TELEGRAM)
    before = block(ana)
    commit = folded(ana).commit
    assert commit is not None

    again = undo(ana, commit.address, **BY)
    assert (block(ana), standing(ana)) == (before, set())

    undo(ana, again.address, **BY)
    assert block(ana).count("\n- #") == 1


@pytest.mark.parametrize("change", ["text", "pinned", "archived", "event", "folded"])
def test_what_moved_since_the_plan_keeps_its_subject_out(ana: Account, change: str) -> None:
    ram, *_rest = notes(ana, RAM, HARDWARE, TELEGRAM)
    plan = planned(ana)
    if change == "archived":
        move.archive(ana, ram.pk, **BY)
    elif change == "folded":
        folded(ana)
    else:
        changes = {"text": Changes(text=f"{RAM} DDR4"), "pinned": Changes(pinned=True), "event": Changes(kind="event")}
        revise(ana, ram.pk, changes[change], version=None, **BY)
    before = block(ana)

    done = apply(ana, plan, **BY)

    assert (done.done, done.commit, block(ana)) == ((), None, before)
    assert [fold.refused for fold in done.dropped] == [MOVED]
    assert ram.pk in done.moved


def test_the_other_subjects_of_the_plan_are_written_all_the_same(ana: Account) -> None:
    ram, *_rest = notes(ana, RAM, HARDWARE, TELEGRAM, DECK, DECK_MORE)
    plan = planned(ana)
    revise(ana, ram.pk, Changes(pinned=True), version=None, **BY)

    done = apply(ana, plan, **BY)

    assert [each.fold.subject for each in done.done] == ["possède"]


def test_only_the_subjects_that_are_named_are_folded(ana: Account) -> None:
    notes(ana, RAM, HARDWARE, TELEGRAM, DECK, DECK_MORE)

    assert [each.fold.subject for each in apply(ana, subjects=["nipogi"], **BY).done] == ["nipogi"]
    with pytest.raises(UnknownError):
        apply(ana, subjects=["nothing"], **BY)


def test_an_edited_source_takes_the_line_back_that_says_otherwise(ana: Account) -> None:
    ram, *_rest = notes(ana, RAM, HARDWARE, TELEGRAM)
    [done] = folded(ana).done

    revise(ana, ram.pk, Changes(text="Le NiPoGi a 64 Go de RAM"), version=None, **BY)

    assert standing(ana) == set()
    assert Entry.objects.get(pk=done.id).status == Status.RETRACTED
    assert "64 Go" in block(ana)
    assert LINE not in block(ana)
    assert verify(ana).ok


def test_an_edit_of_a_source_is_undone_with_the_fold_that_it_ended(ana: Account) -> None:
    ram, *_rest = notes(ana, RAM, HARDWARE, TELEGRAM)
    folded(ana)
    before = block(ana)
    revise(ana, ram.pk, Changes(text="Le NiPoGi a 64 Go de RAM"), version=None, **BY)
    last = Commit.objects.of(ana).latest("tick")

    undo(ana, last.address, **BY)

    assert block(ana) == before


def test_an_edited_source_leaves_who_absorbed_it(ana: Account) -> None:
    deck, more = notes(ana, DECK, DECK_MORE)
    folded(ana)

    revise(ana, deck.pk, Changes(text="Possède un Steam Deck bleu"), version=None, **BY)

    assert standing(ana) == set()
    assert Entry.objects.get(pk=more.pk).status == Status.ACTIVE


@pytest.mark.parametrize("act", [move.archive, move.retract])
def test_a_fold_that_is_put_away_lets_its_sources_speak(ana: Account, act: object) -> None:
    notes(ana, RAM, HARDWARE, TELEGRAM)
    before = block(ana)
    [done] = folded(ana).done

    act(ana, done.id, **BY)  # type: ignore[operator]

    assert (block(ana), standing(ana)) == (before, set())


def test_a_fold_that_is_edited_lets_its_sources_speak(ana: Account) -> None:
    notes(ana, RAM, HARDWARE, TELEGRAM)
    [done] = folded(ana).done

    revise(ana, done.id, Changes(text="Le NiPoGi est sous Arch"), version=None, **BY)

    assert standing(ana) == set()
    assert RAM in block(ana)


def test_a_forgotten_fold_releases_its_sources(ana: Account) -> None:
    notes(ana, RAM, HARDWARE, TELEGRAM)
    before = block(ana)
    [done] = folded(ana).done

    forget(ana, [done.id], **BY)

    assert (block(ana), standing(ana)) == (before, set())
    assert verify(ana).ok


def test_with_a_forgotten_source_goes_the_line_that_holds_its_words(ana: Account) -> None:
    _ram, hardware, telegram = notes(ana, RAM, HARDWARE, TELEGRAM)
    [done] = folded(ana).done

    gone = forget(ana, [telegram.pk], **BY)

    assert set(gone.ids) == {telegram.pk, done.id}
    assert "Ansible" not in block(ana)
    assert hardware.text in block(ana)
    assert standing(ana) == set()


def test_with_a_source_goes_the_line_of_a_fold_that_was_unwound(ana: Account) -> None:
    _ram, _hardware, telegram = notes(ana, RAM, HARDWARE, TELEGRAM)
    [done] = folded(ana).done
    unwind(ana, done.id, **BY)

    assert done.id in forget(ana, [telegram.pk], **BY).ids


def test_only_what_a_fold_wrote_counts_as_written_for_it(ana: Account) -> None:
    deck, more = notes(ana, DECK, DECK_MORE)
    four = [saved(ana, text) for text in (RAM, HARDWARE, TELEGRAM, WHOLE)]
    done = apply(ana, **BY)

    ids = [each.id for each in done.done] + [deck.pk, *(each.pk for each in four)]
    assert written_for(ana, ids) == {each.id for each in done.done if each.id != more.pk}
    assert {each.entry.pk: each.written for each in folds(ana)} == {each.id: each.id != more.pk for each in done.done}


def test_a_job_writes_in_its_own_name(ana: Account) -> None:
    notes(ana, RAM, HARDWARE, TELEGRAM)

    [done] = apply(ana, actor="compaction", cause="fold").done

    assert Entry.objects.get(pk=done.id).origin == "compaction"


def test_an_unwinding_is_not_undone_over_a_source_that_says_otherwise_now(ana: Account) -> None:
    ram, *_rest = notes(ana, RAM, HARDWARE, TELEGRAM)
    [done] = folded(ana).done
    unwound = unwind(ana, done.id, **BY)
    revise(ana, ram.pk, Changes(text="Le NiPoGi a 64 Go de RAM"), version=None, **BY)

    with pytest.raises(MovedError):
        undo(ana, unwound.commit.address, **BY)

    undo(ana, Commit.objects.of(ana).latest("tick").address, **BY)
    undo(ana, unwound.commit.address, **BY)
    assert block(ana).count("\n- #") == 1


def test_a_source_that_was_edited_outside_ends_its_fold_once_that_is_taken_in(ana: Account) -> None:
    ram, *_rest = notes(ana, RAM, HARDWARE, TELEGRAM)
    [done] = folded(ana).done
    by_sql("UPDATE memory_entry SET text = 'Le NiPoGi a 64 Go de RAM' WHERE id = %s", ram.pk)

    adopt(ana, cause="test")

    assert standing(ana) == set()
    assert Entry.objects.get(pk=done.id).status == Status.RETRACTED
    assert verify(ana).ok


def test_with_a_source_that_was_deleted_outside_goes_the_line_too(ana: Account) -> None:
    _ram, _hardware, telegram = notes(ana, RAM, HARDWARE, TELEGRAM)
    [done] = folded(ana).done
    by_sql("DELETE FROM memory_entry WHERE id = %s", telegram.pk)

    adopt(ana, cause="test")

    assert not Entry.objects.filter(pk=done.id).exists()
    assert "Ansible" not in block(ana)
    assert RAM in block(ana)
    assert verify(ana).ok


def test_a_job_lets_alone_what_a_person_edited(ana: Account) -> None:
    ram, *_rest = notes(ana, RAM, HARDWARE, TELEGRAM)
    revise(ana, ram.pk, Changes(text=f"{RAM} DDR4"), version=None, **BY)

    [done] = apply(ana, actor="compaction", cause="fold").done

    assert ram.pk not in done.fold.sources
    assert planned(ana, job=True).plan.left_alone == {"edited": 1}


@pytest.mark.parametrize("given", [1, 5])
def test_a_fold_after_which_a_golden_question_finds_less_is_taken_back(
    ana: Account, given: int, settings: Settings
) -> None:
    """The line holds more of its words than the right entry, and of one row that a turn is given it is that one."""
    settings.FORGE = settings.FORGE.model_copy(update={"RECALL_TOP_K": given})
    notes(ana, RAM, HARDWARE, TELEGRAM)
    right = saved(ana, "Paul aime le processeur Ryzen et Arch")
    star(ana, "processeur Ryzen Arch Ansible Podman", [right.pk])
    before = block(ana)

    done = apply(ana, **BY)

    if given == 1:
        assert ([fold.refused for fold in done.dropped], done.done, done.commit) == (["questions"], (), None)
        assert (block(ana), standing(ana)) == (before, set())
    else:
        assert len(done.done) == 1


def test_nothing_is_asked_where_nobody_guards_it(ana: Account, settings: Settings) -> None:
    settings.FORGE = settings.FORGE.model_copy(update={"RECALL_TOP_K": 1})
    notes(ana, RAM, HARDWARE, TELEGRAM)
    star(ana, "processeur Ryzen Arch Ansible Podman", [saved(ana, "Paul aime le processeur Ryzen et Arch").pk])

    assert apply(ana, guard=False, **BY).commit
