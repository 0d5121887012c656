"""Killed before any statement of any verb, memory is as it was or as it was to be: nothing is half-written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from forgesite.config import ROOT

#: Kills of each verb: few in the test command, more in `python -m bench.full`.
ROUNDS = int(os.environ.get("FORGE_TEST_KILLS", "4"))


def test_a_verb_is_done_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    environment = os.environ | {
        "DATA_DIR": str(tmp_path),
        "FORGE_ENV_FILE": "",
        "EMBEDDING_PROVIDER": "none",
        "DJANGO_SETTINGS_MODULE": "forgesite.settings",
    }
    command = [sys.executable, "-m", "memory.tests.kill_points", str(ROUNDS)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=1800, check=False)

    assert done.returncode == 0, done.stderr[-4000:]
    kills = {name: int(count) for name, count in (line.rsplit(" ", 1) for line in done.stdout.splitlines())}
    assert len(kills) == 17
    assert min(kills.values()) >= 2
