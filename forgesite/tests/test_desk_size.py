"""The desk at size: 5,000 rows of everything and 20,000 messages, and no page asks the database more than of 100."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.contrib.contenttypes.models import ContentType
from django.db import connection, models
from django.test import Client
from django.test.utils import CaptureQueriesContext

from chat.models import Conversation, Message
from forgesite.accounts import new_token
from forgesite.models import Account, Token
from forgesite.tests import desk_pages, operations
from forgesite.tests.desk_pages import MEASURED, Page
from memory import change_log
from memory.forget import forget
from memory.models import Alias, Calibration, Commit, CommitEntry, Entry, Link, Receipt, ReceiptEntry
from memory.remember import Draft, remember
from retention.models import Proposal
from traces.models import Run, Step

MOST = 13
#: What comes after a page: where the words of an entry stand, in each table that may hold them; and what a search
#: finds, which is a recall, and reads how its two indexes stand.
MORE = {"memory_entry_delete?goes=1": 35, "memory_entry_changelist?q=shelf+33&rows=1": 30}
FEW, MANY, MESSAGES = 100, 5000, 4
#: Most commits and receipts that name a single entry.
HUNG = 1000
HASH, ID = "lower(hex(randomblob(32)))", "lower(hex(randomblob(6)))"
WHO: dict[str, Any] = {"actor": "person", "cause": "test"}


def copies(row: models.Model, count: int, **vary: str) -> None:
    """So many rows like one, but for what each has of its own: SQL in which `n` counts them."""
    own = row._meta.pk
    columns = {each.column: f'"{each.column}"' for each in row._meta.concrete_fields if each is not own} | vary
    into, told = ", ".join(f'"{name}"' for name in columns), ", ".join(columns.values()).replace("%", "%%")
    table = row._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            f"WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < {count}) "
            f"INSERT INTO {table} ({into}) SELECT {told} FROM {table}, counted WHERE {own.column} = %s",
            [row.pk],
        )


def filled(owner: Account, count: int) -> dict[str, Any]:
    """So many rows of each model, and four times as many messages. Of each model the row that the most hangs on."""
    scene = operations.scene(owner, f"canary{count}")
    gone = forget(owner, [remember(owner, Draft("Port 8080 is open"), **WHO).entry.pk], **WHO).certificate
    commit, receipt = Commit.objects.of(owner).latest("tick"), Receipt.objects.of(owner).get()
    alias = Alias.objects.create(owner=owner, name="shed", other="hut")
    measured = Calibration.objects.create(owner=owner, regime="r", asked=MEASURED)
    run, talk = Run.objects.get(run_id=scene.run_id), Conversation.objects.get(pk=scene.conversation)
    new_token(owner, name="laptop")
    token = Token.objects.get(owner=owner)

    copies(scene.entry, count, address=HASH, sameness=HASH, text="'Box ' || n || ' is on shelf ' || (n % 70)")
    copies(scene.refusal, count)
    copies(commit, count, address=HASH, tick="100 + n")
    copies(gone, count, address=HASH)
    copies(receipt, count, address=HASH, number="100 + n")
    copies(scene.golden, count)
    copies(alias, count, name="'name ' || n")
    copies(measured, count)
    copies(run, count, run_id=ID, conversation=f"'{talk.pk}'")
    proposal = Proposal.objects.get(pk=operations.proposed(scene))
    state = "CASE WHEN n % 2 THEN status ELSE 'dismissed' END"
    copies(proposal, count, memory_id=f"{proposal.memory_id} - n", status=state)
    copies(talk, count // 50, id=f"'talk {owner.pk} ' || n")
    copies(token, count, digest=HASH)
    copies(owner, count, username="username || n")
    # Every other message is of one conversation.
    other = f"'talk {owner.pk} ' || (1 + n / 2 % {count // 50})"
    spread = f"CASE WHEN n % 2 THEN conversation_id ELSE {other} END"
    copies(Message.objects.get(pk=scene.message), count * MESSAGES, conversation_id=spread)
    with connection.cursor() as cursor:  # or each search would embed some of them
        cursor.execute("DELETE FROM memory_vec_pending")
    _hung(owner, scene, run, count)
    found: dict[str, Any] = {
        "memory.Entry": scene.entry,
        "memory.Refusal": scene.refusal,
        "memory.Commit": commit,
        "memory.Erasure": gone,
        "memory.Receipt": receipt,
        "memory.GoldenQuestion": scene.golden,
        "memory.Alias": alias,
        "memory.Calibration": measured,
        "chat.Conversation": talk,
        "traces.Run": run,
        "retention.Proposal": proposal,
        "forgesite.Account": owner,
        "forgesite.Token": token,
    }
    return {label: row.pk for label, row in found.items()} | {"chat.Message": scene.message, "address": commit.address}


def _hung(owner: Account, scene: operations.Scene, run: Run, count: int) -> None:
    """What hangs on a single row: receipts, commits and links on an entry, steps on a run."""
    Step.objects.bulk_create(Step(run=run, step=n, tool="recall", duration_ms=1) for n in range(min(count, 200)))
    CommitEntry.objects.bulk_create(
        CommitEntry(commit=commit, position=0, entry=scene.entry.pk, states=True)
        for commit in Commit.objects.of(owner).filter(tick__gt=100).only("pk")[:HUNG]
    )
    ReceiptEntry.objects.bulk_create(
        ReceiptEntry(receipt=receipt, entry=scene.entry.pk)
        for receipt in Receipt.objects.of(owner).filter(number__gt=100).only("pk")[:HUNG]
    )
    others = Entry.objects.of(owner).exclude(pk=scene.entry.pk).order_by("-pk")[: count // 10]
    Link.objects.bulk_create(
        Link(owner=owner, type="conflicts", entry=scene.entry, other=other, since=1) for other in others
    )


def queries(client: Client, page: Page, rows: dict[str, Any]) -> int:
    path = page.path(rows)
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(path)
    assert answer.status_code == 200, (path, answer.status_code)
    return len(asked)


def shown() -> Iterator[Page]:
    return (page for page in desk_pages.pages() if page.get is not None and not page.whole)


def test_no_page_needs_more_queries_for_5000_rows_than_for_100_and_none_many(
    client: Client, ana: Account, ben: Account, settings: Any
) -> None:
    """Ben's rows are few and come first, so that those of everybody are few then too."""
    counts: dict[str, list[int]] = {}
    ContentType.objects.get_for_models(*admin.site._registry)  # what a process reads once
    for owner, count in ((ben, FEW), (ana, MANY)):
        owner.is_staff = owner.is_superuser = True
        owner.save()
        with change_log.ours():
            rows = filled(owner, count)
        client.force_login(owner)
        client.get("/admin/memory/entry/?q=shelf&rows=1")  # what is new is indexed by the first search
        for page in shown():
            counts.setdefault(f"{page.name}{page.query}{page.more or ''}", []).append(queries(client, page, rows))

    grown = {name: each for name, each in counts.items() if each[1] > each[0]}
    large = {name: each for name, each in counts.items() if max(each) > MORE.get(name, MOST)}
    assert (grown, large) == ({}, {})
