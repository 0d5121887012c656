"""What a model server that keeps the prompt it has read must read again, from turn to turn.

    python -m bench.prefix [--turns 30] [--entries 40] [--small 4096]

Turns through the live path to a scripted model, which keeps what it was sent. For each way to tell the tools (the
server's own, and in words), with the hot block and without: whether each prompt, up to the person's last message, is
byte for byte the beginning of the next one; how many of all tokens come after the first byte that differs; the same
with a window so small that old turns go; and what a write in the middle, and the next conversation, change. A token is
four bytes, as the scripted model counts.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from bench.filling import DOINGS, PLACES, THINGS, exchange
from bench.place import place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forgesite.models import Account
    from forgesite.testing_models import ScriptedModel

END_OF_BLOCK = "\n</memory "


@dataclass(frozen=True)
class Prompt:
    """As the model's server reads it: what stands before the person's last message, and the whole of it."""

    before: str
    whole: str

    @property
    def head(self) -> str:
        """Up to the end of the hot block; all of the system message's beginning where there is none."""
        return self.whole.partition(END_OF_BLOCK)[0]


def prompt_of(request: dict[str, Any]) -> Prompt:
    """From the body of a chat request. The tools come first, as templates have them."""
    messages = request["messages"]
    last = max(number for number, message in enumerate(messages) if message["role"] == "user")
    tools = json.dumps(request.get("tools", []))
    said = [f"<|{message['role']}|>{message['content']}" for message in messages]
    return Prompt(tools + "".join(said[:last]), tools + "".join(said))


def broken(prompts: Sequence[Prompt]) -> int:
    """Turns whose prompt does not begin with the one before, up to the person's last message in that."""
    return sum(not later.whole.startswith(earlier.before) for earlier, later in pairwise(prompts))


def again(earlier: Prompt, later: Prompt) -> float:
    """Tokens after the first byte that differs."""
    pairs = enumerate(zip(earlier.whole, later.whole, strict=False))
    shared = next((at for at, (one, other) in pairs if one != other), min(len(earlier.whole), len(later.whole)))
    return len(later.whole[shared:].encode()) / 4


def share_again(prompts: Sequence[Prompt]) -> float:
    """Of all that the prompts after the first hold."""
    read = sum(again(earlier, later) for earlier, later in pairwise(prompts))
    return read / sum(len(later.whole.encode()) / 4 for later in prompts[1:])


def kept(number: int) -> str:
    """An entry; the same for the same number."""
    things, places, doings = THINGS.split(), PLACES.split(), DOINGS.split()
    thing, where = things[number % len(things)], places[number // len(things) % len(places)]
    return f"the {thing} number {number} was {doings[number % len(doings)]} in {where}"


def question(number: int) -> str:
    return f"What of it is worth a second thought, in the case of {PLACES.split()[number % 15]}, step {number}?"


def answer(number: int) -> str:
    """No two of them alike: a reply that goes in circles is shown to no model again."""
    return exchange(number).replace("user: ", "").replace("\nassistant: ", " ")


async def talk(owner: Account, model: ScriptedModel, turns: range, conversation: str = "") -> str:
    """So many turns, one after the other. The conversation."""
    from chat.outcome import complete
    from chat.turn_request import TurnRequest

    for number in turns:
        model.will_answer(answer(number))
        done = await complete(TurnRequest(owner=owner, text=question(number), conversation=conversation, door="api"))
        assert done.ok, done.error
        conversation = done.conversation
    return conversation


def sent(model: ScriptedModel) -> list[Prompt]:
    return [prompt_of(request.json) for request in model.sent_to("/v1/chat/completions")]


@contextmanager
def answering(window: int, *, tools: bool, **more: object) -> Iterator[ScriptedModel]:
    """A scripted model that answers every turn, and compaction off."""
    from django.conf import settings
    from django.test import override_settings

    from chat.prompting import sizes
    from chat.prompting import window as windows
    from forgesite.testing_models import ScriptedModel

    sizes.forget()
    windows.forget()
    with ScriptedModel(window=window) as model:
        model.capabilities = {"supports_tools": tools, "supports_tool_calls": tools}
        update = {"LLM_PROVIDER": "llamacpp", "LLM_URL": model.url, "COMPACTION_ENABLED": False, **more}
        with override_settings(FORGE=settings.FORGE.model_copy(update=update)):
            yield model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=30)
    parser.add_argument("--entries", type=int, default=40)
    parser.add_argument("--small", type=int, default=4096, help="a window, in tokens, that old turns have to leave")
    asked = parser.parse_args()
    logging.disable(logging.INFO)
    with place(EMBEDDING_PROVIDER="none"):
        from forgesite.models import Account
        from memory.remember import Draft, remember_many

        owner = Account.objects.create_user("bench", password="not for a login")
        remember_many(owner, [Draft(kept(number)) for number in range(asked.entries)], actor="bench", cause="bench")
        for tools in (True, False):
            for block in (True, False):
                told = f"{'own tools' if tools else 'in words '}, {'with' if block else 'no  '} block"
                for window in (131_072, asked.small):
                    print(f"{told}, window {window:7}: {run(owner, window, asked.turns, tools=tools, block=block)}")
            print(asyncio.run(write(owner, asked.turns // 2, tools=tools)))


def run(owner: Account, window: int, turns: int, *, tools: bool, block: bool) -> str:
    with answering(window, tools=tools, RECALL_HOT_BLOCK=block) as model:
        asyncio.run(talk(owner, model, range(turns)))
        prompts = sent(model)
    size = len(prompts[-1].whole.encode()) // 4
    return f"{broken(prompts):2} of {turns - 1} broken, {share_again(prompts):5.1%} read again, last {size} tokens"


async def write(owner: Account, turns: int, *, tools: bool) -> str:
    """A write from elsewhere between two turns, and what the next conversation begins with."""
    from asgiref.sync import sync_to_async

    from memory.remember import Draft, remember

    with answering(131_072, tools=tools) as model:
        conversation = await talk(owner, model, range(turns))
        draft = Draft(f"the shed was painted green with tools {tools}")
        await sync_to_async(remember)(owner, draft, actor="bench", cause="bench")
        await talk(owner, model, range(turns, 2 * turns), conversation)
        await talk(owner, model, range(1))
        prompts = sent(model)
    same, last = prompts[:-1], prompts[-1]
    head = last.whole.startswith(same[-1].head)
    return (
        f"  a write after turn {turns}: {broken(same)} of {2 * turns - 1} broken; the next conversation begins with "
        f"all that stood before the end of the block: {head}, and reads {again(same[-1], last):.0f} tokens of "
        f"{len(last.whole.encode()) // 4}"
    )


if __name__ == "__main__":
    main()
