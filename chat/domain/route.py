"""What a person's text asks for: a command, a save, an answer, or nothing of the kind."""

from __future__ import annotations

from dataclasses import dataclass

from memory.domain.questions import explicit_ask, is_question, sentences, statements


@dataclass(frozen=True)
class Command:
    name: str
    rest: str


@dataclass(frozen=True)
class Save:
    """`words` are the person's own. `question`: what is to be saved asks something, and a question never writes."""

    words: str
    question: bool


@dataclass(frozen=True)
class Ask:
    """A text that states nothing. `question` is false for a greeting or a request, which may want more than memory."""

    question: bool


@dataclass(frozen=True)
class Tell:
    """A text that states something and asks for no save."""


Route = Command | Save | Ask | Tell


def route(text: str) -> Route:
    if text.lstrip().startswith("!"):
        name, *rest = text.strip()[1:].split(None, 1) or [""]
        return Command(name.casefold(), "".join(rest).strip())
    words = explicit_ask(text)
    if words:
        return Save(words, _asks(words))
    return Tell() if statements(text).strip() else Ask(any(is_question(one.text) for one in sentences(text)))


def _asks(words: str) -> bool:
    """`Remember that the port is 8080?` states something; `Remember: do I own a server?` asks."""
    bare = words.rstrip(" ?？؟")
    return bare != words.rstrip() and is_question(bare)
