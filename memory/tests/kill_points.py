"""Kill a process before one statement after another of what a verb does, and look each time at what is left.

In a data folder of its own, on words and made-up vectors. It forks once all is loaded, with no database open.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import connection

from forgesite.models import Account
from memory import move, relate, undo
from memory.adopt import adopt
from memory.fold import apply
from memory.folds.plan import planned
from memory.forget import forget
from memory.given.gathered import Found, Gathered
from memory.models import Commit, Entry, Erasure, Link, Receipt, ReceiptEntry, TextVersion, Tombstone
from memory.rebuild import rebuild
from memory.recall import Query, recall
from memory.receipts import seal
from memory.reembed import reembed
from memory.regime.pending import embed_some
from memory.remember import Draft, remember, remember_many
from memory.revise import Changes, revise
from memory.tests.folds import HARDWARE, RAM, TELEGRAM
from memory.tests.hash_door import DOOR, OTHER
from memory.unfold import unwind
from memory.verify import verify

FILE, BASE = Path(settings.DATABASE_FILE), Path(settings.DATA_DIR) / "base.db"
WHO: dict[str, Any] = {"actor": "person", "cause": "test"}
EDIT = """
UPDATE memory_entry SET text = 'Somebody else wrote this' WHERE id = 1;
DELETE FROM memory_entry WHERE id = 4;
DELETE FROM memory_link;
"""


def owner() -> Account:
    return Account.objects.get()


def fill() -> None:
    """Entries 1 to 6: a source and its summary, a key, one that waits for vectors, one to be forgotten."""
    call_command("migrate", verbosity=0)
    Account.objects.create_user("ana")
    add("The server runs on port 8080")
    add("In short, port 8080", kind="summary", sources=(1,))
    add("The boat is blue", key="boat")
    add("The secret is in the shed", message=7)
    remember(owner(), Draft("The dog is called Rex"), **WHO)
    relate.relate(owner(), 3, "conflicts", 5, **WHO)
    add("A note to go")


def add(text: str, **draft: Any) -> Entry:
    return remember(owner(), Draft(text, **draft), **WHO, door=DOOR).entry


def edit() -> None:
    with connection.cursor() as cursor:
        for statement in EDIT.strip().split(";\n"):
            cursor.execute(statement)


def sealed() -> None:
    found = Found("recall", recall(owner(), Query("Which port does the server run on?")))
    seal(owner(), Gathered([found], read={3: "The boat is blue"}), run_id="run")


def machine() -> None:
    """Entries 7 to 9, which fold."""
    for text in (RAM, HARDWARE, TELEGRAM):
        add(text)


def fold() -> None:
    """In so small a store no word would be rare."""
    assert apply(owner(), planned(owner(), max_df=1.0), **WHO, door=DOOR, guard=False).commit


def folded() -> None:
    machine()
    fold()


def nothing() -> None:
    pass


#: Verb: what it does, and what somebody else's program did before.
VERBS: dict[str, tuple[Callable[[], Any], Callable[[], None]]] = {
    "remember": (lambda: add("Another fact is here"), nothing),
    "remember a version": (lambda: add("The boat is red", key="boat"), nothing),
    "remember_many": (
        lambda: remember_many(owner(), [Draft(f"Note number {n} is here") for n in range(3)], **WHO, door=DOOR),
        nothing,
    ),
    "revise": (
        lambda: revise(owner(), 1, Changes(text="It is port 9090"), version=None, **WHO, door=DOOR),
        nothing,
    ),
    "retract": (lambda: move.retract(owner(), 1, **WHO), nothing),
    "relate": (lambda: relate.relate(owner(), 5, "supersedes", 6, **WHO), nothing),
    "unrelate": (lambda: relate.unrelate(owner(), 2, **WHO), nothing),
    "forget": (lambda: forget(owner(), [4], **WHO), nothing),
    "undo": (lambda: undo.undo(owner(), Commit.objects.get(tick=6).address, **WHO, door=DOOR), nothing),
    "embed": (lambda: embed_some(DOOR, 10), nothing),
    "reembed": (lambda: reembed(OTHER), nothing),
    "adopt": (lambda: adopt(owner(), cause="test"), edit),
    "rebuild": (lambda: rebuild(owner()), edit),
    "seal": (lambda: sealed(), nothing),
    "fold": (fold, machine),
    "unwind": (lambda: unwind(owner(), 10, **WHO), folded),
    "edit a source": (
        lambda: revise(owner(), 7, Changes(text="It has 64 GB"), version=None, **WHO, door=DOOR),
        folded,
    ),
}


def main(points: int) -> None:
    """Prints a line for each verb: how many statements it has, before how many it was killed, and how often all of it
    was there then. Call it in a process of its own, where Django is set up."""
    fill()
    close()
    shutil.copy(FILE, BASE)
    for name, (act, before) in VERBS.items():
        count = child(act, before, 0)
        after = state()
        fresh(before)
        alike = {"before": state(), "after": after}
        assert alike["before"] != after, name
        there = 0
        chosen = spread(count, points)
        for point in chosen:
            child(act, before, point)
            left = state()
            assert left in alike.values(), f"{name}, killed before statement {point} of {count}: {left}"
            there += left == after
        print(f"{name}: {count} {len(chosen)} {there}")


def fresh(before: Callable[[], None]) -> None:
    close()
    for file in FILE.parent.glob(f"{FILE.name}*"):
        file.unlink()
    shutil.copy(BASE, FILE)
    before()
    close()


def close() -> None:
    """With the last connection SQLite takes what is in the log into the file."""
    connection.close()


def state() -> tuple[Any, ...]:
    """What a reader sees, and what the proof says. Salts and times are others each time."""
    found = verify()
    rows = tuple(Entry.objects.order_by("id").values_list("id", "text", "status", "version", "superseded_by", "stale"))
    links = tuple(Link.objects.order_by("id").values_list("id", "type", "entry", "other", "since", "until"))
    counts = tuple(model.objects.count() for model in (Commit, TextVersion, Tombstone, Erasure, Receipt, ReceiptEntry))
    close()
    return rows, links, counts, tuple((each.code, each.table, each.row, each.column) for each in found.findings)


def spread(count: int, points: int) -> list[int]:
    """So many of the statements, with the first and the last."""
    if count <= points:
        return list(range(1, count + 1))
    return sorted({1 + number * (count - 1) // (points - 1) for number in range(points)})


def child(act: Callable[[], Any], before: Callable[[], None], last: int) -> int:
    """Do it in a child, which is killed before the `last` of its statements. 0: by nobody, and it says how many it ran,
    those of triggers too."""
    fresh(before)
    out, into = os.pipe()
    pid = os.fork()
    if not pid:
        run(act, last, into)
    os.close(into)
    with os.fdopen(out) as pipe:
        said = pipe.read()
    _pid, status = os.waitpid(pid, 0)
    assert os.WIFSIGNALED(status) == bool(last), f"the child ended with {status}"
    return int(said or 0)


def run(act: Callable[[], Any], last: int, into: int) -> None:
    count = 0

    def met(_statement: str) -> None:
        nonlocal count
        count += 1
        if count == last:
            os.kill(os.getpid(), signal.SIGKILL)

    try:
        connection.ensure_connection()
        connection.connection.set_trace_callback(met)
        act()
        os.write(into, str(count).encode())
        os._exit(0)
    except BaseException:  # noqa: BLE001  a child that goes on would be a second parent
        sys.excepthook(*sys.exc_info())
        os._exit(1)
