"""Everything that one owns, on lines that prove themselves: with nothing else at hand, every address is made anew."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.utils import timezone

from forgesite.models import Account
from forgesite.tests.web import by_token
from memory.domain.chain import canonical, sha256, words_digest
from memory.domain.receipt import Prompt, prefix_digest, salted
from memory.forget import forget
from memory.given.gathered import Found, Gathered
from memory.recall import Query, recall
from memory.receipts import seal
from memory.remember import Draft, remember
from traces.models import Run

WHO: dict[str, Any] = {"actor": "person", "cause": "test"}
Line = dict[str, Any]
pytestmark = pytest.mark.django_db(transaction=True)


def asked(owner: Account, question: str, run_id: str) -> str:
    """A run that asked memory once, with its receipt; the receipt's address."""
    begun = prefix_digest([("system", "You are Forge.")])
    gathered = Gathered([Found("recall", recall(owner, Query(question, for_prompt=True)))])
    address = seal(owner, gathered, run_id=run_id, prompt=Prompt(begun, 1, {"turn": 3}))
    Run.objects.create(owner=owner, run_id=run_id, started_at=timezone.now(), ok=True, total_ms=3, receipt=address)
    return address


def exported(owner: Account) -> tuple[str, dict[str, list[Line]]]:
    """The text, and its lines by their type."""
    text = by_token(owner).ask("GET", "/export").text
    found: dict[str, list[Line]] = {}
    for line in map(json.loads, text.splitlines()):
        found.setdefault(line.pop("type"), []).append(line)
    return text, found


def test_the_lines_of_proof_hash_to_their_addresses_and_name_each_other(ana: Account) -> None:
    entry = remember(ana, Draft("The test server runs on port 8080", project="shed"), **WHO).entry
    boat = remember(ana, Draft("The boat is called Bluebell"), **WHO).entry
    asked(ana, "Which port does the test server use?", "first")
    forget(ana, [boat.pk], **WHO)
    address = asked(ana, "And the printer?", "second")

    _text, lines = exported(ana)

    parent = ""
    for line in lines["commit"]:
        assert sha256(canonical({key: line[key] for key in line if key != "address"})) == line["address"]
        assert line["parent"] == parent
        parent = line["address"]
    parent = ""
    for line in lines["receipt"]:
        assert sha256(canonical(line["body"])) == line["address"]
        assert (line["body"].get("parent", ""), line["intact"]) == (parent, True)
        assert line["head"] == lines["commit"][line["tick"] - 1]["address"]
        parent = line["address"]
    [told] = lines["entry"]
    assert told["digest"] == words_digest(told["salt"], told["content"], "shed", told["key"], told["event_words"])
    [given] = [row for row in lines["receipt"][0]["body"]["recalls"][0]["given"] if row["id"] == entry.pk]
    assert given["digest"] == told["digest"]
    assert [(run["run_id"], run["receipt"]) for run in lines["run"]] == [
        ("first", lines["receipt"][0]["address"]),
        ("second", address),
    ]
    [certificate] = lines["certificate"]
    assert sha256(canonical(certificate["report"])) == certificate["address"]


def test_a_question_is_proved_by_its_salt_and_what_is_erased_stays_so(ana: Account, ben: Account) -> None:
    boat = remember(ana, Draft("The boat is called Bluebell"), **WHO).entry
    asked(ana, "The boat is called Bluebell, or not?", "first")
    asked(ben, "Which canary does zanzibar sing to?", "bens")
    text, lines = exported(ana)
    [before] = lines["receipt"]
    question = before["questions"][0]["text"]
    assert salted(before["salt"], question) == before["body"]["recalls"][0]["question"]
    prompt = before["body"]["prompt"]
    assert salted(before["prefix_salt"], prefix_digest([("system", "You are Forge.")])) == prompt["prefix"]
    assert "zanzibar" not in text
    assert "bens" not in text

    forget(ana, [boat.pk], **WHO)

    text, lines = exported(ana)
    [after] = lines["receipt"]
    assert (after["questions"], after["salt"], after["prefix_salt"]) == ([], "", "")
    assert (after["body"], after["address"]) == (before["body"], before["address"])
    assert "Bluebell" not in text
