"""What a turn is asked for, whichever door it came in by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forgesite.models import Account


@dataclass(frozen=True)
class TurnRequest:
    """`door`: `web`, `api` or `terminal`. Without a conversation a new one is made, with this `server` and `model`.

    `parent`: the message to follow, 0 for none, None for the one in sight. `retry`: an answer to be given again;
    `go_on`: one to be continued; both bring no text of their own.
    """

    owner: Account
    text: str
    conversation: str = ""
    client_id: str = ""
    temporary: bool = False
    door: str = "web"
    parent: int | None = None
    retry: int = 0
    go_on: int = 0
    server: str = ""
    model: str = ""
