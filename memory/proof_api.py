"""The API's door to the proof of one's memory."""

from __future__ import annotations

import threading

from django.utils.translation import gettext as _
from ninja import Router, Schema
from pydantic import Field

from forgesite.auth import Request
from forgesite.schemas import answers
from memory.errors import BusyError
from memory.verify import verify

router = Router(tags=["memory"])
#: A proof of a large store takes the processor for a while: one at a time.
_one = threading.Lock()


class FindingOut(Schema):
    """One difference. No word of an entry is in it."""

    code: str = Field(
        description=(
            "`broken_chain`, `missing`, `extra`, `forgotten`, `differs`, `index`, `derived`, `touched` or `recorded`."
        )
    )
    table: str
    row: int | None = Field(description="The row's id; null where it is of the whole table, or the row is not there.")
    column: str = Field(description="Empty where it is of the whole row.")
    entry: int | None = Field(description="The entry that it is about, if it is about one.")
    outside: bool = Field(description="Changed with SQL, which triggers saw; otherwise it is damage.")
    message: str


class ProofOut(Schema):
    """`more`: findings past the first 10,000."""

    ok: bool
    commits: int
    entries: int
    receipts: int
    head: str
    findings: list[FindingOut]
    more: int


@router.post("/verify", response=answers(ProofOut, 409), summary="Prove your memory")
def prove(request: Request) -> ProofOut:
    """Replays the ledger of your memory, and compares every row, link, text and index of it with what it says.

    A large store takes a while: ten seconds and more for 100,000 entries. Meanwhile others go on; a second proof is
    answered with 409 `busy`.
    """
    if not _one.acquire(blocking=False):
        raise BusyError(_("Another proof is running. Try again in a moment."))
    try:
        return ProofOut.model_validate(verify(request.auth), from_attributes=True)
    finally:
        _one.release()
