"""An embedder that was asked before: vectors made outside of a transaction are at hand inside it."""

from __future__ import annotations

from collections.abc import Sequence

from forgesite.lib.embeddings import Door, EmbeddingFailedError, TooLargeToEmbedError
from forgesite.lib.vectors import BadVectorError, Vector
from memory import embedding
from memory.regime.to_embed import to_embed


class Ahead:
    """Stands before a door. What `prepare` embedded is answered at once; anything else goes through the door.

    Once the door has failed, it is not asked again before the next `prepare`: it may be asked inside a transaction.
    """

    def __init__(self, door: Door) -> None:
        self.name, self.wrapper, self.door = door.name, door.wrapper, door
        self._vectors: dict[str, Vector] = {}
        self._too_large: dict[str, TooLargeToEmbedError] = {}
        self._failed: Exception | None = None

    @property
    def dim(self) -> int:
        return self.door.dim

    def prepare(self, texts: Sequence[str]) -> None:
        """Forget what was prepared before, and embed these. Raises EmbeddingError, unless they are to wait instead."""
        self._vectors.clear()
        self._too_large.clear()
        self._failed = None
        ready = to_embed(self, texts)
        if texts and not ready.regime:
            self._failed = self._failed or EmbeddingFailedError(ready.found[0].waiting)

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        missing = [text for text in dict.fromkeys(texts) if text not in self._vectors | self._too_large]
        if missing and self._failed:
            raise self._failed
        if missing:
            self._ask(missing)
        if large := [self._too_large[text] for text in texts if text in self._too_large]:
            found = [self._vectors.get(text) for text in texts]
            raise TooLargeToEmbedError(large[0].sentence, found, **large[0].values)
        return [self._vectors[text] for text in texts]

    def _ask(self, texts: list[str]) -> None:
        """Only what is a vector is kept."""
        try:
            vectors = embedding.checked(self.door, self.door.embed_documents(texts), len(texts))
            self._vectors.update(zip(texts, vectors, strict=True))
        except TooLargeToEmbedError as error:
            found = dict(zip(texts, error.found, strict=True))
            fit = {text: vector for text, vector in found.items() if vector is not None}
            self._vectors |= dict(zip(fit, embedding.checked(self.door, [*fit.values()], len(fit)), strict=True))
            self._too_large |= dict.fromkeys(found.keys() - fit.keys(), error)
        except (EmbeddingFailedError, BadVectorError) as error:
            self._failed = error
            raise

    def embed_query(self, text: str) -> Vector:
        return self.door.embed_query(text)


def ahead() -> Ahead | None:
    """Before the embedder in force; None where there is none."""
    door = embedding.served()
    return Ahead(door) if door else None
