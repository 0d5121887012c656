"""A Forge of its own for a bench: a folder that goes at the end, a database, accounts."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def place(**settings: str) -> Iterator[None]:
    """Django set up over an empty database, with these settings of Forge. Import models inside the block only."""
    with tempfile.TemporaryDirectory(prefix="forge-bench-") as folder:
        os.environ.update({"DATA_DIR": folder, "FORGE_ENV_FILE": "", **settings})
        os.environ["DJANGO_SETTINGS_MODULE"] = "forgesite.settings"
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        yield
