import json
from pathlib import Path

import pytest
from django.conf import settings
from django.test import override_settings

from forgesite.errors import UnknownError
from forgesite.models import Account
from traces.jsonl import append, file_of, rewrite
from traces.models import Run
from traces.recorder import Recorder
from traces.records import newest, record, run_of


def recorder(owner: Account, run_id: str = "abc123") -> Recorder:
    return Recorder(owner, run_id=run_id, conversation="c1", text="Which port does the test server use?")


def test_a_run_is_saved_with_its_steps_in_order(ana: Account) -> None:
    kept = recorder(ana)
    with kept.step("recall", "Which port") as step:
        step.detail = {"entries": []}
    with kept.step("remember"):
        pass
    kept.finish(ok=True, not_answered="no memory")

    shape = record(run_of(ana, "abc123"))
    assert [step["tool"] for step in shape["steps"]] == ["recall", "remember"]
    assert (shape["final_tool"], shape["ok"], shape["not_answered"], shape["llm"]) == (
        "remember",
        True,
        "no memory",
        None,
    )


def test_a_step_that_raises_is_marked_failed(ana: Account) -> None:
    kept = recorder(ana)
    with pytest.raises(ValueError, match="gone"), kept.step("recall"):
        raise ValueError("gone")
    assert (kept.steps[0].ok, kept.steps[0].error) == (False, "gone")


def test_the_same_record_is_one_json_line_in_the_owners_folder(ana: Account) -> None:
    recorder(ana).finish(ok=True)
    line = json.loads(file_of(ana).read_text().splitlines()[-1])
    assert line == record(run_of(ana, "abc123")) | {"owner": ana.pk}


def test_a_trace_that_cannot_be_written_breaks_nothing(ana: Account, caplog: pytest.LogCaptureFixture) -> None:
    with override_settings(FORGE=settings.FORGE.model_copy(update={"TRACE_FILE": "/proc/no/such/folder.jsonl"})):
        recorder(ana).finish(ok=True)
    assert "trace not written run=abc123" in caplog.text


def test_without_traces_nothing_is_written(ana: Account) -> None:
    with override_settings(FORGE=settings.FORGE.model_copy(update={"TRACE_ENABLED": False})):
        recorder(ana).finish(ok=True)
    assert not Run.objects.exists()


def test_the_last_runs_come_oldest_first(ana: Account) -> None:
    for number in range(3):
        recorder(ana, f"run{number}").finish(ok=True)
    assert [run.run_id for run in newest(ana, 2)] == ["run1", "run2"]


def test_somebody_elses_run_is_unknown(ana: Account, ben: Account) -> None:
    recorder(ana).finish(ok=True)
    with pytest.raises(UnknownError):
        run_of(ben, "abc123")
    assert newest(ben, 5) == []


def test_a_rewrite_changes_lines_and_keeps_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    append(path, "one")
    append(path, "zwei")
    assert rewrite(path, lambda line: line.replace("one", "1")) == 1
    append(path, "three")
    assert path.read_text() == "1\nzwei\nthree\n"


def test_a_file_of_traces_is_read_by_its_owner_alone(tmp_path: Path) -> None:
    append(tmp_path / "traces.jsonl", "one")
    assert (tmp_path / "traces.jsonl").stat().st_mode & 0o777 == 0o600
