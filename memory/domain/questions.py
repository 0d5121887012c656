"""A question never writes: what a turn states, sentence by sentence, and what it asks to be saved.

Code and quotations are set aside first, so that what they hold decides nothing. A sentence is a question if it ends in
a question mark or opens like one in English, French, German, Spanish, Chinese or Japanese. Greetings and requests
("Run the tests …") state nothing either. The patterns are in ask_patterns.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.domain.ask_patterns import (
    ASIDE,
    ASKED_POLITELY,
    ASKS,
    ENDS,
    GREETING,
    OPENS,
    POLITE_ONLY,
    REQUEST,
    SAID_BEFORE,
    STOP,
    TO_BE_DONE,
)

#: Stands for what is set aside: as long as it, so that positions stay. No letter, no mark, no space.
VEIL = "\ue000"
TRAILING = " \t\r\n\"'”’»)]}*_~!.…。！" + VEIL


@dataclass(frozen=True)
class Sentence:
    """`text` as written, `bare` with what is set aside veiled."""

    text: str
    bare: str


def is_question(sentence: str) -> bool:
    """Does one sentence ask?"""
    return _asks(_veiled(sentence))


def statements(text: str) -> str:
    """What a turn states, in its own words; empty where it only asks, greets, requests or quotes."""
    return " ".join(sentence.text for sentence in sentences(text) if _states(sentence.bare))


def explicit_asks(text: str) -> tuple[str, ...]:
    """The words of each “remember that …”, as written, also where they end in a question mark.

    After a colon they go on to the end of the text, else to the end of the sentence.
    """
    found: list[str] = []
    for sentence in sentences(text):
        if (match := ASKS.match(sentence.bare)) and match.group().rstrip().endswith((":", "：")):
            rest = text[text.index(sentence.text) + match.end() :].strip()
            return (*found, rest) if rest else tuple(found)
        if words := _asked_in(text, sentence):
            found.append(words)
    return tuple(dict.fromkeys(found))


def _asked_in(text: str, sentence: Sentence) -> str | None:
    said = SAID_BEFORE.search(sentence.bare)
    if _only_asks(sentence.bare):  # “Please remember that.”
        return _before(text, sentence)
    match = ASKS.match(sentence.bare)
    if match and (words := sentence.text[match.end() :].strip()):
        return _without_mark(words) if ASKED_POLITELY.match(sentence.bare) else words
    if said and not _asks(sentence.bare[: said.start()]):  # “Do you remember that?” asks
        return sentence.text[: said.start()].strip() or _before(text, sentence)
    return None


def asks_for_what_came_before(text: str) -> bool:
    """“Remember that.”, and nothing else: what it is of stands in another message."""
    said = [sentence.bare for sentence in sentences(text)]
    return bool(said) and all(_only_asks(bare) for bare in said)


def _only_asks(bare: str) -> bool:
    said = SAID_BEFORE.search(bare)
    return bool(said and POLITE_ONLY.fullmatch(f"{bare[: said.start()].strip()} "))


def to_be_done(text: str, words: str) -> bool:
    """Does the ask of these words say that they are to be done? “Remind me to …”, “todo: …”; not “remember to …”."""
    asked = ((one, TO_BE_DONE.match(one.bare)) for one in sentences(text))
    return any(words.startswith(one.text[match.end() :].rstrip(" ?？")) for one, match in asked if match)


def _without_mark(words: str) -> str:
    """A question stays one: it is not to be saved for a statement."""
    bare = words.rstrip(" ?？")
    return words if not bare or _asks(_veiled(bare)) else bare


def _before(text: str, sentence: Sentence) -> str | None:
    """“The port is 8080. Remember this.” asks for the sentence before."""
    return statements(text[: text.index(sentence.text)]) or None


def sentences(text: str) -> list[Sentence]:
    """The sentences of a text in order, without its blank ones."""
    bare = _veiled(text)
    found, start = [], 0
    for stop in STOP.finditer(bare):
        found.append(Sentence(text[start : stop.end()].strip(), bare[start : stop.end()].strip()))
        start = stop.end()
    found.append(Sentence(text[start:].strip(), bare[start:].strip()))
    return [sentence for sentence in found if sentence.text]


def _veiled(text: str) -> str:
    """The text with code, quoted lines and quotations covered; line ends stay."""
    return ASIDE.sub(lambda match: re.sub(r"[^\n]", VEIL, match.group()), text)


def states(sentence: Sentence) -> bool:
    """Does it state anything? Not where it asks, greets, requests or quotes."""
    return _states(sentence.bare)


def _states(bare: str) -> bool:
    words = bare.replace(VEIL, " ").strip(" \t\n-*•>#:,.;!…")
    return bool(words) and not (_asks(bare) or GREETING.fullmatch(words) or REQUEST.match(words))


def _asks(bare: str) -> bool:
    body = bare.strip().rstrip(TRAILING)
    if body.endswith(("?", "？", "؟", "⁇", "⁈")):
        return True
    opening = body.lstrip(" \t\"'“‘«(-*•>¡¿" + VEIL)
    return body.lstrip().startswith("¿") or bool(OPENS.match(opening) or ENDS.search(opening))
