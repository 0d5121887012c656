"""Other ways to ask what a question asks, for where nothing was found: made by rule, or read from a model's reply."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from memory.domain.frames_of_questions import without_frame
from memory.domain.function_words import FUNCTION_WORDS
from memory.domain.words import folded, spaceless

#: Most variants of a question, characters of one, and the least words.
MOST, LONGEST, LEAST_WORDS = 4, 120, 2
#: How many a model is asked for. A reply with another number is none.
REWRITES = 3
SCHEMA = {
    "type": "object",
    "properties": {
        "questions": {
            "type": "array",
            "items": {"type": "string", "maxLength": LONGEST},
            "minItems": REWRITES,
            "maxItems": REWRITES,
        }
    },
    "required": ["questions"],
    "additionalProperties": False,
}
#: Of nobody and nothing, so that a rewrite which holds one of them was copied.
EXAMPLE = "What was it again that Zorvella keeps running in the Brambleth?"
EXAMPLE_REWRITES = (
    "Which heater does Zorvella use in the Brambleth workshop?",
    "Which server is switched on all day in the Brambleth?",
    "What machine does Zorvella Quendrick own?",
)
FICTIONAL = ("zorvella", "brambleth", "quendrick")
ASKING = f"""You help to search somebody's notes. A search for a question found nothing, because the note that answers
it uses other words. Write {REWRITES} other questions that ask for the same thing, each in the words that such a note
would use: name things plainly, leave out how it was asked. Each is one complete question of at most {LONGEST}
characters that ends in a question mark, in the language of the question. Invent no names, places or numbers.
Answer with JSON alone: {{"questions": ["…?", "…?", "…?"]}}

Example question: {EXAMPLE}
Example answer: {json.dumps({"questions": EXAMPLE_REWRITES})}"""
WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
OBJECT = re.compile(r"\{.*\}", re.DOTALL)
#: A longer text is no question that could be said shorter.
MOST_ASKED = 4 * LONGEST
#: How many characters without spaces between them count as one word.
CHARACTERS = 2


def by_rule(question: str) -> tuple[str, ...]:
    """Without the words that only lead to what is asked; then without its function words too."""
    if len(question) > MOST_ASKED:
        return ()
    asked = without_frame(question)
    named = [word for word in WORD.findall(asked) if not FUNCTION_WORDS.issuperset(folded(word).split())]
    return within_limits(question, [asked, " ".join(named)])


def read(reply: str, question: str) -> tuple[str, ...]:
    """The questions of a model's reply that can be used; none where it is not exactly three strings.

    One without a question mark, or with a name of the example, is dropped; nothing is repaired.
    """
    usable = [each.strip() for each in _strings(reply) if _asks(each) and not _copied(each)]
    return within_limits(question, usable)


def within_limits(question: str, variants: Iterable[str]) -> tuple[str, ...]:
    """The first four that are long enough and not too long, none the question or one another but for case, accents and
    punctuation."""
    seen, kept = {bare(question)}, list[str]()
    for variant in variants:
        if bare(variant) not in seen and len(variant) <= LONGEST and words(variant) >= LEAST_WORDS:
            seen.add(bare(variant))
            kept.append(variant)
    return tuple(kept[:MOST])


def bare(text: str) -> str:
    return re.sub(r"[\W_]+", " ", folded(text)).strip()


def words(text: str) -> int:
    """In scripts without spaces two characters count as one."""
    run = spaceless(text)
    return run // CHARACTERS if run else len(WORD.findall(text))


def _strings(reply: str) -> Sequence[str]:
    found = OBJECT.search(reply)
    try:
        questions = json.loads(found.group())["questions"] if found else []
    except (ValueError, KeyError, TypeError):
        return ()
    whole = isinstance(questions, list) and len(questions) == REWRITES and all(isinstance(q, str) for q in questions)
    return questions if whole else ()


def _asks(text: str) -> bool:
    return text.strip().endswith(("?", "？", "؟"))


def _copied(text: str) -> bool:
    plain = folded(text)
    return any(name in plain for name in FICTIONAL) or bare(text) in {bare(each) for each in EXAMPLE_REWRITES}
