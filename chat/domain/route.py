"""What a person's text asks for: a command, a save, an answer, or nothing of the kind."""

from __future__ import annotations

from dataclasses import dataclass

from chat.domain.forgetting import named_entry, to_forget
from memory.domain.ask_patterns import ASKS, GREETING, SAID_BEFORE
from memory.domain.questions import (
    VEIL,
    Sentence,
    asks_for_what_came_before,
    explicit_asks,
    is_question,
    sentences,
    statements,
    to_be_done,
)


@dataclass(frozen=True)
class Command:
    name: str
    rest: str


@dataclass(frozen=True)
class Save:
    """`words` are the person's own, one for each ask. `beside`: the questions that the same text asks.

    `only`: it says nothing else either, apart from a greeting. `to_do`: those of the words that are to be done.
    """

    words: tuple[str, ...]
    beside: str
    only: bool = True
    to_do: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ask:
    """A text that states nothing. `question` is false for a greeting or a request, which may want more than memory."""

    question: bool


@dataclass(frozen=True)
class Tell:
    """A text that states something and asks for no save."""


@dataclass(frozen=True)
class Erase:
    """A text that asks for nothing but that what memory holds on something be forgotten.

    `entry`: the id of one that it names.
    """

    about: str
    entry: int = 0


@dataclass(frozen=True)
class SaveLast:
    """“Remember that.” and no more: what the message before it says is to be saved."""


Route = Command | Save | SaveLast | Ask | Tell | Erase


def route(text: str) -> Route:
    if text.lstrip().startswith("!"):
        name, *rest = text.strip()[1:].split(None, 1) or [""]
        return Command(name.casefold(), "".join(rest).strip())
    if asked := explicit_asks(text):
        only = all(_of_an_ask(one, asked) for one in sentences(text))
        to_do = tuple(words for words in asked if to_be_done(text, words))
        return Save(asked, _beside(text, asked), only, to_do)
    if asks_for_what_came_before(text):
        return SaveLast()
    if named := _to_forget(text):
        return Erase(named, named_entry(named))
    return Tell() if statements(text).strip() else Ask(any(is_question(one.text) for one in sentences(text)))


def _to_forget(text: str) -> str:
    """Empty where any sentence beside a greeting says something else."""
    said = [one for one in sentences(text) if not _greets(one)]
    return to_forget(said[0].text) if len(said) == 1 else ""


def asks(words: str) -> bool:
    """Is what is to be saved a question? `… that the port is 8080?` states something; `…: do I own a server?` asks."""
    bare = words.rstrip(" ?？؟")
    return bare != words.rstrip() and is_question(bare)


def _beside(text: str, asked: tuple[str, ...]) -> str:
    """The questions of a text that no ask holds, or is held by."""
    questions = (one.text for one in sentences(text) if is_question(one.text))
    return " ".join(one for one in questions if not any(one in words or words in one for words in asked))


def _of_an_ask(sentence: Sentence, asked: tuple[str, ...]) -> bool:
    """Is it an ask, a part of what one asks for, or a greeting?"""
    if any(sentence.text in words or words in sentence.text for words in asked):
        return True
    return bool(_greets(sentence) or ASKS.match(sentence.bare) or SAID_BEFORE.search(sentence.bare))


def _greets(sentence: Sentence) -> bool:
    return bool(GREETING.fullmatch(sentence.bare.replace(VEIL, " ").strip(" \t\n-*•>#:,.;!…")))
