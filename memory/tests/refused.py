"""What the tests of refusals share: the code that a caller gets, that not one row was written, and a second writer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection

from forgesite.errors import ForgeError
from forgesite.lib.vectors import Vector
from forgesite.testing_embedders import digest_vector

TABLES = (
    "memory_entry",
    "memory_link",
    "memory_commit",
    "memory_commitentry",
    "memory_textversion",
    "memory_vector",
    "memory_words",
    "memory_refusal",
    "memory_change_log",
)


def everything() -> dict[str, list[Any]]:
    """Every row of memory."""
    with connection.cursor() as cursor:
        return {table: cursor.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES}


@contextmanager
def refused(code: str) -> Iterator[pytest.ExceptionInfo[ForgeError]]:
    """The block ends in an error of this code, and has written nothing."""
    before = everything()
    with pytest.raises(ForgeError) as raised:
        yield raised
    assert raised.value.code == code
    assert everything() == before


class Meanwhile:
    """An embedder during whose first work somebody else does something."""

    name, wrapper, dim = "meanwhile", "", 8

    def __init__(self, act: Callable[[], object]) -> None:
        self.acts = [act]

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        while self.acts:
            self.acts.pop()()
        return [digest_vector(text) for text in texts]

    def embed_query(self, text: str) -> Vector:
        return digest_vector(text)
