"""What a run was given is sealed into a receipt: before it writes, and at its end; and nothing else makes one."""

from __future__ import annotations

import asyncio
import hashlib
import json
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from chat.tests.sockets import asked
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel
from memory.domain.receipt import address_of, salted
from memory.models import Commit, Entry, Receipt, ReceiptEntry
from memory.receipts import receipts_of
from memory.remember import Draft, remember
from memory.verify import verify
from traces.models import Run

pytestmark = pytest.mark.django_db(transaction=True)
QUESTION = "Which port does the test server use?"


async def know(owner: Account, text: str, **fields: Any) -> Entry:
    saved = await asyncio.to_thread(remember, owner, Draft(text, **fields), actor="person", cause="test")
    return saved.entry


async def receipts(owner: Account) -> list[Receipt]:
    return [each async for each in Receipt.objects.of(owner).order_by("number")]


async def ok(owner: Account) -> bool:
    return (await asyncio.to_thread(verify, owner)).ok


async def test_a_receipt_names_what_was_given_what_was_cut_and_by_what(filled: Account) -> None:
    entry = await know(filled, "the test server runs on port 8080")
    frames = await asked(filled, QUESTION)
    [receipt] = await receipts(filled)
    [recall] = receipt.body["recalls"]
    [given] = [row for row in recall["given"] if row["id"] == entry.pk]
    assert (given["version"], given["digest"], given["rank"]) == (1, entry.digest, 1)
    assert given["channel"] == "lexical"
    assert (recall["policy"], recall["budgets"]["rows"]) == ("hybrid", 5)
    assert recall["candidates"]["lexical"] >= 1
    assert (receipt.tick, recall["tick"], recall["head"]) == (2, 2, receipt.head)
    assert receipt.address == address_of(receipt.body)
    assert (receipt.number, receipt.parent, receipt.run_id) == (1, "", frames[0]["run"])
    assert receipt.questions == [{"text": QUESTION}]
    assert QUESTION not in str(receipt.body)
    assert entry.text not in str(receipt.body)
    run = await Run.objects.aget(run_id=receipt.run_id)
    assert run.receipt == receipt.address
    assert [each.entry async for each in ReceiptEntry.objects.all()] == [row["id"] for row in recall["given"]]
    assert await ok(filled)


async def test_receipts_are_a_chain_and_a_command_without_a_recall_makes_none(filled: Account) -> None:
    await asked(filled, QUESTION)
    frames = await asked(filled, "!memory")
    assert (await Run.objects.aget(run_id=frames[0]["run"])).receipt == ""
    await asked(filled, "!recall printer ink")
    first, second = await receipts(filled)
    assert (second.number, second.parent) == (2, first.address)
    assert second.body["recalls"][0]["tool"] == "!recall"
    assert await ok(filled)


async def test_a_prompt_is_told_by_its_parts_and_by_the_hash_of_what_comes_before_the_turn(
    filled: Account, model: ScriptedModel
) -> None:
    talk = (await asked(filled, "Good morning to you"))[0]["conversation"]
    await asked(filled, QUESTION, conversation=talk)
    _first, receipt = await receipts(filled)
    prompt, sent = receipt.body["prompt"], model.prompts[-1]
    before = [[message["role"], message["content"]] for message in sent[:-1]]
    said = json.dumps(before, ensure_ascii=False, separators=(",", ":"))
    plain = hashlib.sha256(said.encode()).hexdigest()
    assert (prompt["messages"], prompt["prefix"]) == (3, salted(receipt.prefix_salt, plain))
    assert plain not in str(receipt.body)
    assert set(prompt["tokens"]) == {"system", "hot_block", "history", "recalled", "turn"}
    assert prompt["tokens"]["hot_block"] > 0
    assert prompt["tokens"]["history"] > 0
    ids = [pk async for pk in Entry.objects.order_by("id").values_list("pk", flat=True)]
    block = receipt.body["block"]
    assert (block["entries"], block["complete"]) == (ids, True)
    assert await ok(filled)


async def test_what_was_given_until_a_write_is_sealed_first_and_the_commit_names_it(
    filled: Account, model: ScriptedModel
) -> None:
    model.will_call(("remember", {"content": "Owns a NiPoGi with 32 GB"}))
    model.will_call(("recall", {"query": "printer ink"}))
    model.will_answer("Noted.")
    frames = await asked(filled, "I own a NiPoGi with 32 GB.")
    first, second = await asyncio.to_thread(receipts_of, filled, frames[0]["run"])
    commit = await Commit.objects.order_by("-tick").afirst()
    assert commit is not None
    assert commit.cause == f"chat {frames[0]['run']}, receipt {first.address}"
    assert first.tick == commit.tick - 1
    assert (second.tick, second.body["part"], second.body["before"]) == (commit.tick, 2, first.address)
    assert [each["tool"] for each in second.body["recalls"]] == ["recall"]
    assert (await Run.objects.aget(run_id=frames[0]["run"])).receipt == second.address
    assert await ok(filled)


async def test_an_entry_read_by_its_number_is_named_and_one_in_the_block_is_not_named_again(
    filled: Account, model: ScriptedModel, no_block: None
) -> None:
    entry = await know(filled, "the test server runs on port 8080")
    model.will_call(("memory_get", {"id": entry.pk}))
    model.will_answer("8080.")
    await asked(filled, "Hello there, my friend")
    [receipt] = await receipts(filled)
    assert [(row["id"], row["channel"]) for row in receipt.body["read"]] == [(entry.pk, "read")]
    assert await ok(filled)


async def test_a_temporary_conversation_keeps_no_word_of_its_questions(filled: Account) -> None:
    await asked(filled, QUESTION, temporary=True)
    [receipt] = await receipts(filled)
    assert (receipt.questions, receipt.salt) == ([], "")
    assert receipt.body["recalls"][0]["question"]
    assert await ok(filled)


async def test_a_save_with_nothing_given_before_it_names_no_receipt(filled: Account) -> None:
    frames = await asked(filled, "!remember fact - The boat is red and small")
    commit = await Commit.objects.order_by("-tick").afirst()
    assert commit is not None
    assert commit.cause == f"chat {frames[0]['run']}"
    assert await receipts(filled) == []


async def test_rows_that_say_nothing_on_it_are_left_out_by_that_rule(filled: Account) -> None:
    """A search shows them, and an answer does not lean on them."""
    with override_settings(FORGE=settings.FORGE.model_copy(update={"RECALL_LEXICAL_MAX_DF": 1.0})):
        await asked(filled, "Does the printer in the garage of my uncle Albert print on both sides of a page?")
    [receipt] = await receipts(filled)
    [recall] = receipt.body["recalls"]
    reasons = {row[1] for row in recall["left_out"]["rows"]}
    assert recall.get("nothing") is True
    assert recall["given"] == []
    assert reasons == {"nothing"}


async def test_rows_that_the_window_had_no_room_for_were_not_given(
    filled: Account, model: ScriptedModel, no_block: None
) -> None:
    for number in range(5):
        await know(filled, f"The server of room {number} is loud, {'and it hums and blinks all night ' * 40}")
    small = {"LLM_CONTEXT": 2470, "LLM_MAX_TOKENS": 200, "RECALL_LEXICAL_MAX_DF": 1.0, "RECALL_AUTO": False}
    model.will_call(("recall", {"query": "Which server of which room is loud?"}))
    model.will_answer("All three.")
    with override_settings(FORGE=settings.FORGE.model_copy(update=small)):
        await asked(filled, "Hello there, my friend")
    [receipt] = await receipts(filled)
    [recall] = receipt.body["recalls"]
    shown = model.prompts[-1][-1]["content"]
    assert len(recall["given"]) == shown.count("is loud, and it hums") < 5
    assert {row[1] for row in recall["left_out"]["rows"]} == {"prompt"}
    assert "had no room in the window" in shown
