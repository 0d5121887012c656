"""What a turn or a compaction may be refused for before it begins; and what a run has nothing to show for."""

from forgesite.errors import ConflictError, UnknownError


class BusyError(ConflictError):
    """The conversation is answering already."""

    code = "busy"


class DisabledError(ConflictError):
    """A setting, or what the conversation is, rules it out."""

    code = "disabled"


class NoReceiptError(UnknownError):
    """The run asked nothing of memory, or was before receipts were kept."""

    code = "no_receipt"
