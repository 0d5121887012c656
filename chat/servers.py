"""Who answers: the model servers that are configured, or found on this machine, and the door of a conversation."""

from __future__ import annotations

from dataclasses import dataclass

from forgesite.lib.language_models import ModelDoor


@dataclass(frozen=True)
class Server:
    """`name` is what a conversation calls it; the server of `LLM_PROVIDER` is `default`, and comes first."""

    name: str
    provider: str
    url: str
    model: str


def servers() -> tuple[Server, ...]:
    """Those to choose from; empty with the built-in responder alone."""
    return ()


async def door_of(server: str = "", model: str = "") -> ModelDoor | None:
    """The door that answers a conversation with this choice; None: the built-in responder.

    Raises InvalidError for a server that is not configured.
    """
    return None


def check_choice(server: str, model: str) -> None:
    """Raises InvalidError, with the names there are, for a server that is not configured."""
