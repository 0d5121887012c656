"""The model servers that a conversation may choose of. The worker's other jobs ask them too: see model_servers.py."""

from __future__ import annotations

from forgesite.model_servers import (
    DEFAULT,
    Server,
    check_choice,
    door_of,
    door_to,
    forget,
    found,
    look,
    lost,
    servers,
)

__all__ = [
    "DEFAULT",
    "Server",
    "check_choice",
    "door_of",
    "door_to",
    "forget",
    "found",
    "look",
    "lost",
    "servers",
]
