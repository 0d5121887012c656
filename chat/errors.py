"""What a turn or a compaction may be refused for before it begins."""

from forgesite.errors import ConflictError


class BusyError(ConflictError):
    """The conversation is answering already."""

    code = "busy"


class DisabledError(ConflictError):
    """A setting, or what the conversation is, rules it out."""

    code = "disabled"
