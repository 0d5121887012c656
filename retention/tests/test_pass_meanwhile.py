"""A pass that is not alone: killed, out of time, beside a person who edits, beside another one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import pytest
from django.db import connections
from django.utils import timezone

from forgesite.models import Account
from memory.revise import Changes, revise
from retention import forgetting_pass, keeping
from retention.domain import rules
from retention.domain.items import Item, Verdict
from retention.judges import Rules
from retention.models import Pass, Proposal
from retention.tests.entries import changed, over, proposals, said
from traces.models import Run


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
