"""The system message of a prompt, piece by piece, in the order that keeps its beginning the same."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from chat.domain.envelope import instructions
from chat.domain.prompts import PREAMBLE, PREAMBLE_WITH_TOOLS, earlier_text, system_text
from chat.prompting.at_hand import AtHand
from chat.prompting.sizes import AROUND, estimated
from forgesite.lib.language_models import Tool
from forgesite.lib.tokens import estimate
from memory.domain.fence import Datum, shown

#: Pointers and summaries get this share of what the preamble and the tools leave of a prompt; the oldest are left
#: out, and the text says so.
EARLIER_SHARE = 8


@dataclass(frozen=True)
class System:
    """`tools` are told in the message, `beside` it goes what the server itself tells of them."""

    preamble: str = PREAMBLE
    tools: str = ""
    hot: str = ""
    earlier: str = ""
    beside: str = ""

    @property
    def text(self) -> str:
        return system_text(self.preamble, tools=self.tools, hot=self.hot, earlier=self.earlier)

    @property
    def parts(self) -> tuple[str, ...]:
        """To be counted. The hot block is the first."""
        return self.hot, self.preamble, self.tools, self.earlier, self.beside


def own_text(tools: Sequence[Tool], *, envelope: bool = False) -> System:
    """Without memory and history. With `envelope` the tools are told in the message."""
    return System(
        PREAMBLE_WITH_TOOLS if tools else PREAMBLE,
        tools=instructions(tools) if tools and envelope else "",
        beside="" if envelope else as_sent(tools),
    )


def has_room(tools: Sequence[Tool], room: int) -> bool:
    """Do the tools leave half of it to memory, the conversation and the person?"""
    return estimate(PREAMBLE_WITH_TOOLS) + estimate(as_sent(tools)) <= room // 2


async def left_by(system: System, room: int) -> int:
    """Tokens of `room` beside it, by estimate."""
    return room - sum(await estimated(system.parts)) - AROUND


async def with_memory(system: System, hand: AtHand, room: int | None) -> System:
    """`room`: what its own text leaves of the prompt; None: nobody says how much."""
    return replace(system, hot=hand.hot.text, earlier=await _earlier(hand.pointers, room))


def as_sent(tools: Sequence[Tool]) -> str:
    """About what a server's template makes of them; empty without one."""
    functions = [
        {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)} for tool in tools
    ]
    return json.dumps([{"type": "function", "function": one} for one in functions]) if functions else ""


async def _earlier(pointers: Sequence[Datum], room: int | None) -> str:
    """The newest that fit."""
    if not pointers or room is None:
        return earlier_text(pointers)
    tokens = await estimated([shown(pointer) for pointer in pointers])
    kept = sum(total <= room // EARLIER_SHARE for total in accumulate(reversed(tokens)))
    return earlier_text(pointers[len(pointers) - kept :], left_out=len(pointers) - kept)
