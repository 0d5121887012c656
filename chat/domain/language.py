"""Which of the languages of the screens a text is in, by words that only one of them has."""

from __future__ import annotations

import re

WORD = re.compile(r"[^\W\d_]+")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


#: Function words and contractions without a twin in the other language ("on", "me", "or", "note" are in both).
WORDS: dict[str, frozenset[str]] = {
    "en": _set(
        "the an is are was were do does did have has had will would can could should i you he she it we they my your "
        "his her its our their this that these those what which who whom whose when where why how and but with from "
        "of to in at by for about not don doesn isn there here remember"
    ),
    "fr": _set(
        "le la les un une des du de au aux est sont était étaient suis es sommes êtes ai as avons avez ont j je tu il "
        "elle nous vous ils elles mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs ce cet cette ces "
        "quel quelle quels quelles qui que quoi quand où pourquoi comment combien et ou mais avec dans pour par sur "
        "ne pas c l d n s qu souviens retiens rappelle"
    ),
}


def language_of(text: str) -> str | None:
    """`en`, `fr`, or None where neither has more of its words in the text's beginning than the other.

    None also for a command: its English name says nothing about who typed it.
    """
    if text.lstrip().startswith("!"):
        return None
    words = [word.casefold() for word in WORD.findall(text[:2000])]
    counts = {language: sum(word in vocabulary for word in words) for language, vocabulary in WORDS.items()}
    best = max(counts, key=lambda language: counts[language])
    return best if all(counts[best] > counts[other] for other in counts if other != best) else None
