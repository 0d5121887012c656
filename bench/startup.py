"""From a fresh clone to a served page, and a second start: seconds of wall time.

    python -m bench.startup [--python python3.12] [--installer uv|pip] [--runs 1]

`uv`: exactly what `manage.py up` does by itself. `pip`: the environment is made by pip as `manage.py up` makes it where
uv is not to be had. Caches are off in both. Prints the seconds of the first start and of a second one.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from forgesite import bootstrap
from forgesite.config import ROOT

NO_CACHES = {"UV_NO_CACHE": "1", "PIP_NO_CACHE_DIR": "1"}
PATIENCE = 600
PORT = 18321


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default=sys.executable, help="the Python to start with")
    parser.add_argument("--installer", choices=("uv", "pip"), default="uv")
    parser.add_argument("--runs", type=int, default=1)
    asked = parser.parse_args()
    for _ in range(asked.runs):
        with fresh_clone() as clone:
            began = time.monotonic()
            if asked.installer == "pip":
                _environment_by_pip(asked.python, clone)
            first = _served(asked.python, clone) - began
            again = time.monotonic()
            second = _served(asked.python, clone) - again
        print(f"{asked.installer}: fresh clone to served page {first:.1f} s, second start {second:.1f} s", flush=True)
    return 0


@contextmanager
def fresh_clone() -> Iterator[Path]:
    """The last commit in an empty folder; removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="forge-clone-") as folder:
        clone = Path(folder) / "forge"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        yield clone


def _environment_by_pip(python: str, clone: Path) -> None:
    home, lock = clone / ".venv", clone / bootstrap.LOCK
    environment = os.environ | NO_CACHES
    subprocess.run([python, "-m", "venv", str(home)], check=True)
    pip = [str(bootstrap.python_of(home)), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *bootstrap.WHEELS_ONLY, "-r", str(lock)], check=True, env=environment)
    stamp = "from pathlib import Path; from forgesite import bootstrap as b; lock = Path(b.LOCK); "
    stamp += "(Path('.venv') / lock.name).write_text(b.stamp_of(lock))"
    subprocess.run([python, "-c", stamp], cwd=clone, check=True)


def _served(python: str, clone: Path) -> float:
    """The moment at which the page answers; Forge is stopped again."""
    command = [shutil.which(python) or python, "manage.py", "up", "--port", str(PORT)]
    settings = os.environ | NO_CACHES | {"DATA_DIR": "data"}
    nowhere = subprocess.DEVNULL
    running = subprocess.Popen(command, cwd=clone, env=settings, stdin=nowhere, stdout=nowhere, stderr=nowhere)
    try:
        return _answered(running)
    finally:
        running.terminate()
        running.wait(30)


def _answered(running: subprocess.Popen[bytes]) -> float:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and running.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/signin/", timeout=5) as page:
                page.read()
                return time.monotonic()
        except OSError:
            time.sleep(0.05)
    sys.exit(f"Forge did not serve a page within {PATIENCE} s (exit status {running.poll()}).")


if __name__ == "__main__":
    sys.exit(main())
