"""Which earlier messages a model is shown, as turns: a person's words and what was answered to them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from forgesite.lib.language_models import Said

#: A reply that was cut or stopped is part of an answer, and the talk went on from there.
PARTS = frozenset({"cut", "stopped"})


@dataclass(frozen=True)
class Earlier:
    """A stored message. `model` and `run_id` say who wrote it: imported ones have neither."""

    role: str
    content: str
    state: str = "complete"
    answered: bool = True
    model: str = ""
    run_id: str = ""


@dataclass(frozen=True)
class Turn:
    """One or more messages in a row of the person, as one, and the reply to them, where there was one."""

    messages: tuple[Said, ...]


def turns(messages: Iterable[Earlier]) -> list[Turn]:
    """Oldest first. Commands and what Forge itself answered to them are no conversation; errors are no answers.

    A reply that nothing came before is left out: templates want a person to begin.
    """
    found: list[list[Said]] = []
    for message in filter(told, messages):
        said = Said("user" if message.role == "user" else "assistant", message.content)
        if said.role == "user" and not (found and found[-1][-1].role == "user"):
            found.append([said])
        elif found:
            found[-1] = merged([*found[-1], said])
    return [Turn(tuple(turn)) for turn in found]


def told(message: Earlier) -> bool:
    """May a model see it?"""
    if not message.content.strip() or message.role == "system":
        return False
    if message.role == "user":
        return not (message.run_id and message.content.lstrip().startswith("!"))
    if message.state in PARTS:
        return bool(message.model)
    by_model = bool(message.model) or not message.run_id  # the built-in responder quotes memory
    return by_model and message.answered and message.state == "complete"


def merged(messages: Iterable[Said]) -> list[Said]:
    """Neighbours of one role as one message: templates demand that the roles alternate."""
    result: list[Said] = []
    for said in messages:
        if result and result[-1].role == said.role:
            result[-1] = Said(said.role, f"{result[-1].content}\n\n{said.content}")
        else:
            result.append(said)
    return result
