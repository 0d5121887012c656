"""A loop that stands still is told of in the log, and one that is busy is not."""

from __future__ import annotations

import logging

import pytest
from twisted.internet.task import Clock

from forgesite.loop_watch import watch


def test_a_beat_that_comes_late_is_logged_with_its_lateness(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    watch(clock)
    with caplog.at_level(logging.WARNING):
        clock.pump([0.1, 0.1, 0.45, 0.1])

    assert [record.getMessage() for record in caplog.records] == ["the event loop stood still ms=350"]


def test_beats_in_time_say_nothing(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    watch(clock)
    with caplog.at_level(logging.WARNING):
        clock.pump([0.1, 0.25, 0.1, 0.29])

    assert caplog.records == []
