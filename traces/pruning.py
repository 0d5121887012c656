"""Runs that are older than they are kept: their rows, and their JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime

from forgesite.models import Account
from traces.jsonl import file_of, rewrite
from traces.models import Run

#: Runs of one transaction.
AT_ONCE = 500


def prune(before: datetime) -> int:
    """Remove the runs of everybody that began before that time. How many rows went; of the lines all that are as old.

    Killed in between, it has removed some, and the next time it removes the rest.
    """
    gone = 0
    old = Run.objects.filter(started_at__lt=before).order_by("id").values_list("pk", flat=True)
    while ids := list(old[:AT_ONCE]):
        Run.objects.filter(pk__in=ids).delete()
        gone += len(ids)
    for path in {file_of(owner) for owner in _owners()}:
        rewrite(path, lambda line: "" if _is_older(line, before) else line)
    return gone


def _owners() -> Iterable[Account]:
    return Account.objects.order_by("pk")


def _is_older(line: str, before: datetime) -> bool:
    """What is no line of a run stays."""
    try:
        return datetime.fromisoformat(json.loads(line)["timestamp"]) < before
    except (ValueError, TypeError, KeyError):
        return False
