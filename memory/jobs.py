"""What the worker does for memory. Each job is idempotent."""

from __future__ import annotations

from memory import embedding, pending, vector_channel

AT_ONCE = 256
#: The job below by its dotted name: what the queue knows it by, and its key.
EMBED_PENDING = "memory.jobs.embed_pending"


def embed_pending() -> int:
    """Embed every entry that waits for its vectors. Returns how many. With no embedder there is nothing to do."""
    door = embedding.served()
    if door is None:
        return 0
    vector_channel.sync(embedding.regime(door), door.dim)
    done = 0
    while some := pending.embed_some(door, AT_ONCE):
        done += some
    return done
