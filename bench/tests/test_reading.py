"""Eight questions over 91 messages: is the answer in what a turn is given, and does an answer say it?"""

from __future__ import annotations

import json

import pytest
from django.conf import settings
from django.test import override_settings

from bench.reading import Given, accepted, measured, report
from bench.reading_cases import CASES, told
from forgesite.lib.model_doors import door
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel

BY_NAME = {case.name: case for case in CASES}
RIGHT = {
    "covered detail": "It is birch-7642.",
    "closed": "Yes, Mirko signed for it.",
    "condition": "The film has to be developed.",
    "never told": "I don't know.",
}


@pytest.mark.django_db
def test_more_is_in_what_is_recalled_than_in_the_last_messages(ana: Account) -> None:
    with override_settings(FORGE=settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "bundled"})):
        found = {name: [each.evidence() for each in given] for name, given in measured(ana, ["balanced"]).items()}

    assert len(told()) == 91
    assert [case.name for case, hit in zip(CASES, found["last 4 messages"], strict=True) if hit] == ["recent"]
    assert [case.name for case, hit in zip(CASES, found["balanced"], strict=True) if not hit] == ["other words"]


def test_an_answer_needs_one_term_of_every_group() -> None:
    case = BY_NAME["condition"]

    assert accepted(case, "The FILM has to be developed first.")
    assert not accepted(case, "The film.")
    assert accepted(BY_NAME["never told"], "I have no information about a hotel room.")
    assert Given(BY_NAME["corrected"], ("The looms are delivered to Riga.",)).stale()


def test_answers_are_counted_beside_the_evidence() -> None:
    given = [Given(case, ()) for case in CASES]
    with ScriptedModel() as model:
        for case in CASES:
            model.will_answer(RIGHT.get(case.name, "It is in the blue cupboard."))
        said = report({"none": given}, door("openai", model.url))

    [found] = said["strategies"]
    assert (found["evidence_hits"], found["answer_hits"], found["abstentions"]) == (0, 3, 1)
    assert json.loads(json.dumps(said)) == said
