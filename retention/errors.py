"""What the forgetting pass refuses: a code and a status for the edges, a message fit to show."""

from forgesite.errors import ConflictError, ForgeError


class DisabledError(ConflictError):
    """The pass is off."""

    code = "disabled"


class AlreadyDecidedError(ConflictError):
    """A proposal is decided once. `detail`: what it is now."""

    code = "already_decided"


class OutdatedError(ConflictError):
    """What was judged is no more what stands there."""

    code = "stale_version"


class JudgeError(ForgeError):
    """A judge could not be asked, or gave no verdicts: nothing is proposed from it. `code` says why, in a word, and
    stands behind the sentence too. Neither holds a word of an entry, nor of the server's, which may quote one.
    """

    code, status = "judge", 502
    #: Would asking again in the same pass be of no use?
    ends_pass = False

    def __init__(self, message: str, *, code: str = "", ends: bool = False) -> None:
        self.code = code or self.code
        super().__init__(f"{message} [{self.code}]")
        self.ends_pass = ends or self.ends_pass


class BudgetError(JudgeError):
    """The day's calls are used up."""

    code, status = "judge_budget", 429
    ends_pass = True


class NotAllowedError(JudgeError):
    """The account lets nobody send its entries to a judge."""

    code, status = "judge_opt_in", 409
    ends_pass = True


class OtherJudgeError(JudgeError):
    """Another model answers than the one that began."""

    code = "judge_changed"
    ends_pass = True
