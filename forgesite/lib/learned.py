"""What was learned of model servers by asking them; for as long as the event loop runs that asked."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

#: Seconds for which a refusal of tools is believed: a server is started anew with another model, or another flag.
BELIEVED = 3600.0
#: A server's address and a model of it.
Known = tuple[str, str]


@dataclass
class Learned:
    """`without`: fields that it refuses. `opens_unseen`: its thinking begins without a tag. `answered`: when it last
    answered, in seconds of `time.monotonic()`; `tools`: whether it takes tools, and when that was learned.
    """

    without: dict[Known, frozenset[str]] = field(default_factory=dict)
    opens_unseen: set[Known] = field(default_factory=set)
    answered: dict[Known, float] = field(default_factory=dict)
    tools: dict[Known, tuple[bool, float]] = field(default_factory=dict)

    def takes_tools(self, known: Known) -> bool | None:
        """None: nothing is known of it, or not any more."""
        takes, since = self.tools.get(known, (True, float("-inf")))
        return takes if time.monotonic() - since < BELIEVED else None

    def learn_tools(self, known: Known, *, takes: bool) -> None:
        self.tools[known] = (takes, time.monotonic())


_learned: WeakKeyDictionary[asyncio.AbstractEventLoop, Learned] = WeakKeyDictionary()


def learned() -> Learned:
    """Outside an event loop nothing is known."""
    try:
        return _learned.setdefault(asyncio.get_running_loop(), Learned())
    except RuntimeError:
        return Learned()
