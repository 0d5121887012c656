"""The whole pass over answers as a server gives them: what is proposed, what is only kept, and what is stored.

Some of the answers were written by hand and some by real models: each file of `data/` says which.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from forgesite.models import Account
from forgesite.testing_models import ScriptedModel
from memory.models import Entry
from retention import forgetting_pass
from retention.domain.asking import FORM
from retention.models import Measured, Proposal
from retention.tests.entries import said
from retention.tests.judging import calls

pytestmark = pytest.mark.django_db
DATA = Path(__file__).parent / "data"
RECORDED = ("judge_weighed", "judge_counted", "judge_smollm2", "judge_gemma3")


def recorded(name: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return told


def stored_entries(owner: Account, record: dict[str, Any]) -> dict[str, list[Entry]]:
    """Each item in a project of its own, so that nothing else is beside it. Older ones come first."""
    found: dict[str, list[Entry]] = {}
    for row in record["entries"]:
        entry = said(owner, row["text"], days=row["days"], kind=row["kind"], project=row["item"])
        found.setdefault(row["item"], []).append(entry)
    return found


def will_replay(model: ScriptedModel, record: dict[str, Any]) -> None:
    for events in record["answers"]:
        model.will_send([*(f"data: {json.dumps(event)}\n\n".encode() for event in events), b"data: [DONE]\n\n"])


def asked(model: ScriptedModel) -> dict[str, str]:
    """By item, the name that it had in the first question."""
    told = calls(model)[0].json["messages"][1]["content"]
    items = json.loads(told.split("\n", 1)[1].split("\n```")[0])["items"]
    return {(item.get("memory") or item["older"])["project"]: item["ref"] for item in items}


def as_stored(proposal: Proposal) -> dict[str, Any]:
    """A newer entry's number is not in it: it is another one each time."""
    shares = {re.sub(r":\d+$", "", option): share for option, share in proposal.probabilities.items()}
    return {"action": proposal.action, "status": proposal.status, "probabilities": pytest.approx(shares, abs=2e-4)}


@pytest.mark.parametrize("name", RECORDED)
def test_a_recorded_answer_becomes_what_is_proposed_and_what_is_kept(
    willing: Account, model: ScriptedModel, name: str
) -> None:
    record = recorded(name)
    entries = stored_entries(willing, record)
    judge = f"{record['judge']}@{FORM}"
    Measured.objects.create(owner=willing, judge=judge, thresholds=record["thresholds"])
    will_replay(model, record)

    done = forgetting_pass.run(willing)

    assert (done.trouble, done.judge, len(calls(model))) == ([], judge, len(record["answers"]))
    assert asked(model) == record["asked"]
    rows = {proposal.memory.project: proposal for proposal in Proposal.objects.select_related("memory", "related")}  # type: ignore[union-attr]
    assert record["stored"] == {item: as_stored(row) for item, row in rows.items()}
    assert all(row.memory == entries[item][0] for item, row in rows.items())
    replaced = {item: row.related for item, row in rows.items() if row.action in ("supersede", "conflict")}
    assert replaced == {item: entries[item][1] for item in replaced}


@pytest.mark.parametrize("name", RECORDED)
def test_the_same_answers_of_a_judge_that_nobody_measured_propose_nothing(
    willing: Account, model: ScriptedModel, name: str
) -> None:
    record = recorded(name)
    stored_entries(willing, record)
    will_replay(model, record)

    done = forgetting_pass.run(willing)

    assert (done.judged, done.proposed) == (len(record["asked"]), 0)
    assert {row.status for row in Proposal.objects.all()} == {"dismissed"}
