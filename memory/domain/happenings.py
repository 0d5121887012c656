"""Does a text tell what happened once? Such a thing may happen again, and each time is a memory of its own.

By closed lists and endings of four languages. It errs on the side of yes.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory.domain.exact_words import LOWER, Word
from memory.domain.retelling import listed
from memory.domain.words import folded

ENGLISH = listed(
    """
    went had did was were got made took came saw met left bought brought thought told said gave found felt began ran ate
    drank drove flew wrote read spoke sang swam won lost paid sent slept spent stood taught wore built caught chose fell
    fought forgot grew heard held hit hurt kept knew led rode rose sat shook shot shut stuck stole threw woke cut put
    set beat became broke
    """
)
#: Of these a day is one of many.
OCCASIONS = listed(
    """
    meeting meetings appointment call lunch dinner breakfast trip flight party visit exam interview session workout
    run race concert wedding holiday reunion rendez-vous rdv diner dejeuner voyage vol fete visite examen entretien
    cours seance concert mariage anniversaire vacances sortie treffen termin abendessen reise flug feier besuch
    prufung urlaub reunion cita cena almuerzo viaje vuelo fiesta visita examen clase boda
    """
)
HAVING = listed("ai as a avons avez ont suis es est sommes etes sont habe hast hat haben bin bist ist sind he ha han")
#: Of what follows these in French, German or Spanish, and of verbs in the past of English and Spanish.
PARTICIPLES = ("é", "ée", "és", "ées", "i", "ie", "is", "it", "u", "ue", "us", "ert", "int", "ado", "ido", "cho", "sto")
PASSED = ("ed", "aron", "ieron", "ó")
SHORTEST = 4
FAR = 3


def tells_what_happened(words: Sequence[Word]) -> bool:
    plain = [folded(word.form) for word in words]
    return any(
        plain[place] in ENGLISH
        or plain[place] in OCCASIONS
        or (len(word.form) >= SHORTEST and word.form.endswith(PASSED) and _may_be_a_verb(words, place))
        or (plain[place] in HAVING and any(map(_is_participle, words[place + 1 : place + 1 + FAR])))
        for place, word in enumerate(words)
    )


def _may_be_a_verb(words: Sequence[Word], place: int) -> bool:
    """A name in the middle of a sentence is none: `un Steam Deck OLED`."""
    return words[place].sort == LOWER or place == 0 or words[place - 1].part != words[place].part


def _is_participle(word: Word) -> bool:
    """Not of a name (`a un Rubi`), nor a small word (`est sous`)."""
    german = word.form.startswith("ge") and word.form.endswith(("t", "en")) and len(word.form) > SHORTEST
    return word.sort == LOWER and (german or (len(word.form) >= SHORTEST - 1 and word.form.endswith(PARTICIPLES)))
