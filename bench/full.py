"""The suite at full counts: 2,000 examples a property instead of 200, and the longer soaks.

    python -m bench.full [--examples 2000] [--seconds 30] [PATH …]

Prints pytest's own output; exits as it exits.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

PROPERTIES = ["memory", "chat", "traces", "forgesite"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=int, default=2000, help="examples a property")
    parser.add_argument("--seconds", type=int, default=30, help="length of a soak")
    parser.add_argument("paths", nargs="*", default=PROPERTIES)
    asked = parser.parse_args()
    counts = {"FORGE_TEST_EXAMPLES": str(asked.examples), "FORGE_TEST_SOAK_SECONDS": str(asked.seconds)}
    command = [sys.executable, "-m", "pytest", "-q", "--durations=15", *asked.paths]
    return subprocess.run(command, env={**os.environ, **counts}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
