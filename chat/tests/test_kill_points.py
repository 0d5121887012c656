"""Killed before any statement, a compaction, a cap or an expiry is wholly there or wholly not, and then run again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

#: Points of each act: few in the test command, many in `python -m bench.full`.
POINTS = int(os.environ.get("FORGE_TEST_KILLS", "5"))
RUN = "import sys, django; django.setup(); from chat.tests.kill_points import main; main(int(sys.argv[1]))"


def test_an_act_that_is_killed_is_done_or_not_begun_and_ends_when_run_again(tmp_path: Path) -> None:
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
    assert [name for name, *_counts in lines] == ["compact:", "cap:", "expire:"]
    assert all(int(killed) >= min(POINTS, int(count)) - 1 for _act, count, killed, _there in lines)
