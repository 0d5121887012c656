"""The API's door to everything one owns, as a stream that starts at once and never holds more than a page of it."""

from __future__ import annotations

from collections.abc import AsyncIterator

from channels.db import database_sync_to_async
from django.http import StreamingHttpResponse
from ninja import Router

from forgesite.auth import Request
from forgesite.export_lines import SHAPES, kinds
from forgesite.models import Account
from forgesite.schemas import answers

router = Router(tags=["site"])

LINES = [{**line.model_json_schema(ref_template="#/components/schemas/{model}"), "$defs": {}} for line in SHAPES]
DOCUMENTED = {"responses": {200: {"content": {"application/jsonl": {"schema": {"anyOf": LINES}}}}}}


@router.get("/export", response=answers(None), openapi_extra=DOCUMENTED, summary="Everything you own")
async def export(request: Request) -> StreamingHttpResponse:
    """JSON Lines: your entries, conversations, messages and what was proposed, then the proofs: runs, receipts, commits
    and certificates of what was forgotten. Each kind in the order of its ids; the addresses can be computed anew from
    the lines.
    """
    return StreamingHttpResponse(_lines(request.auth), content_type="application/jsonl")


async def _lines(owner: Account) -> AsyncIterator[str]:
    """A page at a time, each after the last id of the one before: no read stays open while the client reads.

    Sent line by line, 20,000 entries took 14 times as long as by the page, which takes 3.5 s of CPU.
    """
    for kind in kinds(owner):
        page = await database_sync_to_async(kind.after)(None)
        while page.text:
            yield page.text
            page = await database_sync_to_async(kind.after)(page.last)
