"""Does a person's text state a standing rule or a preference: “always answer in French”, « désormais, tutoie-moi »?

Such a row is meant for questions that name few of its words. It is marked in the index of words, and found somewhat
before others that share as much with a question (see ranking.py). “I always feel cold” tells a habit, and is no rule.
"""

from __future__ import annotations

import re

from memory.domain.moment_words import FOLD
from memory.domain.searched_text import ANSWER

#: A person states it early, or in a text that they wrote by hand; the rest may be a pasted file.
READ = 2_000
#: Where an order begins.
BEGIN = r"(?:^|[.!?;:\n]\s*|\b(?:please|you (?:should|must|can)|(?:remember|sure|want you|like you|need you) to) )"
#: What follows where “Always happy to help” or “Never saw it” begin a sentence.
NO_ORDER = (
    "been|had|was|were|mind|ever|again|good|great|nice|happy|glad|here|there|up|fun|down|ready|a|an|the|my|in|on|too"
    r"|saw|knew|thought|got|went|did|say never|count on|\w+ed"
)
RULE = re.compile(
    "|".join(
        (
            rf"{BEGIN}(?:always|never) (?!(?:{NO_ORDER})\b)\w+",
            r"\b(?:from now on|when(?:ever)? i ask|(?:every|each) time i ask)\b",
            r"\bi(?:'d| would)? (?:much |strongly |really |generally |usually )?prefer\b",
            r"\bmy preference is\b",
            rf"{BEGIN}(?:desormais|dorenavant|a l'avenir)\b|\b(?:desormais|dorenavant|a l'avenir),",
            r"\ba partir de maintenant\b|\b(?:quand|lorsque|chaque fois que) je (?:te|vous) (?:le )?demande\b",
            r"\bje (?:prefere|prefererais|veux que (?:tu|vous))\b|\bj'aime(?:rais)? mieux\b|\bma preference est\b",
            r"(?:^|[.!?;:\n] )(?:user: )?(?!(?:je|tu|il|elle|on|nous|vous|ils|elles|ca|cela|est)\b|[jc]')"
            r"[\w-]+(?:ez|[aeis])(?:-moi)? toujours\b",
            r"(?:^|[.!?;:\n] )(?:user: )?ne (?:me )?\w+(?:-moi)? (?:plus )?jamais\b",
        )
    ),
    re.MULTILINE,
)
#: What every rule has one of: a look that costs next to nothing, before the patterns.
SIGNS = (
    *("always", "never", "now on", " i ask", "prefer", "desormais", "dorenavant", "a l'avenir"),
    *("partir de main", "demande", "je veux que", "'aime", "toujours", "jamais"),
)


def states_a_rule(text: str) -> bool:
    """Only what the person said of an exchange, and of that the first 2,000 characters, is read."""
    answer = ANSWER.search(text)
    said = (text[: answer.start()] if answer and answer.start() else text)[:READ].translate(FOLD)
    return any(sign in said for sign in SIGNS) and bool(RULE.search(said))
