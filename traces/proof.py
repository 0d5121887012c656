"""Which receipts runs name, for the proof of memory that joins them."""

from __future__ import annotations

from collections.abc import Iterator

from traces.models import Run

TABLE = "traces_run"


def naming(owner: int) -> Iterator[tuple[str, int, str]]:
    """Table, row and address of each. Runs that were pruned name nothing any more."""
    named = Run.objects.filter(owner=owner).exclude(receipt="").order_by("id")
    for pk, address in named.values_list("pk", "receipt").iterator():
        yield TABLE, pk, address
