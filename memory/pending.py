"""Entries that have no vector yet: written while no embedder was served, or edited outside Forge."""

from __future__ import annotations

from django.db import transaction

from forgesite.lib.embeddings import Door
from memory import embedding, store, vector_channel
from memory.embedding import Embedded
from memory.models import Entry
from memory.vector_channel import Pending


def embed_some(door: Door, limit: int) -> int:
    """Embed at most `limit` pending entries, newest first. Returns how many were taken up.

    A text that changed in between stays pending: its new words will be embedded.
    """
    waiting = vector_channel.pending(limit)
    if not waiting:
        return 0
    found = embedding.embedded(door, [each.text for each in waiting])
    regime = embedding.regime(door)
    with transaction.atomic():
        for each, vectors in zip(waiting, found, strict=True):
            _store(each, vectors, regime)
    return len(waiting)


def _store(waiting: Pending, found: Embedded, regime: str) -> None:
    entry = Entry.objects.filter(pk=waiting.id, text=waiting.text).first()
    if entry is None:
        return
    entry.vectors.all().delete()
    store.store_vectors([entry], [found], regime)
    if not found.vectors:
        vector_channel.done(entry.pk)
