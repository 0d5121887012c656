"""What embedding servers answer, read: every form of it gives the same vectors, in the order of the texts."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import Any

import numpy as np

from forgesite.lib.vectors import STORED


class NotVectorsError(Exception):
    """JSON of another shape. `per_token`: how many vectors came where one was due, or 0."""

    def __init__(self, *, per_token: int = 0) -> None:
        super().__init__(per_token)
        self.per_token = per_token


def vectors_in(body: Any) -> list[Any]:
    """The vectors, as raw as they came: whether each of them is one is for `vectors.unit` to say.

    OpenAI's `data` and llama.cpp's list in any order of their indexes, Ollama's `embeddings`, a lone `embedding` flat
    or nested once, and a plain list of vectors. A missing or null vector is None. Raises NotVectorsError.
    """
    match body:
        case {"data": [*rows]} | {"results": [*rows]}:
            return [_pooled(row.get("embedding")) for row in _in_order(rows)]
        case {"embeddings": [*vectors]}:
            return [_pooled(vector) for vector in vectors]
        case {"embedding": vector}:
            return [_pooled(vector)]
        case [dict(), *_]:
            return [_pooled(row.get("embedding")) for row in _in_order(body)]
        case [[*_], *_]:
            return [_pooled(vector) for vector in body]
    raise NotVectorsError


def is_of_one_text(body: Any) -> bool:
    """Is this the answer of a server that takes one text at a time?"""
    return isinstance(body, dict) and "embedding" in body and not {"data", "embeddings", "results"} & set(body)


def _in_order(rows: Sequence[Any]) -> list[dict[str, Any]]:
    """By `index`; as they came where no row has one. Indexes with gaps or twice would name the wrong text.

    A zero may be left out: so does Google's JSON with every number that is zero.
    """
    if not all(isinstance(row, dict) for row in rows):
        raise NotVectorsError
    indexes = [row.get("index") for row in rows]
    if all(index is None for index in indexes):
        return list(rows)
    placed = {index or 0: row for index, row in zip(indexes, rows, strict=True) if isinstance(index, int | None)}
    if placed.keys() != set(range(len(rows))):
        raise NotVectorsError
    return [placed[index] for index in range(len(rows))]


def _pooled(vector: Any) -> Any:
    """One vector. llama.cpp nests it once; without pooling it gives one for each token, which is none of the text."""
    if isinstance(vector, str):
        return _from_base64(vector)
    if isinstance(vector, list) and vector and isinstance(vector[0], list):
        if len(vector) > 1:
            raise NotVectorsError(per_token=len(vector))
        vector = vector[0]
    if vector is not None and not isinstance(vector, list):
        raise NotVectorsError
    return vector


def _from_base64(text: str) -> Any:
    try:
        return np.frombuffer(base64.b64decode(text, validate=True), dtype=STORED)
    except (binascii.Error, ValueError):
        raise NotVectorsError from None
