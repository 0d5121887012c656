"""The suite at full counts: 2,000 examples a property instead of 200, 40 kills instead of 5, longer soaks.

    python -m bench.full [--examples 2000] [--kills 40] [--writes 300] [PATH …]

Prints pytest's own output; exits as it exits.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from forgesite.suite import pytest_arguments


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=int, default=2000, help="examples a property")
    parser.add_argument("--kills", type=int, default=40, help="rounds of kill -9, and at how many points each verb is")
    parser.add_argument("--writes", type=int, default=300, help="entries that each of three writers makes at once")
    parser.add_argument("paths", nargs="*")
    asked = parser.parse_args()
    counts = {"EXAMPLES": asked.examples, "KILLS": asked.kills, "WRITES": asked.writes}
    environment = {**os.environ, **{f"FORGE_TEST_{name}": str(count) for name, count in counts.items()}}
    command = [sys.executable, "-m", "pytest", *pytest_arguments(["-q", "--durations=15", *asked.paths])]
    return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
