"""The system message: which pieces it has, in which order, and what gives way."""

from __future__ import annotations

from chat.domain.envelope import instructions
from chat.domain.prompts import PREAMBLE, PREAMBLE_WITH_TOOLS
from chat.prompting.at_hand import AtHand
from chat.prompting.system import has_room, own_text, with_memory
from chat.tool_use.tools import TOOLS
from forgesite.lib.tokens import estimate
from memory.domain.fence import Datum
from memory.hot_block import HotBlock

HOT = HotBlock("# What memory holds\nall of it")
POINTERS = [Datum("written by Forge, 2026-01-02", f"[{number} messages compacted: nothing]") for number in range(50)]


async def test_tools_in_words_stand_before_the_block_and_own_tools_beside_the_message() -> None:
    hand = AtHand(pointers=POINTERS[:1], hot=HOT)
    words = await with_memory(own_text(TOOLS, envelope=True), hand, 6000)
    own = await with_memory(own_text(TOOLS), hand, 6000)
    assert words.text.startswith(f"{PREAMBLE_WITH_TOOLS}\n\n{instructions(TOOLS)}\n\n{HOT.text}\n\n# Earlier in this")
    assert own.text.startswith(f"{PREAMBLE_WITH_TOOLS}\n\n{HOT.text}\n\n# Earlier in this")
    assert ('"memory_get"' in own.beside, words.beside) == (True, "")


async def test_the_oldest_pointers_give_way_and_that_is_said() -> None:
    found = await with_memory(own_text(()), AtHand(pointers=POINTERS), 2000)
    assert estimate(found.earlier) < 2000 // 8 + 100
    assert "| [49 messages" in found.earlier
    assert "| [0 messages" not in found.earlier
    shown = found.earlier.count("| [")
    assert f"\n{50 - shown} more, older than these, have no room here." in found.earlier


async def test_without_memory_it_is_the_preamble_alone() -> None:
    assert (await with_memory(own_text(()), AtHand(), None)).text == PREAMBLE


def test_tools_may_take_half_of_a_prompt_with_the_preamble() -> None:
    assert (has_room(TOOLS, 1024), has_room(TOOLS, 3072)) == (False, True)
