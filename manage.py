#!/usr/bin/env python3
"""Forge's commands. Until the environment exists this file uses nothing but the standard library."""

import sys

if not (3, 11) <= sys.version_info[:2] < (3, 14):
    sys.exit(
        f"Forge needs Python 3.11, 3.12 or 3.13; this is {sys.version_info[0]}.{sys.version_info[1]} "
        f"({sys.executable}). Run it with another one: python3.12 manage.py {' '.join(sys.argv[1:])}"
    )

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent


def main() -> None:
    command, arguments = sys.argv[1:2], sys.argv[2:]
    from forgesite import bootstrap, suite

    python = bootstrap.environment(ROOT, testing=command == ["test"])
    bootstrap.keep_bytecode(ROOT, os.environ)
    if command == ["test"]:
        os.chdir(ROOT)
        os.execv(python, [python, "-m", "pytest", *suite.pytest_arguments(arguments)])
    if command == ["up"]:  # without Django: what keeps the others running should be small, and there at once
        os.execv(python, [python, "-P", str(ROOT / "forgesite" / "supervisor.py"), *arguments])
    if not bootstrap.inside(ROOT):
        os.execv(python, [python, str(ROOT / "manage.py"), *sys.argv[1:]])
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "forgesite.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
