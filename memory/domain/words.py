"""Words as the index holds them: folded, stemmed, in parts; and the terms that a query asks for.

The index is a plain full-text table with a built-in tokenizer, so what a person calls a word is made here:

- Folding is NFKC and casefold; accents are taken from Latin letters only (Thai marks are parts of letters).
- `C++`, `node.js`, `don't`, `AM06PRO` are written whole and in parts. In the whole, punctuation is spelled with letters
  of the private use area (`+` is U+E02B), which the tokenizer takes for letters and no text contains.
- Every Latin word goes through the English, then the French stemmer, so that nobody has to say which language it is.
- Scripts without spaces are written as overlapping pairs, and single characters; a query asks for phrases of pairs.
- Between what is indexed in full and the rest of a long answer (see searched_text.py) stands a mark, and another one
  before a text that states a standing rule.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

import snowballstemmer

from memory.domain.searched_text import sides
from memory.domain.standing_rules import states_a_rule

#: Most terms that a query is searched by.
MAX_TERMS = 32
#: Longer runs are no words (a hash, base64): cut, the same way in index and query.
LONGEST = 64
#: Tokens that no text has: what comes after the one is the rest of a long answer, what has the other states a rule.
REST, RULE = "\uf8ff", "\uf8fe"

HAN = "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HIRAGANA = "\u3041-\u309f"
KATAKANA = "\u30a0-\u30ff\u31f0-\u31ff"
HANGUL = "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"
THAI = "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff"
#: Script → how many of its characters make a term of a query; a shorter run is a term by itself.
GRAMS = {"han": 2, "hiragana": 2, "katakana": 12, "hangul": 2, "thai": 8}
SPACELESS = HAN + HIRAGANA + KATAKANA + HANGUL + THAI

#: Vowel signs and points of Cyrillic, Hebrew, Arabic and the scripts of India: no letters to `\\w`, but parts of words.
MARKS = "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
WORD = rf"(?:(?![{SPACELESS}_])[\w{MARKS}])+"
RUN = re.compile(
    # Whole identifiers first: words held together by marks (node.js, GB/s, don't), with the marks of C++, C#, .NET.
    rf"(?P<word>[.@#$]?{WORD}(?:[-+.,:/'@&_#]{WORD})*(?:\+\+|\#)?)"
    rf"|(?P<han>[{HAN}]+)|(?P<hiragana>[{HIRAGANA}]+)|(?P<katakana>[{KATAKANA}]+)"
    rf"|(?P<hangul>[{HANGUL}]+)|(?P<thai>[{THAI}]+)"
)
#: The same for text without anything but ASCII, which most text is once it is folded; three times as fast.
PLAIN = re.compile(r"(?P<word>[.@#$]?[a-z0-9]+(?:[-+.,:/'@&_#][a-z0-9]+)*(?:\+\+|#)?)")
PART = re.compile(r"[^\W\d_]+|\d+")
JOINED = re.compile(r"[\W_]|\d[^\W\d_]|[^\W\d_]\d")
#: `l'école`, `qu'il`: two words of French, not one as `don't` is.
ELISION = re.compile(r"\b([cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu)'(?=\w)")
APOSTROPHES = str.maketrans(dict.fromkeys("‘’ʼ＇′", "'"))

_english = snowballstemmer.stemmer("english")
_french = snowballstemmer.stemmer("french")


@dataclass(frozen=True)
class Term:
    """What a query asks for: `shown` as the person wrote it, `tokens` in a row as the index holds them.

    `word` is the run it was cut from: `node.js`, `node` and `js` are three terms of one word.
    """

    shown: str
    tokens: tuple[str, ...]
    word: str


@dataclass(frozen=True)
class Terms:
    """`content` is searched. `more`: the query has other terms past the limit."""

    content: tuple[Term, ...]
    more: bool


def folded(text: str) -> str:
    """The letters that count: `É` is `e`, `ﬁ` is `fi`, `Ａ` is `a`."""
    plain = unicodedata.normalize("NFKC", text).casefold().translate(APOSTROPHES)
    plain = plain if plain.isascii() else unicodedata.normalize("NFC", _without_accents(plain))
    return ELISION.sub(r"\1 ", plain) if "'" in plain else plain


def _without_accents(text: str) -> str:
    out: list[str] = []
    latin = False
    for character in unicodedata.normalize("NFD", text):
        if unicodedata.combining(character) and "\u0300" <= character <= "\u036f":
            if latin:
                continue
        else:
            latin = character < "\u0250"
        out.append(character)
    return "".join(out).replace("ø", "o").replace("œ", "oe").replace("æ", "ae").replace("ł", "l")


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """English, then French, on every word: `saved`, `saves` → `save`; `chevaux` → `cheval`. A number has no stem."""
    return word if word.isdigit() else str(_french.stemWord(_english.stemWord(word)))


@lru_cache(maxsize=50_000)
def tokens_of(run: str) -> tuple[str, ...]:
    """How the index spells one word or identifier: the whole, then its parts where it has some."""
    cut = run[:LONGEST]
    if not JOINED.search(cut):
        return (stem(cut),)
    whole = "".join(c if c.isalnum() else chr(0xE000 + ord(c) % 0x1000) for c in cut)
    parts = [stem(part) for part in PART.findall(cut)]
    return (whole, *parts)


def indexed(text: str) -> str:
    """The folded words of a text, as `memory_words` keeps them: tokens between spaces, with the marks that are due."""
    own, rest = map(_spaced, sides(text))
    ruled = f"{RULE} {own}" if states_a_rule(text) else own
    return f"{ruled} {REST} {rest}" if rest else ruled


def of_sides(words: str) -> tuple[str, str]:
    """Folded words again as what is indexed in full, and the rest."""
    own, _mark, rest = words.partition(f" {REST} ")
    return own, rest


def _spaced(text: str) -> str:
    plain = folded(text)
    if plain.isascii():  # most of them: three times as fast in one go
        return " ".join(chain.from_iterable(map(tokens_of, PLAIN.findall(plain))))
    return " ".join(_tokens(plain))


def _tokens(text: str) -> Iterator[str]:
    for match in RUN.finditer(text):
        run = match.group()
        if match.lastgroup == "word":
            yield from tokens_of(run)
        else:
            yield from pairs(run)
            if len(run) > 1:  # the single characters stand after the pairs, so that pairs of a run are neighbours
                yield from run


def terms(text: str, function_words: frozenset[str] = frozenset()) -> Terms:
    """The distinct terms of a query, without its function words; of a query that has no others, all of them.

    `faut-il` is one where both its words are.
    """
    found: dict[tuple[str, ...], Term] = {}
    plain: dict[tuple[str, ...], Term] = {}
    for term in _asked(folded(text)):
        is_plain = term.word in function_words or function_words.issuperset(term.word.split("-"))
        target = plain if is_plain else found
        target.setdefault(term.tokens, term)
        if len(found) > MAX_TERMS:  # the rest of a book is not read
            break
    kept = list((found or plain).values())
    return Terms(tuple(kept[:MAX_TERMS]), len(kept) > MAX_TERMS)


def _asked(text: str) -> Iterator[Term]:
    for match in (PLAIN if text.isascii() else RUN).finditer(text):
        run, script = match.group(), match.lastgroup or "word"
        if script == "word":
            whole, *parts = tokens_of(run)
            yield Term(run, (whole,), run)
            yield from (Term(part, (part,), run) for part in parts if len(part) > 1)
        else:
            yield from (Term(gram, pairs(gram), gram) for gram in grams(run, GRAMS[script]))


def grams(run: str, size: int) -> tuple[str, ...]:
    return tuple(run[i : i + size] for i in range(max(1, len(run) - size + 1)))


def pairs(run: str) -> tuple[str, ...]:
    """The overlapping pairs of a run; of one character, the character."""
    return grams(run, 2)


def spaceless(text: str) -> int:
    """How many characters are of scripts that put no spaces between words."""
    return len(_SPACELESS.findall(text))


_SPACELESS = re.compile(f"[{SPACELESS}]")
