"""How the suite is run. Nothing but the standard library: `manage.py` reads it before there is an environment."""

from __future__ import annotations

import os
from collections.abc import Sequence

#: Most processes at once: each takes .7 GB, with the servers and browsers that its tests start.
MOST = 4


def pytest_arguments(arguments: Sequence[str], cores: int | None = None) -> list[str]:
    """The whole suite runs on as many cores as there are, up to MOST, a file to a process; what is named, on one.

    `cores` None: of this machine.
    """
    named = any(not each.startswith("-") or each.startswith("-n") for each in arguments)
    processes = min(MOST, cores or os.cpu_count() or 1)
    if named or processes == 1:
        return list(arguments)
    return ["-n", str(processes), "--dist", "loadfile", *arguments]
