"""What `/health` says, to anybody."""

from __future__ import annotations

import subprocess
import sys

import pytest
from django.core.cache import cache
from pytest_django import Settings

from forgesite import __version__, worker_lock
from forgesite.config import ROOT
from forgesite.models import Account
from forgesite.tests.web import nobody
from memory.remember import Draft, remember

pytestmark = pytest.mark.django_db(transaction=True)
HOLDING = """
import django
django.setup()
from forgesite import worker_lock
worker_lock.hold()
print("held", flush=True)
input()
"""


@pytest.fixture(autouse=True)
def _asked_afresh() -> None:
    cache.clear()


def test_health_counts_entries_and_names_nobody(ana: Account) -> None:
    remember(ana, Draft("The spare key hangs in the cellar"), actor="person", cause="test")

    answer = nobody().ask("GET", "/health")

    told = answer.json()
    assert (told["version"], told["store"]["entries"], told["store"]["pending"]) == (__version__, 1, 0)
    assert (told["store"]["vector"], told["store"]["words"]) == (True, True)
    assert told["embedding"]["dim"] == 512
    assert told["embedding"]["cutoff"].endswith(told["embedding"]["regime"])
    assert "ana" not in answer.text
    assert "cellar" not in answer.text


def test_without_an_embedder_health_says_so(settings: Settings) -> None:
    settings.FORGE = settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "none"})

    told = nobody().ask("GET", "/health").json()

    assert (told["embedding"]["ready"], told["embedding"]["cutoff"]) == (False, None)
    assert told["store"]["words"] is True
    assert isinstance(told["store"]["vector"], str)


def test_the_worker_lives_exactly_as_long_as_its_process(settings: Settings) -> None:
    assert not worker_lock.alive()
    child = subprocess.Popen(
        [sys.executable, "-c", HOLDING],
        cwd=ROOT,
        env={"DATA_DIR": str(settings.DATA_DIR), "FORGE_ENV_FILE": "", "DJANGO_SETTINGS_MODULE": "forgesite.settings"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with child:
        assert child.stdout
        assert child.stdout.readline() == b"held\n"
        assert nobody().ask("GET", "/health").json()["worker"] == {"alive": True}
        child.kill()
    assert nobody().ask("GET", "/health").json()["worker"] == {"alive": False}
