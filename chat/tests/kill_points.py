"""Kill a process before one statement after another of a compaction, and look each time at what is left.

In a data folder of its own. What is left is wholly there or wholly not, and the same act once more ends it.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

from chat.leaving.compaction import compact
from chat.leaving.expiry import expire
from chat.leaving.standing import cap_window
from chat.models import Conversation, Message, Notice
from chat.tests.talks import talk_of
from forgesite.models import Account
from memory.models import Commit, Entry, TextVersion
from memory.tests.hash_door import DOOR
from memory.tests.kill_points import BASE, FILE, child, close, fresh, nothing, spread
from memory.verify import verify


def owner() -> Account:
    return Account.objects.get()


def talk() -> Conversation:
    return Conversation.objects.select_related("owner").get()


def compacted() -> None:
    compact(owner(), talk().pk, forced=True, door=DOOR)


def capped() -> None:
    cap_window(owner(), talk())


def expired() -> None:
    expire()


ACTS: dict[str, Callable[[], None]] = {"compact": compacted, "cap": capped, "expire": expired}
SMALL = {
    "COMPACTION_KEEP_RECENT": 4,
    "MEMORY_MAX_HISTORY": 6,
    "MEMORY_HARD_CAP_SLACK": 2,
    "CONVERSATION_RETENTION_DAYS": 1,
}


def main(points: int) -> None:
    """Prints a line for each act: how many statements it has, before how many it was killed, and how often all of it
    was there then."""
    call_command("migrate", verbosity=0)
    talk_of(Account.objects.create_user("ana"), 5)
    Conversation.objects.update(updated_at="2026-01-01T00:00Z")
    close()
    shutil.copy(FILE, BASE)
    with override_settings(FORGE=settings.FORGE.model_copy(update=SMALL)):
        for name, act in ACTS.items():
            print(f"{name}: {' '.join(map(str, killed(name, act, points)))}")


def killed(name: str, act: Callable[[], None], points: int) -> tuple[int, int, int]:
    count = child(act, nothing, 0)
    after = state()
    fresh(nothing)
    before = state()
    assert before != after, name
    there = 0
    chosen = spread(count, points)
    for point in chosen:
        child(act, nothing, point)
        left = state()
        assert left in (before, after), f"{name}, killed before statement {point} of {count}: {left}"
        there += left == after
        with override_settings(JOB_TIMEOUT=0):  # whoever was killed holds nothing any more
            act()
        assert state() == after, f"{name}, again after a kill before statement {point}: {state()}"
    return count, len(chosen), there


def state() -> tuple[Any, ...]:
    """What a reader sees, and what the proof says."""
    entries = tuple(Entry.objects.order_by("id").values_list("text", "kind", "message"))
    messages = tuple(Message.objects.order_by("id").values_list("id", "content", "compacted", "place"))
    news = Notice.objects.filter(what="thread").count()
    counts = (Commit.objects.count(), TextVersion.objects.count(), Conversation.objects.count(), news)
    findings = tuple((each.code, each.table, each.row) for each in verify().findings)
    close()
    return entries, messages, counts, findings
