"""Kill a verb before one statement after another of what it sends to the database, triggers' statements included.

    DATA_DIR=FOLDER python -m memory.tests.kill_points ROUNDS

Runs in a process of its own: it forks, and no database may be open then. Prints a line a verb.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection, connections  # noqa: E402

from forgesite.models import Account  # noqa: E402
from memory import consistency, move, pending  # noqa: E402
from memory.adopt import adopt  # noqa: E402
from memory.forget import forget  # noqa: E402
from memory.models import Commit, Entry, Erasure, Link, TextVersion, Tombstone, Vector  # noqa: E402
from memory.rebuild import rebuild  # noqa: E402
from memory.relate import relate, unrelate  # noqa: E402
from memory.remember import Draft, remember, remember_many  # noqa: E402
from memory.revise import Changes, revise  # noqa: E402
from memory.tests.hash_door import DOOR  # noqa: E402
from memory.undo import undo  # noqa: E402
from memory.verify import verify  # noqa: E402

BY: Final[dict[str, Any]] = {"actor": "person", "cause": "test"}
FILE = Path(os.environ["DATA_DIR"]) / "forge.db"
KEPT = FILE.with_name("kept.db")


def ana() -> Account:
    return Account.objects.get()


def entry(text: str) -> Entry:
    return Entry.objects.get(text=text)


PORT, DOG, CALL, OVERVIEW, OLD = (
    "The test server runs on port 8080",
    "The dog is called Rex",
    "Call Mira about the telescope",
    "A server and a dog",
    "The router stands in the cellar",
)
#: What a shell did before the verb.
EDITED = {
    "adopt": "UPDATE memory_entry SET text = 'The dog is called Max' WHERE text LIKE '%Rex'",
    "rebuild": "DELETE FROM memory_entry WHERE text LIKE '%Rex'",
}


def fill() -> None:
    owner = ana()
    remember(owner, Draft(PORT, key="port", project="home"), door=DOOR, **BY)
    remember(owner, Draft(DOG), door=DOOR, **BY)
    remember(owner, Draft(CALL, kind="todo"), **BY)
    sources = (entry(PORT).pk, entry(DOG).pk)
    remember(owner, Draft(OVERVIEW, kind="summary", sources=sources, covers=sources), **BY)
    relate(owner, entry(DOG).pk, "conflicts", entry(CALL).pk, **BY)
    remember(owner, Draft(OLD), door=DOOR, **BY)
    move.archive(owner, entry(OLD).pk, actor="person", cause="to undo")


Verb = Callable[[], Any]
VERBS: dict[str, Verb] = {
    "remember": lambda: remember(ana(), Draft("The cat is called Mia, since yesterday"), door=DOOR, **BY),
    "remember again": lambda: remember(ana(), Draft(DOG), door=DOOR, **BY),
    "remember by key": lambda: remember(
        ana(), Draft("The test server runs on port 9443", key="port", project="home"), door=DOOR, **BY
    ),
    "remember on sources": lambda: remember(
        ana(), Draft("Ask Mira", kind="procedure", sources=(entry(CALL).pk, entry(DOG).pk)), door=DOOR, **BY
    ),
    "remember many": lambda: remember_many(
        ana(), [Draft(f"user: note {number} of the day", kind="exchange") for number in range(5)], door=DOOR, **BY
    ),
    "revise": lambda: revise(
        ana(), entry(PORT).pk, Changes(text="The server has moved"), version=None, door=DOOR, **BY
    ),
    "archive": lambda: move.archive_many(ana(), [entry(PORT).pk, entry(DOG).pk], **BY),
    "retract": lambda: move.retract(ana(), entry(PORT).pk, **BY),
    "restore": lambda: move.restore(ana(), entry(OLD).pk, **BY),
    "reaffirm": lambda: move.reaffirm(ana(), entry(DOG).pk, **BY),
    "relate": lambda: relate(ana(), entry(DOG).pk, "supersedes", entry(PORT).pk, **BY),
    "unrelate": lambda: unrelate(ana(), Link.objects.get(type="conflicts").pk, **BY),
    "undo": lambda: undo(ana(), Commit.objects.get(cause="to undo").address, **BY),
    "forget": lambda: forget(ana(), [entry(PORT).pk], **BY),
    "late vectors": lambda: pending.embed_some(DOOR, 10),
    "adopt": lambda: adopt(ana(), cause="test"),
    "rebuild": lambda: rebuild(ana()),
}


def stored() -> tuple[Any, ...]:
    """What memory holds, as far as it is the same for the same acts: no time, no salt, no address."""
    return (
        sorted(
            Entry.objects.values_list(
                "id", "text", "kind", "status", "project", "key", "version", "superseded_by", "superseded_how", "stale"
            )
        ),
        sorted(Link.objects.values_list("type", "entry", "other", "since", "until"), key=repr),
        sorted(Vector.objects.values_list("entry", "part", "regime")),
        Commit.objects.count(),
        TextVersion.objects.count(),
        Tombstone.objects.count(),
        Erasure.objects.count(),
    )


def proved(outside_allowed: bool) -> None:
    """Nothing differs from the ledger, and both indexes are in step. `outside_allowed`: an edit that is not ours."""
    found = [finding for finding in verify(ana()).findings if not (outside_allowed and finding.outside)]
    assert not found, found
    assert consistency.check().ok, consistency.check()


def again(name: str) -> None:
    """The file as it was before the verb, and no connection open."""
    connections.close_all()
    for left in (FILE, FILE.with_name("forge.db-wal"), FILE.with_name("forge.db-shm")):
        left.unlink(missing_ok=True)
    shutil.copyfile(KEPT, FILE)
    if name in EDITED:
        with connection.cursor() as cursor:
            cursor.execute(EDITED[name])
        connections.close_all()


def child(act: Verb, last: int) -> int:
    """How many statements `act` took; it is killed before statement `last`, unless that is 0."""
    out, into = os.pipe()
    pid = os.fork()
    if not pid:
        run(act, last, into)
    os.close(into)
    with os.fdopen(out) as pipe:
        said = pipe.read()
    _pid, status = os.waitpid(pid, 0)
    assert os.WIFSIGNALED(status) == bool(last), f"the child ended with {status}"
    assert last or os.waitstatus_to_exitcode(status) == 0
    return int(said or 0)


def run(act: Verb, last: int, into: int) -> None:
    count = 0

    def statement(_sql: str) -> None:
        nonlocal count
        count += 1
        if count == last:
            os.kill(os.getpid(), signal.SIGKILL)

    try:
        connection.ensure_connection()
        connection.connection.set_trace_callback(statement)
        act()
        os.write(into, str(count).encode())
        os._exit(0)
    except BaseException:  # noqa: BLE001  a child that goes on would run the rest of the rounds
        sys.excepthook(*sys.exc_info())
        os._exit(1)


def points(statements: int, rounds: int) -> list[int]:
    """The last ones, where the commit is, and others spread over the rest."""
    spread = range(1, statements + 1, max(statements * 2 // rounds, 1))
    return sorted({*spread, *range(max(1, statements - rounds // 2 + 1), statements + 1)})


def kill(name: str, act: Verb, rounds: int) -> int:
    """Returns how many kills there were. After each the verb is wholly done, or not at all."""
    again(name)
    before = stored()
    connections.close_all()
    statements = child(act, 0)
    after = stored()
    proved(outside_allowed=False)
    killed = points(statements, rounds)
    for point in killed:
        again(name)
        child(act, point)
        assert stored() in (before, after), (name, point)
        proved(outside_allowed=name in EDITED)
    return len(killed)


def main() -> None:
    call_command("migrate", verbosity=0)
    Account.objects.create_user("ana")
    fill()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(KEPT)])
    rounds = int(sys.argv[1])
    for name, act in VERBS.items():
        print(name, kill(name, act, rounds), flush=True)


if __name__ == "__main__":
    main()
