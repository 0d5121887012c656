"""Pytest's plugin of this project: a data folder of its own before Django reads its settings, and shared fixtures."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from forgesite.config import ALIASES, Config
from forgesite.testing_server import LiveForge

if TYPE_CHECKING:
    from forgesite.models import Account

# An owner's own settings change no test.
for _name in (*Config.model_fields, *ALIASES, "DJANGO_SETTINGS_MODULE"):
    os.environ.pop(_name, None)
FOLDER = tempfile.mkdtemp(prefix="forge-test-")
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
# `builtin`: a model server that happens to run on this machine answers no test.
os.environ |= {"DATA_DIR": FOLDER, "FORGE_ENV_FILE": "", "LLM_PROVIDER": "builtin"}

#: Examples a property runs over: small in the test command, many in `python -m bench.full`.
EXAMPLES = int(os.environ.get("FORGE_TEST_EXAMPLES", "200"))
# The test command draws the same examples for everybody, so that what it says can be repeated; more are drawn anew.
settings.register_profile(
    "forge", max_examples=EXAMPLES, deadline=None, print_blob=True, database=None, derandomize=EXAMPLES <= 200
)
settings.load_profile("forge")


@pytest.fixture(scope="session", autouse=True)
def _quick_passwords() -> Iterator[None]:
    """The strong hash takes 0.2 s a password, and every account of a test has one."""
    from django.test import override_settings

    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """After a test that commits Django empties its tables, and triggers log that as they do any change from outside."""
    yield
    if nextitem and _commits(item):  # after the last one the database is gone
        from django.db import connection
        from pytest_django.plugin import blocking_manager_key

        with item.config.stash[blocking_manager_key].unblock(), connection.cursor() as cursor:
            cursor.execute("DELETE FROM memory_change_log")


def _commits(item: pytest.Item) -> bool:
    from django.test import TestCase, TransactionTestCase

    marker = item.get_closest_marker("django_db")
    by_class = getattr(item, "cls", None)
    if isinstance(by_class, type) and issubclass(by_class, TransactionTestCase):
        return not issubclass(by_class, TestCase)
    return bool(marker and marker.kwargs.get("transaction")) or "transactional_db" in getattr(item, "fixturenames", ())


def pytest_sessionfinish() -> None:
    """Closes the event loop of forgesite/tests/web.py: at the interpreter's exit no thread can be started for it."""
    if web := sys.modules.get("forgesite.tests.web"):
        web.server.close()


@pytest.fixture
def ana(db: None) -> Account:
    """An account with no entries."""
    from forgesite.models import Account

    return Account.objects.create_user("ana", password="a long enough password")


@pytest.fixture
def ben(db: None) -> Account:
    """Another account: what is Ana's is nothing to him."""
    from forgesite.models import Account

    return Account.objects.create_user("ben", password="a long enough password")


@pytest.fixture(scope="session")
def forge() -> Iterator[LiveForge]:
    """One running Forge for the whole session: what a test leaves in it, the next one finds."""
    with LiveForge() as running:
        yield running
