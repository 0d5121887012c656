"""A pass: what it proposes, what it leaves alone, and what it stores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.test import override_settings
from django.utils import timezone
from django_q.models import OrmQ, Schedule

from forgesite.models import Account
from memory.models import Commit, Entry
from memory.move import reaffirm
from memory.revise import Changes, revise
from retention import forgetting_pass, jobs, judges, keeping
from retention.domain import rules
from retention.domain.items import Item, Verdict
from retention.errors import DisabledError
from retention.judges import Rules
from retention.models import Pass, Proposal, Status
from retention.tests.entries import said
from traces.models import Run

CAR = "The loan car is ours until {}."


def over(owner: Account, **more: object) -> Entry:
    """An entry that says of itself that it is over."""
    day = timezone.now() - timedelta(days=20)
    text = CAR.format(f"{day:%B} {day.day}, {day.year}")
    return said(owner, text, days=60, **more)  # type: ignore[arg-type]


def changed(owner: Account) -> tuple[Entry, Entry]:
    return said(owner, "The wifi password is birch-71"), said(owner, "The wifi password is now otter-28")


def proposals(owner: Account, status: str = Status.PROPOSED) -> list[tuple[str, int, int | None]]:
    rows = Proposal.objects.of(owner).filter(status=status).order_by("id")
    return [(row.action, row.memory_id, row.related_id) for row in rows]  # type: ignore[misc]


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


def verdicts(owner: Account) -> list[Verdict]:
    from retention.candidates import found

    now = timezone.now()
    return Rules().judged(owner, found(owner, now).candidates.items, now)


def made(owner: Account) -> Pass:
    return Pass.objects.create(owner=owner, run_id=f"{Pass.objects.count():032}", judge=rules.NAME)


def test_of_an_entry_that_was_edited_while_it_was_judged_nothing_is_stored(on: None, ana: Account) -> None:
    car = over(ana)
    judged = verdicts(ana)
    revise(ana, car.pk, Changes(text="The loan car is mine now"), version=None, actor="person", cause="test")

    kept = keeping.keep(ana, made(ana), judged, rules.NAME, rules.THRESHOLDS)

    assert (kept.proposed, kept.dismissed, kept.moved) == (0, 0, 1)
    assert not Proposal.objects.exists()


def test_two_passes_at_once_store_each_verdict_once(on: None, ana: Account) -> None:
    over(ana), changed(ana)
    first, second = verdicts(ana), verdicts(ana)

    assert keeping.keep(ana, made(ana), first, rules.NAME, rules.THRESHOLDS).proposed == 2
    assert keeping.keep(ana, made(ana), second, rules.NAME, rules.THRESHOLDS).moved == 2
    assert Proposal.objects.count() == 2


def test_there_is_one_open_proposal_for_an_entry_and_action(on: None, ana: Account) -> None:
    old, new = changed(ana)
    third = said(ana, "The wifi password is now heron-86", days=1)

    forgetting_pass.run(ana)

    [row] = [row for row in proposals(ana) if row[1] == old.pk]
    assert row[2] in (new.pk, third.pk)


def test_a_judge_that_nobody_measured_proposes_nothing(on: None, ana: Account) -> None:
    over(ana), changed(ana)

    kept = keeping.keep(ana, made(ana), verdicts(ana), "other-1", judges.thresholds(ana, "other-1"))

    assert (kept.proposed, kept.dismissed) == (0, 2)


def test_a_pass_leaves_a_trace_and_a_row_that_say_what_it_did(on: None, ana: Account) -> None:
    changed(ana)

    done = forgetting_pass.run(ana)

    row = Pass.objects.get(run_id=done.run_id)
    assert (row.judge, row.candidates, row.proposed, row.trouble) == (rules.NAME, 1, 1, [])
    assert row.ended_at is not None
    run = Run.objects.get(run_id=done.run_id)
    assert run.ok
    assert [step.tool for step in run.steps.all()] == ["candidates", "judge"]


def test_a_pass_with_no_time_left_says_so_and_the_next_one_goes_on(on: None, ana: Account) -> None:
    changed(ana)

    cut = forgetting_pass.run(ana, seconds=-1)

    assert (cut.judged, cut.left, cut.cut) == (0, 1, True)
    assert Pass.objects.get(run_id=cut.run_id).trouble
    assert forgetting_pass.run(ana).proposed == 1


class Dies(Rules):
    """Judges one batch, and is killed in the next."""

    def batches(self, items: Sequence[Item], now: datetime) -> Iterator[list[Item]]:
        return ([item] for item in items)

    def judged(self, owner: Account, items: Sequence[Item], now: datetime) -> list[Verdict]:
        if Proposal.objects.exists():
            raise KeyboardInterrupt
        return super().judged(owner, items, now)


def test_a_pass_that_is_killed_half_way_is_gone_on_with(on: None, ana: Account) -> None:
    over(ana), changed(ana)

    with pytest.raises(KeyboardInterrupt):
        forgetting_pass.run(ana, judge=Dies())
    assert Proposal.objects.count() == 1

    assert forgetting_pass.run(ana).judged == 1
    assert len(proposals(ana)) == 2
    assert Run.objects.filter(ok=False).count() == 1


class Edits(Rules):
    """While it judges, a person changes what it judges."""

    def judged(self, owner: Account, items: Sequence[Item], now: datetime) -> list[Verdict]:
        found = super().judged(owner, items, now)
        text = Changes(text="The loan car is mine now")
        revise(owner, items[0].entry.id, text, version=None, actor="person", cause="test")
        return found


def test_a_person_who_edits_while_it_judges_wins(on: None, ana: Account) -> None:
    over(ana)

    done = forgetting_pass.run(ana, judge=Edits())

    assert (done.judged, proposals(ana)) == (0, [])
    assert "What moved while it was judged was left alone." in done.trouble


@pytest.mark.django_db(transaction=True)
def test_two_passes_at_the_same_time_propose_each_thing_once(on: None, ana: Account) -> None:
    for number in range(4):
        said(ana, f"The key of shed {number} is birch-{number}")
        said(ana, f"The key of shed {number} is now otter-{number}")

    def one_pass(_place: int) -> int:
        try:
            return forgetting_pass.run(ana).proposed
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        made = list(pool.map(one_pass, range(2)))

    assert sum(made) == Proposal.objects.filter(status="proposed").count()
    pairs = [(row.memory_id, row.related_id) for row in Proposal.objects.all()]
    assert len(pairs) == len(set(pairs)) >= 4


def test_a_preview_says_what_a_pass_would_do_and_writes_nothing(on: None, ana: Account) -> None:
    over(ana), changed(ana)
    said(ana, "Allergic to peanuts and to celery", days=60)

    seen = forgetting_pass.preview(ana)

    assert (seen.candidates, seen.judged, seen.proposed, seen.dismissed) == (3, 3, 2, 1)
    assert not Proposal.objects.exists()
    assert not Pass.objects.exists()
    assert not Run.objects.exists()


def test_off_it_reads_and_writes_nothing(ana: Account, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DisabledError):
        forgetting_pass.run(ana)
    assert jobs.pass_over(ana.pk) == 0
    assert jobs.forget_daily() == 0
    call_command("forgetting_pass", "--once")
    assert "FORGETTING_PASS_ENABLED" in capsys.readouterr().out


def test_the_command_says_what_it_did(on: None, ana: Account, capsys: pytest.CaptureFixture[str]) -> None:
    changed(ana)

    call_command("forgetting_pass", "--dry-run")
    call_command("forgetting_pass", "--once", "--user", "ana")

    dry, real = capsys.readouterr().out.splitlines()
    assert dry == real == "ana: 1 candidates, 1 judged, 1 proposed, 0 dismissed, 0 left for the next pass"
    assert len(proposals(ana)) == 1


def test_it_is_scheduled_at_half_past_four_and_no_more_once_it_is_off(on: None, db: None) -> None:
    jobs.keep_schedule()
    jobs.keep_schedule()

    [plan] = Schedule.objects.filter(name=jobs.DAILY)
    assert (plan.next_run.hour, plan.next_run.minute, plan.schedule_type) == (4, 30, Schedule.DAILY)
    assert plan.next_run > timezone.now()
    with override_settings(FORGE=settings.FORGE.model_copy(update={"FORGETTING_PASS_ENABLED": False})):
        jobs.keep_schedule()
    assert not Schedule.objects.filter(name=jobs.DAILY).exists()


@pytest.mark.django_db(transaction=True)
def test_the_daily_job_makes_one_job_an_account(on: None, ana: Account, ben: Account) -> None:
    changed(ana)

    jobs.forget_daily()
    jobs.forget_daily()

    assert OrmQ.objects.count() == 2
    assert (jobs.pass_over(ana.pk), jobs.pass_over(ben.pk), jobs.pass_over(10**9)) == (1, 0, 0)
