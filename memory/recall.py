"""Find entries: by meaning, by words, or both, each row with the channel that admitted it."""

from __future__ import annotations

from dataclasses import replace

from forgesite.lib.embeddings import Door
from forgesite.models import Account
from memory.aliases import widened
from memory.domain.wording import clean
from memory.finding.packing import packed
from memory.finding.rescue import Rewrite, rescued
from memory.finding.searching import MOST_ROWS, checked, packs, search
from memory.recalled import Head, LeftOut, Query, Recalled, Row

__all__ = ["MOST_ROWS", "Head", "LeftOut", "Query", "Recalled", "Row", "recall"]

#: A row of these was found by what was asked.
ANSWERING = ("vector", "lexical", "both")


def recall(owner: Account, query: Query, *, door: Door | None = None, rewrite: Rewrite | None = None) -> Recalled:
    """The rows of the owner's memory that answer to a text. A blank text finds nothing; no text raises.

    `rewrite`: how a language model would put the question, for where it finds nothing (see rescue.py); None: no model
    is asked. Raises InvalidError for an unknown policy or kind, or a top_k out of 1 to 64; EmbeddingError as `Query`
    says, and what `as_of.moment_of` does.
    """
    checked(query)
    text = clean(query.text).text.strip()
    wide = widened(owner, text, then=bool(query.as_of)) if text else None
    found = search(owner, replace(query, text=wide.text if wide else ""), door=door)
    if wide and wide.aliases:
        found = replace(found, aliases=wide.aliases, notices=(*found.notices, *wide.notices))
    found = replace(found, query=query)
    if found.cutoff is None or any(row.channel in ANSWERING for row in found.rows):
        return found
    found = rescued(owner, query, found, door=door, rewrite=rewrite)
    return packed(found) if packs(query, found.policy) else found
