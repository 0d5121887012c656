"""A prompt has the open todos first, whatever the message is about: all of them, once, or the turn fails by name."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest
from django.conf import settings
from django.test import override_settings

from chat.domain.prompts import NO_MEMORY, TODOS
from chat.tests.conftest import answered_by
from chat.tests.sockets import Wire, asked, text_of
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel
from memory.models import Entry
from memory.remember import Draft, remember

pytestmark = pytest.mark.django_db(transaction=True)
TELESCOPE, RENT = "Return the telescope to Mira", "Pay the rent of the workshop"
DUE = datetime(2026, 1, 5, 9, 30, tzinfo=UTC)


async def todo(owner: Account, text: str, due: datetime | None = None) -> Entry:
    draft = Draft(text, kind="todo", event_at=due)
    return (await asyncio.to_thread(remember, owner, draft, actor="person", cause="test")).entry


def last_said(model: ScriptedModel) -> str:
    return str(model.prompts[-1][-1]["content"])


def of_type(frames: list[Wire], kind: str) -> list[Wire]:
    return [frame for frame in frames if frame["type"] == kind]


def changed(**update: object) -> object:
    return settings.FORGE.model_copy(update=update)


async def test_a_message_that_has_nothing_to_do_with_them_comes_with_the_open_todos(
    filled: Account, model: ScriptedModel, no_block: None
) -> None:
    telescope, rent = await todo(filled, TELESCOPE), await todo(filled, RENT, due=DUE)
    frames = await asked(filled, "What will the weather be like today?")
    said = last_said(model)
    assert said.index(TODOS) < said.index(f"#{rent.pk} todo") < said.index(f"#{telescope.pk} todo")
    assert "due 2026-01-05 09:30" in said
    assert NO_MEMORY in said
    [recalled] = of_type(frames, "recalled")
    assert [(row["id"], row["channel"]) for row in recalled["entries"]] == [(rent.pk, "tasks"), (telescope.pk, "tasks")]


async def test_a_todo_that_the_block_holds_is_not_given_again(filled: Account, model: ScriptedModel) -> None:
    await todo(filled, TELESCOPE)
    await asked(filled, "What will the weather be like today?")
    assert model.prompts[-1][0]["content"].count(TELESCOPE) == 1
    assert TELESCOPE not in last_said(model)
    assert TODOS not in last_said(model)
    assert "Nearest to this message in the list above" not in last_said(model)


@pytest.mark.parametrize("limit", [{"RECALL_MAX_ITEMS": 1, "RECALL_POLICY": "balanced"}, {"RECALL_MAX_BYTES": 60}])
async def test_todos_that_do_not_fit_fail_the_turn_and_are_named(
    filled: Account, model: ScriptedModel, no_block: None, limit: dict[str, int]
) -> None:
    todos = [await todo(filled, TELESCOPE), await todo(filled, RENT)]
    with override_settings(FORGE=changed(**limit)):
        frames = await asked(filled, "What will the weather be like today?")
    [failed] = of_type(frames, "failed")
    assert failed["code"] == "context_overflow"
    assert all(f"#{each.pk}" in failed["message"] for each in todos)
    assert model.prompts == []


async def test_twenty_todos_are_given_beside_as_many_rows_as_are_set(
    filled: Account, model: ScriptedModel, no_block: None
) -> None:
    todos = [await todo(filled, f"Water the plant number {number} on the balcony") for number in range(20)]
    await asyncio.to_thread(remember, filled, Draft("the test server runs on port 8080"), actor="person", cause="test")
    frames = await asked(filled, "Which port does the test server use?")
    said = last_said(model)
    assert all(f"#{each.pk} todo" in said for each in todos)
    assert "the test server runs on port 8080" in said
    assert frames[-1]["type"] == "done"


async def test_todos_that_a_block_holds_take_no_room_of_the_rows(filled: Account, model: ScriptedModel) -> None:
    await todo(filled, TELESCOPE)
    await todo(filled, RENT)
    with override_settings(FORGE=changed(RECALL_MAX_ITEMS=1)):
        frames = await asked(filled, "What will the weather be like today?")
    assert frames[-1]["type"] == "done"


async def test_rows_that_do_not_fit_are_skipped_and_smaller_ones_are_not(
    filled: Account, model: ScriptedModel, no_block: None
) -> None:
    for text in ("the cellar server has a fan. " + "It is loud in winter too. " * 20, "the attic server has a fan"):
        await asyncio.to_thread(remember, filled, Draft(text), actor="person", cause="test")
    with override_settings(FORGE=changed(RECALL_MAX_BYTES=256)):
        frames = await asked(filled, "Which server has a fan, the one in the cellar?")
    assert "the attic server" in last_said(model)
    assert "the cellar server" not in last_said(model)
    [recalled] = of_type(frames, "recalled")
    assert "bytes" in {row["reason"] for row in recalled["dropped"]}


async def test_todos_that_no_window_holds_are_named_and_not_the_message(ana: Account) -> None:
    with ScriptedModel(window=1100) as server, answered_by(server, RECALL_HOT_BLOCK=False, LLM_MAX_TOKENS=64):
        todos = [
            await todo(ana, f"Sort the {name} of the {'very ' * 380}old house") for name in ("papers", "books", "maps")
        ]
        frames = await asked(ana, "Hello there")
    [failed] = of_type(frames, "failed")
    assert (failed["code"], "1,100" in failed["message"]) == ("context_overflow", True)
    assert all(f"#{each.pk}" in failed["message"] for each in todos)


async def test_the_built_in_responder_quotes_what_was_asked_for_and_no_todo_beside(filled: Account) -> None:
    await todo(filled, TELESCOPE)
    assert TELESCOPE not in text_of(await asked(filled, "Which port does the test server use?"))
    assert TELESCOPE in text_of(await asked(filled, "Does the telescope return to Mira?"))
