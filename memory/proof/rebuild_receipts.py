"""The index from entries to receipts, made anew from what the receipts say. Receipts themselves cannot be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.domain.receipt import said_in
from memory.models import Receipt, ReceiptEntry
from memory.proof.verify_receipts import ENTRIES, TABLE

if TYPE_CHECKING:
    from memory.verify import Proof


def index(proved: Proof) -> None:
    """Only where something was found of it. A receipt that is not what it says names nothing."""
    if not any(finding.table == ENTRIES for finding in proved.findings):
        return
    broken = {finding.row for finding in proved.findings if finding.table == TABLE}
    own = Receipt.objects.of(proved.owner)
    ReceiptEntry.objects.exclude(receipt__in=Receipt.objects.exclude(owner=proved.owner)).delete()
    for receipt in own.exclude(pk__in=[pk for pk in broken if pk]).iterator():
        ids = sorted(said_in(receipt.body).leaned_on)
        ReceiptEntry.objects.bulk_create(ReceiptEntry(receipt=receipt, entry=pk) for pk in ids)
