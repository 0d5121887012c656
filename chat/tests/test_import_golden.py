"""An import says which golden questions find less after it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pytest_django import Settings

from chat.importing import bring_in, preview
from chat.intake.api import report_out
from chat.intake.wording import counted
from forgesite.models import Account
from memory.golden import star
from memory.remember import Draft, remember

pytestmark = pytest.mark.django_db
QUESTION = "Which port does the test server use?"


def talk(number: int) -> dict[str, object]:
    """One conversation of an Open WebUI export, full of the question's own words."""
    said = f"test server port {number}, port of the test server {number}"
    one = {"id": "1", "parentId": None, "childrenIds": ["2"], "role": "user", "content": said}
    other = {"id": "2", "parentId": "1", "role": "assistant", "content": f"The test server uses its port {number}."}
    return {
        "id": f"t{number}",
        "title": "Port",
        "chat": {"title": "Port", "history": {"currentId": "2", "messages": {"1": one, "2": other}}},
    }


def test_the_report_names_those_that_find_less_and_a_preview_asks_none(
    ana: Account, tmp_path: Path, settings: Settings
) -> None:
    settings.FORGE = settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "none"})
    for number in range(14):
        remember(
            ana, Draft(f"{'abcdefghijklmn'[number] * 5} {'nmlkjihgfedcba'[number] * 7}"), actor="person", cause="test"
        )
    port = remember(ana, Draft("the port of the test server is 8080"), actor="person", cause="test").entry
    star(ana, QUESTION, [port.pk])
    export = tmp_path / "export.json"
    export.write_text(json.dumps([talk(number) for number in range(12)]))
    assert preview(ana, [export]).golden is None
    report = bring_in(ana, [export])
    assert report.golden
    assert [change.lost for change in report.golden.worse] == [(port.pk,)]
    assert "1 golden question finds less than before: #" in counted(report)
    out = report_out(report).golden
    assert out
    assert [change.question for change in out.worse] == [QUESTION]
