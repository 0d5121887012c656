"""Replies that answer nothing, known by their text. They are kept in the thread and never enter memory.

A marker counts at the start of the reply only: a reply that quotes one in its middle is an answer. What a model
phrases by itself as a refusal cannot be told by its text, and is not.
"""

from __future__ import annotations

#: A tool or a server failed; memory, the web or a folder held nothing. Each language writes its own.
MARKERS = (
    "[error] ",
    "[erreur] ",
    "[no memory] ",
    "[aucun souvenir] ",
    "[memory] ",
    "[no results] ",
    "[aucun résultat] ",
    "[cible introuvable] ",
    "[collecte impossible] ",
    "[rien à lire] ",
    "Tool error: ",
    "Erreur de l’outil : ",
    "Something went wrong: ",
    "Une erreur est survenue : ",
    # A request handed to a job that could not be understood, or that only the person can decide.
    "I did not understand what to do: ",
    "Je n’ai pas compris ce qu’il faut faire : ",
    "That is yours to decide: ",
    "C’est à vous de décider : ",
    # The built-in responder, empty-handed: what it says next is how far the nearest entry was.
    "Memory holds nothing on this. No entry came near.",
    "Memory holds nothing on this. The nearest entry, #",
    "La mémoire ne contient rien là-dessus. Aucune entrée ne s’en approche.",
    "La mémoire ne contient rien là-dessus. L’entrée la plus proche, #",
)

BACKEND_UNAVAILABLE = ("The model is not available.", "Le modèle n’est pas disponible.")
NOTHING_CLOSE = ("Memory holds nothing on this.", "La mémoire ne contient rien là-dessus.")
#: Whole replies: the same words inside a longer reply are an answer.
WHOLE_REPLIES = frozenset(BACKEND_UNAVAILABLE + NOTHING_CLOSE)

_STRAIGHT = str.maketrans({"’": "'", "\N{NO-BREAK SPACE}": " ", "\N{NARROW NO-BREAK SPACE}": " "})


def is_non_answer(reply: str) -> bool:
    """Whether the whole reply is empty, a marked failure or one of our sentences for having nothing."""
    plain = reply.strip().translate(_STRAIGHT)
    return not plain or plain in _WHOLE or plain.startswith(_STARTS)


# "[error]" with nothing after it says no more than "[error] …".
_STARTS = tuple(marker.translate(_STRAIGHT) for marker in MARKERS)
_WHOLE = frozenset(text.translate(_STRAIGHT) for text in WHOLE_REPLIES) | {start.rstrip() for start in _STARTS}
