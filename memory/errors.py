"""What memory refuses: a code and a status for the edges, a message fit to show."""

from forgesite.errors import ConflictError, ForgeError, InvalidError


class DegenerateError(ForgeError):
    """One word is no memory (in scripts without spaces: one character)."""

    code, status = "degenerate", 400


class EmbeddingError(ForgeError):
    """The embedder did not answer, or answered nonsense."""

    code, status = "embedding", 502


class BadAnswerError(EmbeddingError):
    """The embedder answered, and what it gave is no vector: a question then goes by words."""


class ReembedError(EmbeddingError):
    """The vectors in store are of another model than the one that is served: search goes by words meanwhile."""


class AlreadySavedError(ConflictError):
    """A refusal can be saved once."""

    code = "already_saved"


class StaleVersionError(ConflictError):
    """The entry moved since it was read."""

    code = "stale_version"


class OpenTodoError(ConflictError):
    """An open todo is closed by a person, or by a todo of its key."""

    code = "open_todo"


class KeyTakenError(ConflictError):
    """Another entry, which this one is no version of, has the key."""

    code = "key_taken"


class NotLiveError(ConflictError):
    """The entry was put away, taken back or replaced."""

    code = "not_live"


class PersonsEntryError(ConflictError):
    """A person wrote, edited or pinned it: a job may only propose."""

    code = "persons_entry"


class ForgottenError(ConflictError):
    """It comes from where an entry came from that was forgotten."""

    code = "forgotten"


class ModelLimitError(InvalidError):
    """More than a model may write in one turn. `detail` holds `size` and `limit`."""

    code = "model_limit"


class SelfLinkError(InvalidError):
    """Nothing is related to itself."""

    code = "self_link"


class SupersededError(ConflictError):
    """Another entry speaks for it already."""

    code = "already_superseded"


class EventError(ConflictError):
    """What happened, happened: no event is superseded."""

    code = "event"


class RecursiveSummaryError(InvalidError):
    """A summary is never built on summaries."""

    code = "recursive_summary"


class NotCurrentError(ConflictError):
    """A summary rests on what is so, and this is replaced or taken back."""

    code = "not_current"


class CoversError(InvalidError):
    """Only a summary covers others."""

    code = "covers_need_summary"


class CoversOpenTodoError(ConflictError):
    """What is still to be done is covered by nothing."""

    code = "covers_open_todo"


class LongerSummaryError(InvalidError):
    """A summary is shorter than what it covers."""

    code = "longer_summary"


class NeedsSourceError(InvalidError):
    """It needs something to rest on."""

    code = "needs_source"


class MovedError(ConflictError):
    """What is to be undone changed again since. `detail` names the entry, and the newer commit where there is one."""

    code = "moved"


class ErasedError(ConflictError):
    """It was forgotten, and nothing brings it back."""

    code = "erased"


class NothingToUndoError(ConflictError):
    """The commit changed nothing that a person would take back."""

    code = "nothing_to_undo"


class BusyError(ConflictError):
    """Somebody else holds what is needed; a moment later nobody may."""

    code = "busy"


class BrokenChainError(ConflictError):
    """A commit is not what its address says: nothing is judged or restored by such a chain. `detail`: its tick."""

    code = "broken_chain"


class NoReplayError(ConflictError):
    """A recall cannot be made again as it was; the message says why."""

    code = "no_replay"


class ContextOverflowError(ConflictError):
    """Open todos that have to be given do not fit. `detail` lists them."""

    code = "context_overflow"
