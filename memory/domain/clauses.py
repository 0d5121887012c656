"""What a person states, cut into clauses of words, as the rules on saved texts read it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memory.domain.questions import VEIL, Sentence, explicit_asks, sentences, states
from memory.domain.sameness import folded as same_words
from memory.domain.words import folded, spaceless, stem

#: What is set aside may be a name or a title of this many words; longer, it is somebody else's text.
NAMED = 5
#: What of one message is read. What is past it counts as not said.
READ = 20_000
RUN = re.compile(r"[^\W_]+(?:[-.,:/'’@&_+#][^\W_]+)*[+#]*|[^\w\s]")
#: Where another clause begins for sure, and where one does because a subject follows.
HARD = re.compile(r"[:;—–!?\n()](?!\d)|\s-\s|\.(?=\s|$)")
_WHO = r"""(?:(?i:i|i'm|i['’]\w+|we|he|she|they|it|my|our|his|her|their|je|nous|on|il|elle|ils|elles|mon|ma|mes|notre
    |nos|son|sa|ses|ich|wir|er|sie|mein\w*|unser\w*|yo|él|ella|ellos|mi|mis)\b|(?i:j['’])|[A-ZÀ-Þ][\w-]+)"""
SOFT = re.compile(
    rf"""\s(?i:but|mais|aber|pero|sondern|whereas|while|tandis\ que)\s | ,\s+(?=(?:(?i:and|et|und|y)\s)?{_WHO})
    | \s(?i:and|et|und|y|because|since|that|parce\ que|puisque|que|car|weil|dass|porque)\s+(?={_WHO})
    | \s(?i:parce\ qu|puisqu|qu)['’](?={_WHO})""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Word:
    """`plain`: folded; `stem`: of it. `capital`: as names are written."""

    plain: str
    stem: str
    capital: bool = False


def words(text: str) -> tuple[Word, ...]:
    """The words of a text, `l’école` as two. Marks, and scripts without spaces, are left out."""
    return tuple(_words(text))


def _words(text: str) -> Iterator[Word]:
    for run in RUN.findall(text):
        plain = folded(run)
        if spaceless(plain) or not any(character.isalnum() for character in plain):
            continue
        parts = plain.split()
        for place, part in enumerate(parts):
            yield Word(part, stem(part), run[0].isupper() if len(parts) == 1 else place > 0 and _capital_last(run))


def _capital_last(run: str) -> bool:
    """Of `d’Anna`, the name."""
    tail = re.split("['’]", run)[-1]
    return tail[:1].isupper()


@lru_cache(maxsize=1024)
def spoken(message: str) -> tuple[str, ...]:
    """The sentences by which a message states something, and the words that it asks to be saved.

    Code, quoted lines and quotations of more than a few words are out of them: they are not said, but shown.
    """
    text = message[:READ]
    said = [_without_asides(one) for one in sentences(text) if states(one)]
    return tuple(one for one in [*said, *(_bare(words) for words in explicit_asks(text))] if one.strip())


def _bare(asked: str) -> str:
    return " ".join(_without_asides(one) for one in sentences(asked)) or asked


def _without_asides(sentence: Sentence) -> str:
    pieces, start = [], 0
    for aside in re.finditer(rf"{VEIL}+", sentence.bare):
        shown = sentence.text[aside.start() : aside.end()]
        kept = shown if len(shown.split()) <= NAMED and not shown.startswith((">", "```", "~~~")) else " … "
        pieces += [sentence.text[start : aside.start()], kept]
        start = aside.end()
    return "".join([*pieces, sentence.text[start:]])


@lru_cache(maxsize=1024)
def clauses(message: str) -> tuple[tuple[Word, ...], ...]:
    """Each clause of what a message states, as words."""
    return tuple(clause for sentence in cut(message) for clause in sentence)


@lru_cache(maxsize=1024)
def cut(message: str) -> tuple[tuple[tuple[Word, ...], ...], ...]:
    """The clauses, those together that share a subject where one has none of its own."""
    pieces = (SOFT.split(piece) for sentence in spoken(message) for piece in HARD.split(sentence))
    found = (tuple(filter(None, map(words, some))) for some in pieces)
    return tuple(some for some in found if some)


def stated_words(said: Sequence[str]) -> list[Word]:
    return [word for message in said for clause in clauses(message) for word in clause]


def is_said(text: str, said: Sequence[str]) -> bool:
    """Is each sentence of the text one that the person wrote, to the letter, with what it quotes?"""
    own = [same_words(one.text) for one in sentences(text)]
    return bool(own) and frozenset().union(*map(_sentences, said)).issuperset(own)


@lru_cache(maxsize=1024)
def _sentences(message: str) -> frozenset[str]:
    return frozenset(same_words(one.text) for one in sentences(message[:READ]) if states(one))
