"""How the store and the embedder are, for `/health` and the admin. No private data."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from memory import embedding, vector_channel, word_channel
from memory.errors import EmbeddingError
from memory.models import Entry


@dataclass(frozen=True)
class StoreHealth:
    """`vector` and `words` are True, or what is wrong. `pending`: entries without a vector of the regime served."""

    entries: int
    pending: int
    vector: bool | str
    words: bool | str


@dataclass(frozen=True)
class EmbeddingHealth:
    """`regime` is `wrapper.model`, empty while nothing is served; `cutoff` as in force, None: off."""

    provider: str
    name: str
    dim: int
    ready: bool
    regime: str
    cutoff: str | None


def store_health() -> StoreHealth:
    door = embedding.served()
    pending = vector_channel.count_pending() if door else 0
    vector: bool | str = vector_channel.available() or "this SQLite cannot load sqlite-vec"
    if door is None:
        vector = "no embedder is set"
    return StoreHealth(Entry.objects.count(), pending, vector, word_channel.probe() or True)


def embedding_health() -> EmbeddingHealth:
    door = embedding.served()
    provider = settings.FORGE.EMBEDDING_PROVIDER
    if door is None:
        return EmbeddingHealth(provider, "", 0, False, "", None)
    try:
        cutoff = embedding.cutoff_in_force(door)
    except EmbeddingError:
        return EmbeddingHealth(provider, door.name, 0, False, "", None)
    named = f"{cutoff.named}" if cutoff.value is not None else None
    return EmbeddingHealth(provider, door.name, door.dim, True, cutoff.regime, named)
