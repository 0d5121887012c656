"""A door to the embedder for whoever asks the same questions more than once, and may not be kept waiting again."""

from __future__ import annotations

from collections.abc import Sequence

from forgesite.lib.embeddings import Door, EmbeddingFailedError
from forgesite.lib.vectors import Vector


class AskedOnce:
    """Stands before a door, and asks it for the vector of a question once, whatever comes of it.

    A failure is kept too: a question that was searched by words the first time is searched by them the second time, and
    the two can be compared.
    """

    def __init__(self, door: Door) -> None:
        self.name, self.wrapper, self.door = door.name, door.wrapper, door
        self._found: dict[str, Vector | EmbeddingFailedError] = {}

    @property
    def dim(self) -> int:
        return self.door.dim

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        return self.door.embed_documents(texts)

    def embed_query(self, text: str) -> Vector:
        if text not in self._found:
            self._found[text] = self._answer(text)
        found = self._found[text]
        if isinstance(found, EmbeddingFailedError):
            raise found
        return found

    def _answer(self, text: str) -> Vector | EmbeddingFailedError:
        try:
            return self.door.embed_query(text)
        except EmbeddingFailedError as error:
            return error
