"""Kill a process at one line after another of what it does, and look each time at what is left.

Between two lines is where a half-done thing would be seen; the lines are those of the modules named.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

#: How many lines: a few of the last ones in the test command; in `python -m bench.full` many, spread over all.
FEW = 5
ROUNDS = int(os.environ.get("FORGE_TEST_KILLS", FEW))
#: What replaces what was there is done in the last lines; before, all is written under another name.
LAST = 60


Act = Callable[[], Any]


def at_lines(modules: tuple[str, ...], begin: Act, act: Act, look: Act) -> int:
    """`begin`, `act` in a child that is killed, `look`: for lines that `act` runs through.

    Returns how many lines there are. Call it in a process that has no database open: it forks.
    """
    begin()
    lines = _child(modules, act, 0)
    look()
    every = range(1, lines + 1)
    for line in every[-LAST :: LAST // FEW] if ROUNDS <= FEW else every[:: max(lines // ROUNDS, 1)]:
        begin()
        _child(modules, act, line)
        look()
    return lines


def _child(modules: tuple[str, ...], act: Act, last: int) -> int:
    """The number of lines that it went through; it is killed before the `last`, unless that is 0."""
    out, into = os.pipe()
    pid = os.fork()
    if not pid:
        _run(modules, act, last, into)
    os.close(into)
    with os.fdopen(out) as pipe:
        said = pipe.read()
    _pid, status = os.waitpid(pid, 0)
    assert os.WIFSIGNALED(status) == bool(last), f"the child ended with {status}"
    assert last or os.waitstatus_to_exitcode(status) == 0
    return int(said or 0)


def _run(modules: tuple[str, ...], act: Act, last: int, into: int) -> None:
    lines = 0

    def trace(frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal lines
        if frame.f_globals.get("__name__") not in modules:
            return None
        if event == "line":
            lines += 1
            if lines == last:
                os.kill(os.getpid(), signal.SIGKILL)
        return trace

    try:
        sys.settrace(trace)
        act()
        sys.settrace(None)
        os.write(into, str(lines).encode())
        os._exit(0)
    except BaseException:  # noqa: BLE001  a child that goes on would run the rest of the tests
        sys.excepthook(*sys.exc_info())
        os._exit(1)
