import json
from pathlib import Path

import pytest
from pytest_django import Settings

from forgesite.lib.masking import gone
from forgesite.models import Account
from traces.erase import leave, plan
from traces.jsonl import file_of
from traces.models import Step
from traces.recorder import Recorder
from traces.records import record, run_of

PORT = "the test server runs on port 8080"


def run(owner: Account, run_id: str, text: str) -> None:
    kept = Recorder(owner, run_id=run_id, conversation="c1", text=f"Remember that {text}")
    with kept.step("recall", text) as step:
        step.detail = {"entries": [{"id": 312, "preview": text}]}
        step.fail(f"could not save {text}")
    kept.finish(ok=False, error={"code": "embedding", "message": f"{text} was not stored"})


@pytest.mark.parametrize(
    "text", [PORT, "été à Nîmes chez Zoé", "“quoted” text here", "東京 に 住んでいます", "🎉 party at noon"]
)
def test_a_forgotten_text_leaves_the_table_and_the_lines(ana: Account, text: str) -> None:
    run(ana, "r1", text)
    going = plan(ana, gone([(312, text)]))
    assert text in str(record(run_of(ana, "r1")))
    going.write()
    assert going.removed == {"trace_rows": 2, "trace_lines": 1}
    lines = file_of(ana).read_text()
    assert text not in str(record(run_of(ana, "r1")))
    assert "[forgotten #312]" in record(run_of(ana, "r1"))["user_input_preview"]
    assert text not in lines
    assert json.loads(lines.splitlines()[-1]) == record(run_of(ana, "r1")) | {"owner": ana.pk}


def test_other_runs_and_other_people_keep_theirs(ana: Account, ben: Account) -> None:
    run(ana, "r1", "the test server is in the cellar")
    run(ben, "r2", PORT)
    plan(ana, gone([(312, PORT)])).write()
    assert PORT in str(record(run_of(ben, "r2")))
    assert PORT in file_of(ben).read_text()
    assert Step.objects.get(run__run_id="r1").preview == "the test server is in the cellar"


def test_whoever_leaves_takes_their_lines_out_of_a_file_that_is_shared(
    ana: Account, ben: Account, tmp_path: Path, settings: Settings
) -> None:
    settings.FORGE = settings.FORGE.model_copy(update={"TRACE_FILE": str(tmp_path / "traces.jsonl")})
    run(ana, "r1", PORT)
    run(ben, "r2", PORT)
    leave(ana)
    assert [json.loads(line)["owner"] for line in file_of(ben).read_text().splitlines()] == [ben.pk]
