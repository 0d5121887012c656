"""What memory refuses: a code and a status for the edges, a message fit to show."""

from forgesite.errors import ConflictError, ForgeError


class DegenerateError(ForgeError):
    """One word is no memory (in scripts without spaces: one character)."""

    code, status = "degenerate", 400


class EmbeddingError(ForgeError):
    """The embedder did not answer, or answered nonsense."""

    code, status = "embedding", 502


class BadAnswerError(EmbeddingError):
    """The embedder answered, and what it gave is no vector: a question then goes by words."""


class AlreadySavedError(ConflictError):
    """A refusal can be saved once."""

    code = "already_saved"


class StaleVersionError(ConflictError):
    """The entry moved since it was read."""

    code = "stale_version"
