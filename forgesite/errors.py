"""The error every app raises: a code and a status for the edges, a message fit to show.

Say what happened, with which value, and what to do.
"""

from typing import Any


class ForgeError(Exception):
    """Base of every error a person may see. `detail` is JSON-ready."""

    code = "error"
    status = 400

    def __init__(self, message: str, *, detail: Any = None) -> None:
        super().__init__(message)
        self.message = str(message)
        self.detail = detail


class UnknownError(ForgeError):
    """No such thing, or it is somebody else's: the two look alike from outside."""

    code, status = "unknown", 404


class TooLargeError(ForgeError):
    """`detail` holds `size` and `limit`, in bytes."""

    code, status = "too_large", 413


class EmptyError(ForgeError):
    """A text with nothing in it."""

    code, status = "empty", 400


class InvalidError(ForgeError):
    """A value out of its range or shape."""

    code, status = "invalid", 422


class ConflictError(ForgeError):
    """The state does not allow this any more."""

    code, status = "conflict", 409


class NoOwnerError(ForgeError):
    """A read or a write without an account. Never a shared default."""

    code, status = "no_owner", 401


class LinkError(ForgeError):
    """A sign-in link that is unknown, used or past its hour. Nobody is told which."""

    code, status = "link", 403


class BackupError(ForgeError):
    """A copy of the database that was not made, or did not pass its check."""

    code, status = "backup", 500


class StoreError(ForgeError):
    """The database file cannot be used as it is."""

    code, status = "store", 500
