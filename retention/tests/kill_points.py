"""Kill a process before one statement after another of a pass, and look each time at what is left.

In a data folder of its own. Memory is as it was, each batch is there wholly or not at all, what the row of the pass
says is so, and the next pass does the rest. Then two processes pass over the same at once.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import override_settings

from forgesite import job
from forgesite.models import Account
from memory.models import Commit, Entry, Link, TextVersion
from memory.revise import Changes, revise
from memory.tests.kill_points import BASE, FILE, child, close, fresh, nothing, spread
from memory.verify import verify
from retention import forgetting_pass, jobs
from retention.domain.asking import MOST_ITEMS
from retention.domain.items import Item
from retention.judges import Rules
from retention.models import Pass, Proposal
from retention.tests.entries import changed, over, said
from traces.models import Run

#: A proposal, by what it says.
Said = tuple[Any, ...]


class OneByOne(Rules):
    """A batch is one item, so that there is something between two of them."""

    def batches(self, items: Sequence[Item], now: datetime) -> Iterator[list[Item]]:
        return ([item] for item in items)


def owner() -> Account:
    return Account.objects.get()


def fill() -> None:
    """Two that are over or changed, one to be kept, and a proposal that is out of date."""
    call_command("migrate", verbosity=0)
    ana = Account.objects.create_user("ana")
    over(ana), changed(ana)
    said(ana, "Allergic to peanuts and to celery", days=60)
    lamp = said(ana, "The lamp of the cellar stands behind door 4", days=45)
    Proposal.objects.create(
        owner=ana, memory=lamp, form="single", action="archive", probability=0.9, seen={str(lamp.pk): [1, lamp.digest]}
    )
    new = Changes(text="The lamp of the cellar is broken")
    revise(ana, lamp.pk, new, version=None, actor="person", cause="test")


def one_by_one() -> None:
    forgetting_pass.run(owner(), judge=OneByOne())


def by_the_queue() -> None:
    job.run(jobs.PASS, {"owner": owner().pk})


#: Each with the size of its batches, where there are enough items.
ACTS: dict[str, tuple[Callable[[], None], int]] = {"pass": (one_by_one, 1), "job": (by_the_queue, MOST_ITEMS)}


def main(points: int) -> None:
    """Prints a line for each act: how many statements it has, before how many it was killed, and after how many of
    them something was proposed and something not; and how often two at once were tried."""
    fill()
    close()
    shutil.copy(FILE, BASE)
    with override_settings(FORGE=settings.FORGE.model_copy(update={"FORGETTING_PASS_ENABLED": True})):
        for name, (act, size) in ACTS.items():
            print(f"{name}: {' '.join(map(str, killed(name, act, size, points)))}")
        print(f"together: {together(points)}")


def killed(name: str, act: Callable[[], None], size: int, points: int) -> tuple[int, int, int]:
    fresh(nothing)
    memory = remembered()
    count = child(act, nothing, 0)
    whole = judged()
    assert (remembered(), len(Pass.objects.filter(ended_at=None))) == (memory, 0), name
    half = 0
    for point in (chosen := spread(count, points)):
        child(act, nothing, point)
        at = f"{name}, killed before statement {point} of {count}"
        there = judged()
        assert remembered() == memory, at
        assert there <= whole, f"{at}: {there - whole}"
        assert there == whole or len(there) % size == 0, f"{at}: {there}"
        honest(there, whole, at)
        half += 0 < len(there) < len(whole)
        act()
        assert (remembered(), judged()) == (memory, whole), f"{at}, and then run again"
    return count, len(chosen), half


def honest(there: set[Said], whole: set[Said], at: str) -> None:
    """Does the row of the killed pass say what it stored, and that it did not end unless it did?"""
    row = Pass.objects.first()
    made = 0 if row is None else row.proposals.count()
    assert (0 if row is None else row.judged) == made == len(there), at
    assert row is None or row.ended_at is None or there == whole, at
    assert Run.objects.count() <= sum(each.ended_at is not None for each in Pass.objects.all()), at
    close()


def judged() -> set[Said]:
    """All that passes stored, each of it once and whole."""
    rows = list(Proposal.objects.filter(made_by__isnull=False))
    said_once = [(row.form, row.action, row.memory_id, row.related_id, row.status) for row in rows]
    assert len(said_once) == len(set(said_once)), said_once
    assert all(abs(sum(row.probabilities.values()) - 1) < 0.01 and row.seen for row in rows)
    close()
    return set(said_once)


def remembered() -> tuple[Any, ...]:
    """Memory as a reader sees it, with what the proof and the database say of it."""
    entries = tuple(Entry.objects.order_by("id").values_list("id", "text", "status", "version", "updated_at"))
    counts = (Commit.objects.count(), TextVersion.objects.count(), Link.objects.count())
    findings = tuple((each.code, each.table, each.row) for each in verify().findings)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA integrity_check")
        sound = cursor.fetchall()
    assert sound == [("ok",)], sound
    close()
    return entries, counts, findings


def together(rounds: int) -> int:
    """Two processes at once: neither fails, and what they store is what one does. How often."""
    fresh(nothing)
    one_by_one()
    whole = judged()
    for _round in range(rounds):
        fresh(nothing)
        both = [begun(act) for act in (one_by_one, by_the_queue)]
        for pid in both:
            assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        assert judged() == whole
        assert [row.ended_at is None for row in Pass.objects.all()] == [False, False]
        assert sum(row.judged for row in Pass.objects.all()) == len(whole)
        close()
    return rounds


def begun(act: Callable[[], None]) -> int:
    """A process that does it and ends with 0."""
    pid = os.fork()
    if pid:
        return pid
    try:
        act()
        os._exit(0)
    except BaseException:  # noqa: BLE001  a child that goes on would be a second parent
        sys.excepthook(*sys.exc_info())
        os._exit(1)
