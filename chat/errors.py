"""What a turn may be refused for before it begins."""

from forgesite.errors import ConflictError


class BusyError(ConflictError):
    """The conversation is answering already."""

    code = "busy"
