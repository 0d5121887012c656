"""Says in the log when the event loop that serves everybody stood still."""

from __future__ import annotations

import logging
from typing import Any

log = logging.getLogger(__name__)

EVERY = 0.1
#: Seconds that a person begins to notice: every page waits as long.
STALL = 0.2


def watch(reactor: Any) -> None:
    """From now on: a beat ten times a second, and a line in the log for each that came late by more than `STALL`."""

    def beat(due: float) -> None:
        late = reactor.seconds() - due
        if late > STALL:
            log.warning("the event loop stood still ms=%.0f", late * 1000)
        reactor.callLater(EVERY, beat, reactor.seconds() + EVERY)

    reactor.callLater(EVERY, beat, reactor.seconds() + EVERY)
