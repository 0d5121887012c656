"""The API's door to the pass and to what it proposes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from forgesite.models import Account
from forgesite.tests.web import by_token
from retention.domain.rules import NAME
from retention.models import Pass, Proposal
from retention.tests.entries import changed, over

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_pass_runs_and_its_proposals_are_decided_once(on: None, ana: Account) -> None:
    old, new = changed(ana)
    web = by_token(ana)

    dry = web.ask("POST", "/retention/run", {}).json()
    assert {name: dry[name] for name in ("candidates", "judged", "proposed", "dismissed")} == {
        "candidates": 1,
        "judged": 1,
        "proposed": 1,
        "dismissed": 0,
    }
    assert not Pass.objects.exists()
    done = web.ask("POST", "/retention/run", {"dry_run": False}).json()
    assert (done["proposed"], done["judge"]) == (1, NAME)

    [row] = web.ask("GET", "/proposals").json()
    assert (row["action"], row["status"], row["used_by_runs"], row["decided_at"]) == ("supersede", "proposed", 0, None)
    assert (row["memory"]["id"], row["related"]["content"]) == (old.pk, new.text)
    assert row["probability"] == row["probabilities"]["supersede_older"]
    accepted = web.ask("POST", f"/proposals/{row['id']}/accept").json()
    assert (accepted["status"], accepted["memory"]["superseded_by"]) == ("applied", new.pk)
    for act in ("accept", "reject"):
        again = web.ask("POST", f"/proposals/{row['id']}/{act}", {})
        assert (again.status_code, again.json()["error"]["code"]) == (409, "already_decided")
    assert web.ask("GET", "/proposals").json() == []
    assert len(web.ask("GET", "/proposals?status=applied").json()) == 1


def test_a_resolution_that_is_none_and_a_limit_past_the_most_are_refused(on: None, ana: Account) -> None:
    over(ana)
    web = by_token(ana)
    web.ask("POST", "/retention/run", {"dry_run": False})
    pk = Proposal.objects.get().pk

    asked: list[tuple[str, str, Any]] = [
        ("POST", f"/proposals/{pk}/accept", {"resolution": "burn"}),
        ("POST", f"/proposals/{pk}/accept", {"resolution": "keep_both"}),
        ("GET", "/proposals?limit=101", None),
        ("GET", "/proposals?status=lost", None),
    ]

    assert [web.ask(*each).status_code for each in asked] == [422] * 4
    assert web.ask("POST", f"/proposals/{10**30}/reject").status_code == 404
    assert Proposal.objects.get().status == "proposed"


def test_a_no_may_say_that_both_are_true(on: None, ana: Account, ben: Account) -> None:
    changed(ana)
    web = by_token(ana)
    web.ask("POST", "/retention/run", {"dry_run": False})
    act = f"/proposals/{Proposal.objects.get().pk}/reject"

    assert by_token(ben).ask("POST", act, {}).status_code == 404
    assert web.ask("POST", act, {"resolution": "archive_older"}).status_code == 422
    done = web.ask("POST", act, {"resolution": "keep_both"}).json()

    assert (done["status"], done["resolution"]) == ("rejected", "keep_both")


def test_what_moved_since_is_refused_with_a_code_of_its_own(on: None, ana: Account) -> None:
    old, new = changed(ana)
    web = by_token(ana)
    web.ask("POST", "/retention/run", {"dry_run": False})
    act = f"/proposals/{Proposal.objects.get().pk}/accept"
    codes = []
    for entry, change in (
        (new, {"content": "The wifi password is now heron-86"}),
        (new, {"kind": "event"}),
        (old, {"status": "archived"}),
    ):
        version = web.ask("GET", f"/memory/{entry.pk}").json()["version"]
        assert web.ask("PATCH", f"/memory/{entry.pk}", {**change, "version": version}).status_code == 200
        answer = web.ask("POST", act)
        codes.append((answer.status_code, answer.json()["error"]["code"]))

    assert codes == [(409, "stale_version"), (409, "event"), (409, "not_live")]
    assert Proposal.objects.get().status == "proposed"


def test_off_it_is_refused_as_disabled(ana: Account) -> None:
    with override_settings(FORGE=settings.FORGE.model_copy(update={"FORGETTING_PASS_ENABLED": False})):
        for body in ({}, {"dry_run": False}):
            answer = by_token(ana).ask("POST", "/retention/run", body)
            assert (answer.status_code, answer.json()["error"]["code"]) == (409, "disabled")


def test_what_waits_is_counted_and_what_is_decided_no_more(on: None, ana: Account, ben: Account) -> None:
    over(ana), changed(ana)
    web = by_token(ana)
    web.ask("POST", "/retention/run", {"dry_run": False})

    assert web.ask("GET", "/proposals/waiting").json() == {"count": 2}
    web.ask("POST", f"/proposals/{Proposal.objects.first().pk}/reject")  # type: ignore[union-attr]
    assert web.ask("GET", "/proposals/waiting").json() == {"count": 1}
    assert by_token(ben).ask("GET", "/proposals/waiting").json() == {"count": 0}


def test_what_was_proposed_is_exported_with_its_entries_by_their_ids_and_nobody_elses(
    on: None, ana: Account, ben: Account
) -> None:
    old, new = changed(ana)
    over(ben)
    for owner in (ana, ben):
        by_token(owner).ask("POST", "/retention/run", {"dry_run": False})

    every = [json.loads(line) for line in by_token(ana).ask("GET", "/export").text.splitlines()]

    [line] = [line for line in every if line["type"] == "proposal"]
    assert (line["action"], line["status"], line["memory"], line["related"]) == (
        "supersede",
        "proposed",
        old.pk,
        new.pk,
    )
    assert sum(line["probabilities"].values()) == pytest.approx(1, abs=0.001)
