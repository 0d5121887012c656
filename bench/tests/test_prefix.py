"""What bench/prefix.py measures, at a small size: a prompt is the beginning of the next one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import override_settings

from bench.prefix import Prompt, again, answering, broken, kept, sent, share_again, talk, write
from forgesite.models import Account
from memory.hot_block import hot_block
from memory.remember import Draft, remember_many

pytestmark = pytest.mark.django_db(transaction=True)
TURNS = 8


@pytest.fixture
def owner(ana: Account) -> Iterator[Account]:
    """With entries, and search by words."""
    with override_settings(FORGE=settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "none"})):
        remember_many(ana, [Draft(kept(number)) for number in range(12)], actor="test", cause="test")
        yield ana


def test_what_is_read_again_begins_where_two_prompts_differ() -> None:
    first, second, other = (
        Prompt("head, one", "head, one and two"),
        Prompt("head, one", "head, one, three"),
        Prompt("x", "x"),
    )
    assert (broken([first, second]), broken([first, other])) == (0, 1)
    assert again(first, second) == len(", three") / 4
    assert share_again([first, first]) == 0


@pytest.mark.parametrize("tools", [True, False])
@pytest.mark.parametrize("block", [True, False])
async def test_each_prompt_begins_with_the_one_before(owner: Account, tools: bool, block: bool) -> None:
    with answering(131_072, tools=tools, RECALL_HOT_BLOCK=block) as model:
        await talk(owner, model, range(TURNS))
        prompts = sent(model)
    assert (len(prompts), broken(prompts)) == (TURNS, 0)
    assert ("# What memory holds" in prompts[0].whole) == block


async def test_old_turns_go_in_steps_and_between_them_nothing_breaks(owner: Account) -> None:
    with answering(2304, tools=True, LLM_MAX_TOKENS=256) as model:
        await talk(owner, model, range(3 * TURNS))
        prompts = sent(model)
    assert 0 < broken(prompts) <= TURNS


@pytest.mark.parametrize("tools", [True, False])
async def test_a_write_changes_nothing_before_the_end_of_the_block(owner: Account, tools: bool) -> None:
    found = await write(owner, 3, tools=tools)
    assert "0 of 5 broken" in found
    assert "before the end of the block: True" in found


def test_the_block_that_the_bench_fills_is_whole(owner: Account) -> None:
    assert hot_block(owner, upto=None, most_tokens=1000).complete
