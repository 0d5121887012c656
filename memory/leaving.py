"""What an account takes with it when it is deleted: every row of memory that is its own, and what was logged of it."""

from __future__ import annotations

from django.db import connection

from forgesite import job
from forgesite.models import Account
from forgesite.owned import owner_id
from memory import change_log, vector_channel
from memory.erasure import SCRUB
from memory.models import (
    Commit,
    CommitEntry,
    Entry,
    Erasure,
    Link,
    Receipt,
    ReceiptEntry,
    Refusal,
    TextVersion,
    Tombstone,
    Vector,
)

#: Lines of what was changed from outside before: with the account goes whoever could adopt it.
LINES = "DELETE FROM memory_change_log WHERE owner_id = %s"


def leave(owner: Account) -> None:
    """Inside the transaction that deletes the account. The file is cleaned of it afterwards."""
    with change_log.ours():
        ReceiptEntry.objects.filter(receipt__owner=owner).delete()
        for rows in (Refusal, Link, Tombstone, Erasure, TextVersion, Receipt):
            rows.objects.of(owner).delete()
        CommitEntry.objects.filter(commit__owner=owner).delete()
        Commit.objects.of(owner).delete()
        Vector.objects.filter(entry__owner=owner).delete()
        Entry.objects.of(owner).delete()
    with connection.cursor() as cursor:
        cursor.execute(LINES, [owner_id(owner)])
    vector_channel.settle()
    job.enqueue(SCRUB, key=SCRUB)
