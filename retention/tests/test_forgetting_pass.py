"""A pass: what it proposes, what it leaves alone, and what it stores."""

from __future__ import annotations

import pytest

from forgesite.models import Account
from memory.models import Commit, Entry
from memory.move import reaffirm
from memory.revise import Changes, revise
from retention import forgetting_pass
from retention.domain import rules
from retention.judges import Rules
from retention.models import Pass, Proposal, Status
from retention.tests.entries import changed, over, proposals, said
from traces.models import Run


def test_it_proposes_and_changes_nothing_of_memory(on: None, ana: Account) -> None:
    car = over(ana)
    old, new = changed(ana)
    commits = Commit.objects.count()

    done = forgetting_pass.run(ana)

    assert sorted(proposals(ana)) == [("archive", car.pk, None), ("supersede", old.pk, new.pk)]
    assert (done.candidates, done.judged, done.proposed, done.dismissed) == (2, 2, 2, 0)
    assert Commit.objects.count() == commits
    assert Entry.objects.live().count() == 3


def test_what_it_keeps_is_stored_as_dismissed_with_every_probability(on: None, ana: Account) -> None:
    entry = said(ana, "Allergic to peanuts and to celery", days=60)

    forgetting_pass.run(ana)

    [kept] = Proposal.objects.of(ana)
    assert (kept.status, kept.action, kept.memory_id, kept.form) == ("dismissed", "keep", entry.pk, "single")
    assert set(kept.probabilities) == {"keep", "archive"}
    assert kept.model == rules.NAME
    assert kept.seen == {str(entry.pk): [entry.version, entry.digest]}


def test_a_second_pass_judges_nothing_again(on: None, ana: Account) -> None:
    over(ana), changed(ana)
    forgetting_pass.run(ana)
    before = Proposal.objects.count()

    again = forgetting_pass.run(ana)

    assert (again.candidates, again.judged, Proposal.objects.count()) == (0, 0, before)
    assert Pass.objects.of(ana).count() == 2


def test_a_pinned_entry_is_never_proposed_to_be_archived(on: None, ana: Account) -> None:
    car = over(ana)
    Entry.objects.filter(pk=car.pk).update(pinned=True)

    assert forgetting_pass.run(ana).proposed == 0
    assert proposals(ana, Status.DISMISSED) == [("archive", car.pk, None)]


def test_events_are_never_judged(on: None, ana: Account) -> None:
    over(ana, kind="event")
    said(ana, "Deploys on Fridays are allowed", kind="event", days=40)
    said(ana, "Deploys on Fridays are not allowed", kind="event", days=3)

    assert forgetting_pass.run(ana).candidates == 0


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Deploys on Fridays are allowed", "Deploys on Fridays are not allowed"),
        ("Les essais du vendredi sont permis", "Les essais du vendredi ne sont pas permis"),
        ("Der Test am Freitag ist erlaubt", "Der Test am Freitag ist nicht erlaubt"),
        ("Se permiten despliegues los viernes", "No se permiten despliegues los viernes"),
        ("周五允许部署服务器", "周五不允许部署服务器"),
    ],
)
def test_a_negation_is_a_conflict_in_five_languages(on: None, ana: Account, older: str, newer: str) -> None:
    one, other = said(ana, older, days=3), said(ana, newer, days=2)

    forgetting_pass.run(ana)

    assert proposals(ana) == [("conflict", one.pk, other.pk)]
    assert Entry.objects.live().count() == 2


def test_what_a_person_confirmed_or_edited_is_proposed_no_more(on: None, ana: Account) -> None:
    car, (old, _new) = over(ana), changed(ana)
    forgetting_pass.run(ana)
    reaffirm(ana, car.pk, actor="person", cause="test")
    revise(ana, old.pk, Changes(text="The wifi password is heron-86"), version=None, actor="person", cause="test")

    forgetting_pass.run(ana)

    assert ("archive", car.pk, None) in proposals(ana, Status.DISMISSED)
    assert all(row[1] != car.pk for row in proposals(ana))


def test_there_is_one_open_proposal_for_an_entry_and_action(on: None, ana: Account) -> None:
    old, new = changed(ana)
    third = said(ana, "The wifi password is now heron-86", days=1)

    forgetting_pass.run(ana)

    [row] = [row for row in proposals(ana) if row[1] == old.pk]
    assert row[2] in (new.pk, third.pk)


def test_a_judge_that_nobody_measured_proposes_nothing(on: None, ana: Account) -> None:
    over(ana), changed(ana)

    done = forgetting_pass.run(ana, judge=Rules("other-1"))

    assert (done.proposed, done.dismissed) == (0, 2)


def test_a_pass_leaves_a_trace_and_a_row_that_say_what_it_did(on: None, ana: Account) -> None:
    changed(ana)

    done = forgetting_pass.run(ana)

    row = Pass.objects.get(run_id=done.run_id)
    assert (row.judge, row.candidates, row.proposed, row.trouble) == (rules.NAME, 1, 1, [])
    assert row.ended_at is not None
    run = Run.objects.get(run_id=done.run_id)
    assert run.ok
    assert [step.tool for step in run.steps.all()] == ["candidates", "judge"]


def test_a_preview_says_what_a_pass_would_do_and_writes_nothing(on: None, ana: Account) -> None:
    over(ana), changed(ana)
    said(ana, "Allergic to peanuts and to celery", days=60)

    seen = forgetting_pass.preview(ana)

    assert (seen.candidates, seen.judged, seen.proposed, seen.dismissed) == (3, 3, 2, 1)
    assert not Proposal.objects.exists()
    assert not Pass.objects.exists()
    assert not Run.objects.exists()
