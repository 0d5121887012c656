"""What a person states in a turn that a model answered is queued for the worker, where that is set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.test import override_settings
from django_q.models import OrmQ

from chat.extracting import EXTRACT
from chat.models import Message, Role
from chat.tests.conftest import answered_by
from chat.tests.sockets import asked
from forgesite.job import run
from forgesite.models import Account
from forgesite.testing_models import ScriptedModel
from retention.models import Proposal

pytestmark = pytest.mark.django_db(transaction=True)
STATED = "I live in Ghent now. Which trains go there?"


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as server, answered_by(server, EXTRACTION="propose"):
        yield server


async def queued() -> list[dict[str, Any]]:
    tasks = [row.task async for row in OrmQ.objects.all()]
    return [{"key": task["group"], **task["args"][1]} for task in tasks if task["args"][0] == EXTRACT]


async def test_what_was_stated_is_queued_once_with_its_words_and_its_message(
    ana: Account, model: ScriptedModel
) -> None:
    model.will_answer("Those from Brussels.")
    frames = await asked(ana, STATED)
    model.will_answer("Those from Bruges.")
    await asked(ana, "", conversation=frames[0]["conversation"], retry=frames[0]["answer_id"])

    message = await Message.objects.aget(role=Role.USER)
    [job] = await queued()
    assert (job["key"], job["owner"], job["message"]) == (f"extract {message.pk}", ana.pk, message.pk)
    assert (job["words"], job["conversation"], job["url"]) == (STATED, message.conversation_id, model.url)


async def test_the_job_is_found_by_its_name_and_proposes(ana: Account, model: ScriptedModel) -> None:
    model.will_answer("Noted.")
    await asked(ana, STATED)
    [job] = await queued()
    model.will_answer('{"entries": [{"kind": "fact", "words": "I live in Ghent now."}]}')

    key = job.pop("key")
    assert key
    assert await sync_to_async(run)(EXTRACT, job) == 1
    assert (await Proposal.objects.aget()).text == "I live in Ghent now."


@pytest.mark.parametrize("text", ["Which trains go to Ghent?", "!todo", "Hello!"])
async def test_a_message_that_states_nothing_is_not(ana: Account, model: ScriptedModel, text: str) -> None:
    await asked(ana, text)
    assert not await queued()


@pytest.mark.parametrize("off", [{"EXTRACTION": "off"}, {"MEMORY_ENABLED": False}, {"LLM_PROVIDER": "builtin"}])
async def test_nothing_is_queued_where_it_is_off_or_no_model_answered(
    ana: Account, model: ScriptedModel, off: dict[str, Any]
) -> None:
    with override_settings(FORGE=settings.FORGE.model_copy(update=off)):
        await asked(ana, STATED)
    assert not await queued()


async def test_a_temporary_conversation_leaves_nothing(ana: Account, model: ScriptedModel) -> None:
    await asked(ana, STATED, temporary=True)
    assert not await queued()


async def test_a_turn_that_failed_leaves_nothing(ana: Account, model: ScriptedModel) -> None:
    model.will_fail(500, {"error": {"message": "out of memory"}})
    await asked(ana, STATED)
    assert not await queued()
