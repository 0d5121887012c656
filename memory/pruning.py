"""What is kept for a while only: writes that a rule turned down, and the words of what memory was asked."""

from __future__ import annotations

from datetime import datetime

from memory import change_log
from memory.models import Receipt, Refusal
from memory.receipts import erase_questions


def prune_refusals(before: datetime) -> int:
    """Of everybody, also those that were saved anyway: the entry is what is left of them."""
    with change_log.ours():
        gone, _by_model = Refusal.objects.filter(created_at__lt=before).delete()
    return gone


def prune_questions(before: datetime) -> int:
    """Of everybody. The receipts stay and are proved as before: only digests of the words are in what is hashed."""
    return erase_questions(Receipt.objects.filter(at__lt=before))
