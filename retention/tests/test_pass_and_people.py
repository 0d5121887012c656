"""People win over a pass, a preview says what a pass does, and one that is off reads nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta

import numpy as np
import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from forgesite.models import Account
from memory import change_log, vector_channel
from memory.models import Entry
from memory.move import archive
from memory.revise import Changes, revise
from retention import forgetting_pass, jobs
from retention.domain.items import Item, Verdict
from retention.domain.items import verdict as judged_so
from retention.errors import DisabledError
from retention.judges import Judge, Rules
from retention.models import Pass, Proposal, Status
from retention.tests.entries import changed, over, proposals, said

Act = Callable[[Account, Sequence[Item]], object]
MOVED = "What moved while it was judged was left alone."
NEGATED = (
    ("Deploys on Fridays are allowed", "Deploys on Fridays are not allowed"),
    ("Les essais du vendredi sont permis", "Les essais du vendredi ne sont pas permis"),
    ("Der Test am Freitag ist erlaubt", "Der Test am Freitag ist nicht erlaubt"),
    ("Se permiten despliegues los viernes", "No se permiten despliegues los viernes"),
    ("周五允许部署服务器", "周五不允许部署服务器"),
)


class Sure(Rules):
    """Archives whatever it is asked of, each item in a batch of its own."""

    def batches(self, items: Sequence[Item], now: datetime) -> Iterator[list[Item]]:
        return ([item] for item in items)

    def judged(self, owner: Account, items: Sequence[Item], now: datetime) -> list[Verdict]:
        return [judged_so(item, {option: float("archive" in option) for option in item.options}) for item in items]


class Meanwhile:
    """While a judge judges, somebody does something."""

    name, trouble = Rules().name, ()

    def __init__(self, act: Act, judge: Judge | None = None) -> None:
        self.act, self.judge = act, judge or Rules()

    def batches(self, items: Sequence[Item], now: datetime) -> Iterator[list[Item]]:
        return self.judge.batches(items, now)

    def judged(self, owner: Account, items: Sequence[Item], now: datetime) -> list[Verdict]:
        found = self.judge.judged(owner, items, now)
        self.act(owner, items)
        return found


def edit(owner: Account, pk: int, text: str = "The loan car is mine now") -> None:
    revise(owner, pk, Changes(text=text), version=None, actor="person", cause="test")


@pytest.mark.parametrize("act", [edit, lambda owner, pk: archive(owner, pk, actor="person", cause="test")])
def test_of_what_a_person_touches_while_it_is_judged_nothing_comes_and_the_rest_goes_on(
    on: None, ana: Account, act: Callable[[Account, int], object]
) -> None:
    car, (old, new) = over(ana), changed(ana)

    done = forgetting_pass.run(ana, judge=Meanwhile(lambda owner, _items: act(owner, car.pk)))

    assert proposals(ana) == [("supersede", old.pk, new.pk)]
    assert (done.judged, done.proposed) == (1, 1)
    assert Pass.objects.get(run_id=done.run_id).trouble == [MOVED]
    assert not Proposal.objects.filter(memory=car).exists()


def test_nothing_comes_of_a_judgement_beside_what_a_person_edits_meanwhile(on: None, ana: Account) -> None:
    """To archive the older one names no other; but it was judged with the newer one beside it."""
    old, new = said(ana, "The wifi password is birch-71", days=40), said(ana, "The wifi password is now otter-28")
    asked = []

    def act(owner: Account, items: Sequence[Item]) -> None:
        asked.append([items[0].entry.id, items[0].newer[0].id])
        if len(asked) == 1:
            edit(owner, new.pk, "The gate is green")

    done = forgetting_pass.run(ana, judge=Meanwhile(act, Sure()))

    assert asked == [[old.pk, new.pk]] * 2
    assert (done.judged, done.trouble) == (0, [MOVED])
    assert not Proposal.objects.exists()


def test_a_preview_counts_an_entry_once_however_many_batches_it_is_in(on: None, ana: Account) -> None:
    """The older one is stale by itself, and one of two: each would be archived."""
    changed(ana)
    said(ana, "The wifi password was heron-86", days=40)

    seen = forgetting_pass.preview(ana, judge=Sure())
    done = forgetting_pass.run(ana, judge=Sure())

    assert seen.judged > seen.proposed > 0
    assert (seen.judged, seen.proposed, seen.dismissed) == (done.judged, done.proposed, done.dismissed)


def test_a_proposal_that_is_out_of_date_stands_in_no_ones_way_in_a_preview_as_in_a_pass(on: None, ana: Account) -> None:
    car = over(ana)
    forgetting_pass.run(ana)
    edit(ana, car.pk, f"{car.text} It is red.")
    with change_log.ours():
        long_ago = timezone.now() - timedelta(days=50)
        Entry.objects.filter(pk=car.pk).update(recorded_at=long_ago, updated_at=long_ago, said_at=long_ago)
        Proposal.objects.update(created_at=long_ago - timedelta(days=1))

    seen = forgetting_pass.preview(ana)
    done = forgetting_pass.run(ana)

    assert (seen.judged, seen.proposed) == (done.judged, done.proposed) == (1, 1)
    assert [row.status for row in Proposal.objects.order_by("id")] == [Status.DISMISSED, Status.PROPOSED]


def test_a_proposal_that_is_outdated_while_the_next_pass_judges_stands_in_no_ones_way(on: None, ana: Account) -> None:
    """It waits, as if it had been edited after the pass withdrew what was."""
    car = over(ana)
    Proposal.objects.create(
        owner=ana, memory=car, form="", action="archive", probability=0.9, seen={str(car.pk): [car.version, car.digest]}
    )

    def outdate(_owner: Account, _items: Sequence[Item]) -> None:
        Proposal.objects.update(seen={})

    assert forgetting_pass.run(ana, judge=Meanwhile(outdate)).proposed == 1


def alike(owner: Account) -> None:
    """One vector for all."""
    vector_channel.sync("made-up", 2)
    entries = Entry.objects.of(owner).values_list("pk", flat=True)
    vector_channel.keep(vector_channel.Kept(pk, 1, 0, "made-up", np.array([1, 0], np.float32)) for pk in entries)


def test_what_says_the_contrary_with_the_same_vector_is_one_conflict_and_both_stay(on: None, ana: Account) -> None:
    pairs = [(said(ana, one, days=3).pk, said(ana, other, days=2).pk) for one, other in NEGATED]
    alike(ana)

    assert forgetting_pass.run(ana).left == 5  # of 45 that are all alike
    assert forgetting_pass.run(ana).left == 0

    assert sorted(proposals(ana)) == [("conflict", *pair) for pair in pairs]
    assert Entry.objects.live().count() == 10


def test_two_that_both_say_not_and_have_nothing_else_in_common_are_no_conflict(on: None, ana: Account) -> None:
    for text in ("The shop is not open on Mondays", "I do not eat mushrooms", "Le vélo n’est pas à moi", "猫不喜欢水"):
        said(ana, text, days=3)
    alike(ana)

    done = forgetting_pass.run(ana)

    assert done.judged == 6
    assert proposals(ana) == []


def test_off_not_one_row_is_read(ana: Account, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0):
        for act in (forgetting_pass.run, forgetting_pass.preview):
            with pytest.raises(DisabledError):
                act(ana)
        assert (jobs.pass_over(ana.pk), jobs.forget_daily()) == (0, 0)
        call_command("forgetting_pass", "--once")
        call_command("forgetting_pass", "--dry-run")


def test_a_preview_only_reads(on: None, ana: Account) -> None:
    over(ana), changed(ana)

    with CaptureQueriesContext(connection) as seen:
        forgetting_pass.preview(ana)

    assert {query["sql"].split()[0] for query in seen} <= {"SELECT", "PRAGMA"}
