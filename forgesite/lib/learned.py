"""What was learned of model servers by asking them; for as long as the event loop runs that asked."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

#: A server's address and a model of it.
Known = tuple[str, str]


@dataclass
class Learned:
    """`without`: fields that it refuses. `opens_unseen`: its thinking begins without a tag. `answered`: when it last
    answered, in seconds of `time.monotonic()`.
    """

    without: dict[Known, frozenset[str]] = field(default_factory=dict)
    opens_unseen: set[Known] = field(default_factory=set)
    answered: dict[Known, float] = field(default_factory=dict)


_learned: WeakKeyDictionary[asyncio.AbstractEventLoop, Learned] = WeakKeyDictionary()


def learned() -> Learned:
    return _learned.setdefault(asyncio.get_running_loop(), Learned())
