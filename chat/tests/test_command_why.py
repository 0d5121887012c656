"""`!why` says what a run was given and left out; `!why not` why something was not."""

from __future__ import annotations

import pytest

from chat.tests.sockets import asked, text_of
from chat.tests.test_receipts import QUESTION, know
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel
from memory.models import Receipt

pytestmark = pytest.mark.django_db(transaction=True)


async def test_it_tells_the_last_run_of_the_conversation(filled: Account, model: ScriptedModel) -> None:
    entry = await know(filled, "the test server runs on port 8080")
    frames = await asked(filled, QUESTION)
    talk = frames[0]["conversation"]
    await asked(filled, "Which ink does the printer need?")
    said = text_of(await asked(filled, "!why", conversation=talk))
    receipt = await Receipt.objects.aget(run_id=frames[0]["run"])
    assert f"`{receipt.address[:12]}` (1), after commit 2" in said
    assert f"“{QUESTION}”" in said
    assert "At the head of the prompt: 9 entries, complete" in said
    assert f"#{entry.pk} [fact] the test server runs on port 8080 (at the head already: row 1)" in said
    assert "Prompt, in tokens: instructions" in said
    named = text_of(await asked(filled, f"!why {frames[0]['run']}"))
    assert named == said


async def test_it_tells_what_was_given_with_channel_and_rank(filled: Account) -> None:
    entry = await know(filled, "the test server runs on port 8080")
    await asked(filled, QUESTION)
    said = text_of(await asked(filled, "!why"))
    assert f"1. #{entry.pk} [fact] the test server runs on port 8080 (lexical)" in said


async def test_it_tells_why_not_of_an_entry_and_of_a_text(filled: Account) -> None:
    assert "ask something first" in text_of(await asked(filled, "!why"))
    await asked(filled, QUESTION)
    entry = await know(filled, "the test server runs on port 8080")
    said = text_of(await asked(filled, f"!why not #{entry.pk}"))
    assert said.startswith(f"**stored later** · #{entry.pk}")
    assert "**never stored**" in text_of(await asked(filled, "!why not my aunt breeds alpacas"))
    assert "Usage" in text_of(await asked(filled, "!why not"))
    assert "no receipt" in text_of(await asked(filled, f"!why {(await asked(filled, '!help'))[0]['run']}"))
