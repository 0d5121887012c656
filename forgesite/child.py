"""The child's end of the supervisor's pipe."""

from __future__ import annotations

import os
import signal
import sys
from threading import Thread


def end_with_parent() -> None:
    """From now on this process's group is killed when the supervisor is gone, however it went.

    Call it only after the last fork: a thread does not survive one, and a lock it holds would.
    """
    Thread(target=_watch, args=[sys.stdin.fileno()], daemon=True).start()


def _watch(pipe: int) -> None:
    while os.read(pipe, 1024):
        pass
    os.killpg(os.getpgrp(), signal.SIGKILL)
