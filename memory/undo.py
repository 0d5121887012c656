"""Undo a commit by a commit: every entry and link it states is again as it was before it. Erasure cannot be undone."""

from __future__ import annotations

from forgesite.lib.embeddings import Door
from forgesite.models import Account
from memory.models import Commit


def undo(owner: Account, address: str, *, actor: str, cause: str = "", door: Door | None = None) -> Commit:
    """Take back the owner's commit of this address, wholly or not at all. Returns the commit that does.

    Raises UnknownError; MovedError where an entry or a link in it moved since; ErasedError where it, or what it was of,
    was forgotten; NothingToUndoError where it changed nothing that a person would take back; KeyTakenError where another
    entry holds a key now; EmbeddingError. Then nothing changed.
    """
    raise NotImplementedError


def undoable(commit: Commit) -> str:
    """Why the commit cannot be undone, in a sentence fit to show; empty where it can."""
    raise NotImplementedError


def last(owner: Account) -> Commit | None:
    """The newest commit, by the person or on their behalf, that can be undone and is not undone itself."""
    raise NotImplementedError
