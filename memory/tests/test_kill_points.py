"""Killed before any statement of any verb, a write is wholly there or wholly not, and memory is proved."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

#: Points of each verb: few in the test command, many in `python -m bench.full`.
POINTS = int(os.environ.get("FORGE_TEST_KILLS", "5"))
VERBS = 17
RUN = "import sys, django; django.setup(); from memory.tests.kill_points import main; main(int(sys.argv[1]))"


def test_a_verb_that_is_killed_is_done_or_not_begun(tmp_path: Path) -> None:
    environment = os.environ | {
        "DATA_DIR": str(tmp_path),
        "FORGE_ENV_FILE": "",
        "EMBEDDING_PROVIDER": "none",
        "DJANGO_SETTINGS_MODULE": "forgesite.settings",
    }
    command = [sys.executable, "-c", RUN, str(POINTS)]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    lines = [line.rsplit(maxsplit=3) for line in done.stdout.splitlines()]
    assert len(lines) == VERBS
    assert all(int(killed) >= min(POINTS, int(count)) - 1 for _verb, count, killed, _there in lines)
