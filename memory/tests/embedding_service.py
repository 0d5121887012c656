"""An embedding server that can go and come back, for the tests of what happens meanwhile."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import pytest
from django.db import connection

from forgesite.testing_embedders import ScriptedEmbedder
from forgesite.testing_server import free_port, until
from memory import embedding
from memory.regime import outage

BICYCLE, LADDER = "The bicycle stands in the cellar", "The ladder hangs in the shed"
#: How it goes: not listening at all, silent, broken off in its answer, or answering 500.
every_way = pytest.mark.parametrize("how", ["refuse", "hang", "drop", "fail"])


class Service:
    """An embedding server that can go: not listening at all, silent, broken off in its answer, or answering 500."""

    def __init__(self) -> None:
        self.listening = ExitStack()
        self.server = self.listening.enter_context(ScriptedEmbedder(port=free_port()))

    def goes(self, how: str) -> None:
        if how == "refuse":
            self.listening.close()
        else:
            self.server.mode = how

    def comes_back(self, dim: int = 8) -> None:
        if self.server.mode:
            self.server.mode = ""
        else:
            self.server = self.listening.enter_context(ScriptedEmbedder(port=self.server.port, dim=dim))


def a_while_later() -> None:
    """As if the time until the next try had passed."""
    with connection.cursor() as cursor:
        cursor.execute("UPDATE memory_vec_pending SET retry_at = 0")


def outage_of_the_day() -> outage.Down:
    door = embedding.served()
    assert door is not None
    known = outage.down(door)
    assert known is not None
    return known


def until_it_may_ask() -> None:
    door = embedding.served()
    assert door is not None
    until(lambda: outage.paused(door) is None, 10)


def served_door() -> Any:
    return embedding.served()
