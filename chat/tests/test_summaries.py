"""Strategies that leave a summary: by the model, else by extracts that say so; it is no memory and stays bounded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from chat.domain.pointer import is_pointer, is_summary, summarised, summary
from chat.domain.summary import MOST, asked, extracts, kept
from chat.domain.transcript import Message as Said
from chat.domain.transcript import blocks
from chat.history import create_conversation, window
from chat.leaving.compaction import compact
from chat.leaving.summarising import Summary, summarise
from chat.models import Message
from chat.tests.conftest import answered_by
from chat.tests.talks import talk_of
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel
from memory.forget import forget
from memory.models import Entry
from memory.remember import Draft, remember

NOTES = "The plants stand in rooms 0 to 2, and each room is green."


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as server, answered_by(server, **small("llm_summary")):
        yield server


def small(strategy: str) -> dict[str, Any]:
    return {"COMPACTION_THRESHOLD": 8, "COMPACTION_KEEP_RECENT": 4, "COMPACTION_STRATEGY": strategy}


def standing() -> list[str]:
    return list(Message.objects.filter(place__isnull=False).order_by("id").values_list("content", flat=True))


def test_the_models_summary_stands_for_the_messages(ana: Account, model: ScriptedModel) -> None:
    model.will_answer(f"<think>Let me see.</think>{NOTES}")
    done = compact(ana, talk_of(ana, 5).pk)

    assert standing() == [f"[summary of 6 earlier messages] {NOTES}"]
    assert done.pointer == standing()[0]
    assert Entry.objects.count() == 3
    assert not Entry.objects.filter(text__contains="rooms 0 to 2").exists()


def test_the_transcript_is_data_and_the_earlier_summary_is_taken_over(ana: Account, model: ScriptedModel) -> None:
    talk = talk_of(ana, 5)
    model.will_answer(NOTES)
    compact(ana, talk.pk)
    talk_of(ana, 5, first=5, conversation=talk.pk)
    model.will_answer("Rooms 0 to 7 are green.")
    compact(ana, talk.pk)

    asked_now = model.prompts[-1][-1]["content"]
    assert NOTES in asked_now
    assert "| My plant number 5 stands in room 5." in asked_now
    assert asked_now.startswith("<memory ")
    assert standing() == [
        "[6 messages compacted: summarised further down]",
        "[summary of 10 earlier messages] Rooms 0 to 7 are green.",
    ]


def test_both_leave_a_pointer_and_a_summary(ana: Account, model: ScriptedModel) -> None:
    model.will_answer(NOTES)
    with override_settings(FORGE=settings.FORGE.model_copy(update=small("both"))):
        compact(ana, talk_of(ana, 5).pk)

    first, second = standing()
    assert is_pointer(first)
    assert is_summary(second)


@pytest.mark.parametrize("trouble", ["fail", "empty", "thinking"])
def test_a_model_that_fails_leaves_extracts_that_say_so(ana: Account, model: ScriptedModel, trouble: str) -> None:
    if trouble == "fail":
        model.will_fail(500, {"error": {"message": "out of order"}})
    else:
        model.will_answer({"empty": " ", "thinking": "<think>I wonder"}[trouble])
    compact(ana, talk_of(ana, 5).pk)

    [text] = standing()
    assert text.startswith("[summary of 6 earlier messages, extracts only: no model wrote one] - [user] My plant")
    assert Entry.objects.count() == 3


def test_a_model_has_its_time_and_no_more(ana: Account, model: ScriptedModel) -> None:
    model.will_hang()
    made = summarise(create_conversation(ana), [Said("user", "The server runs on port 8080.")], "", longest=0.3)

    assert made == Summary("- [user] The server runs on port 8080.", extracts=True)
    assert len(model.prompts) == 1


def test_without_a_model_it_is_extracts_in_the_owners_language(ana: Account) -> None:
    ana.language = "fr"
    ana.save()
    with override_settings(FORGE=settings.FORGE.model_copy(update=small("llm_summary"))):
        compact(ana, talk_of(ana, 5).pk)

    assert standing()[0].startswith("[résumé de 6 messages antérieurs, simples extraits : aucun modèle ne l’a rédigé] ")


def test_nothing_indexable_leaves_a_pointer_and_asks_no_model(ana: Account, model: ScriptedModel) -> None:
    compact(ana, talk_of(ana, 5, indexable=False).pk)

    assert standing() == ["[6 messages compacted: nothing indexable, no entry created]"]
    assert model.prompts == []


def test_what_is_forgotten_leaves_the_summary_too(ana: Account, model: ScriptedModel) -> None:
    entry = remember(ana, Draft("The key of the shed hangs in the well"), actor="person", cause="test").entry
    model.will_answer("Decided: The key of the shed hangs in the well. Room 2 is green.")
    talk = talk_of(ana, 5)
    compact(ana, talk.pk)

    forget(ana, [entry.pk], actor="person", cause="test")

    assert standing() == [f"[summary of 6 earlier messages] Decided: [forgotten #{entry.pk}]. Room 2 is green."]
    assert is_summary(standing()[0])
    assert window(ana, talk.pk).pointers[0].content == standing()[0]


def test_what_was_forgotten_is_not_summarised_from_the_message_it_came_from(ana: Account, model: ScriptedModel) -> None:
    talk = talk_of(ana, 5)
    asked_in = Message.objects.order_by("id").first()
    assert asked_in
    draft = Draft("Plant 0 stands in room 0", origin="model", message=asked_in.pk)
    entry = remember(ana, draft, actor="model", cause="test").entry
    forget(ana, [entry.pk], actor="person", cause="test")

    compact(ana, talk.pk)

    assert "plant number 1" in model.prompts[-1][-1]["content"]
    assert "plant number 0" not in model.prompts[-1][-1]["content"]
    assert not Entry.objects.filter(text__contains="plant number 0").exists()


def test_a_summary_is_never_a_unit_and_what_a_person_pasted_is_theirs() -> None:
    text = summary(30, NOTES)

    assert blocks([Said("system", text), Said("assistant", text), Said("user", text)]) == [f"user: {text}"]
    assert not is_pointer(text)
    assert summarised(text) == (30, NOTES)
    assert summarised("[30 messages compacted: #1]") == (0, "")


def test_of_a_reply_the_words_alone_are_kept() -> None:
    wrapped = '{"tool": "chat", "content": "[summary of 3 earlier messages] The server runs on port 8080 since May."}'

    assert kept(wrapped) == "The server runs on port 8080 since May."
    assert kept("<memory 0123456789abcdef>\nA line.\n</memory 0123456789abcdef>") == "A line."
    assert len(kept("word " * 5000)) <= MOST


def test_extracts_stay_bounded_over_many_compactions() -> None:
    said = [Said("user", f"Message {number} " + "and so on " * 50) for number in range(60)]
    text = ""
    for _cycle in range(5):
        text = extracts(said, text)

    assert len(text) <= MOST
    assert "more …" in text
    assert "Message 59" in text


def test_a_prompt_stays_within_its_characters_and_counts_what_has_no_room() -> None:
    said = [Said("user", f"Message {number} " + "and so on " * 50) for number in range(200)]
    [_system, user] = asked(said, "", 8000)

    assert len(user.content) < 14_000
    assert "100 messages before these have no room here" in user.content
    assert "Message 199" in user.content
