"""An embedder that was asked before: vectors made outside of a transaction are at hand inside it."""

from __future__ import annotations

from collections.abc import Sequence

from forgesite.lib.embeddings import Door
from forgesite.lib.vectors import Vector
from memory import embedding


class Ahead:
    """Stands before a door. What `prepare` embedded is answered at once; anything else goes through the door."""

    def __init__(self, door: Door) -> None:
        self.name, self.wrapper = door.name, door.wrapper
        self._door = door
        self._vectors: dict[str, Vector] = {}

    @property
    def dim(self) -> int:
        return self._door.dim

    def prepare(self, texts: Sequence[str]) -> None:
        """Forget what was prepared before, and embed these. Raises EmbeddingError."""
        self._vectors.clear()
        embedding.regime(self)  # it embeds too, once a door
        embedding.embedded(self, texts)

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        missing = list(dict.fromkeys(text for text in texts if text not in self._vectors))
        if missing:
            self._vectors.update(zip(missing, self._door.embed_documents(missing), strict=True))
        return [self._vectors[text] for text in texts]

    def embed_query(self, text: str) -> Vector:
        return self._door.embed_query(text)


def ahead() -> Ahead | None:
    """Before the embedder in force; None where there is none."""
    door = embedding.served()
    return Ahead(door) if door else None
