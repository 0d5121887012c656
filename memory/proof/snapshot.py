"""One moment of the store, for many reads: writers go on meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def snapshot() -> Iterator[None]:
    """Whatever is read inside is of one moment. Nothing may be written inside, nor `atomic` begun.

    Django's own transactions take the write lock at once. Inside one, that one is the moment.
    """
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            cursor.execute("COMMIT")


@contextmanager
def unmapped() -> Iterator[None]:
    """Who reads all of the file once gains nothing by mapping it, and would seem to take as much memory as it has."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA mmap_size")
        [size] = cursor.fetchone() or (0,)
        cursor.execute("PRAGMA mmap_size = 0")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA mmap_size = {int(size)}")
