"""What a turn may be refused for before it begins."""

from forgesite.errors import ConflictError, ForgeError


class BusyError(ConflictError):
    """The conversation is answering already."""

    code = "busy"


class BadFrameError(ForgeError):
    """A frame that is no JSON object of a known type."""

    code, status = "bad_frame", 400
