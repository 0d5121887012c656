"""91 messages and eight questions for bench/reading.py, in words of our own.

A message is what a memory keeps of it. The hard ones: an exact detail that a summary covers, other words than the
question's, a correction, a todo that was closed, one with a condition, a sentence of Russian, one that was never told.
"""

from __future__ import annotations

from dataclasses import dataclass

WEATHER = 80
SKIES = ("low cloud", "clear sky", "a north wind", "drizzle", "hoar frost", "haze over the bay", "hail", "a warm front")


@dataclass(frozen=True)
class Told:
    """One message. `covers`, `closes`: keys of earlier ones."""

    key: str
    text: str
    kind: str = "fact"
    status: str = ""
    covers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Case:
    """An answer is right that holds one term of every group, whatever the case; no group: there is no answer.

    `stale`: what was true once, and is none now.
    """

    name: str
    question: str
    accept: tuple[tuple[str, ...], ...]
    stale: tuple[str, ...] = ()


FIRST = (
    Told("access", "The north workshop opens with the access code birch-7642, to be typed twice in a row."),
    Told("car", "Our car's plate is VQ-682-Z, the old number went back with the trailer."),
    Told("destination", "The looms are delivered to Riga."),
    Told("telescope", "Take the telescope back to Mirko", "todo"),
    Told("camera", "Bring the camera to Juno, but only after the film in it is developed", "todo"),
    Told("книга", "Книга Софии лежит в синем шкафу."),
    Told("overview", "The north workshop has a lock with a code.", "summary", covers=("access",)),
)
MIDDLE = (
    Told("destination", "The looms are delivered to Turku."),
    Told("telescope", "Took the telescope back to Mirko, he signed for it", "todo", "closed"),
)
LAST = (
    Told("visit", "The surveyor looked at the roof and found nothing.", "event"),
    Told("locker", "The skates are in locker 8316 at the rink."),
)
CASES = (
    Case("covered detail", "What is the access code of the north workshop?", (("birch-7642",),)),
    Case("other words", "Automobile registration?", (("VQ-682-Z",),)),
    Case("corrected", "Where are the looms delivered to?", (("Turku",),), ("Riga",)),
    Case(
        "closed", "Did I take the telescope back to Mirko?", (("yes", "took", "signed"), ("Mirko", "he", "telescope"))
    ),
    Case("condition", "What has to happen before the camera goes to Juno?", (("film",), ("developed", "developing"))),
    Case("never told", "What is the code of the hotel room in Tallinn?", ()),
    Case("recent", "Which locker are the skates in?", (("8316",),)),
    Case("Russian", "Где лежит книга Софии?", (("синем", "синий"),)),
)


def weather() -> tuple[Told, ...]:
    """Notes that hold nothing of all this, as long as notes are."""
    return tuple(
        Told(
            f"weather-{number}",
            f"Weather note {number}: {SKIES[number % len(SKIES)]} at {number % 24} o'clock.",
            "event",
        )
        for number in range(WEATHER)
    )


def told() -> tuple[Told, ...]:
    half = WEATHER // 2
    return (*FIRST, *weather()[:half], *MIDDLE, *weather()[half:], *LAST)
