"""Fill the memory of a Forge that runs, in a process of its own: `python -m bench.filling --entries N`.

Made-up exchanges of some 276 characters, the mean of public chats, in the first account, by the verb of an import.
"""

from __future__ import annotations

import argparse
import os
import random

BATCH = 1000
THINGS = "backup printer router boat garden bicycle oven passport kettle camera violin tent piano heater mower"
PLACES = "Nantes Lyon Oslo Porto Ghent Turin Bergen Leiden Cork Basel Tartu Vigo Graz Malmö Bremen"
DOINGS = "repaired sold painted moved ordered returned measured cleaned lent counted labelled insured"


def exchange(number: int) -> str:
    """One of as many as are asked for; the same for the same number."""
    draw = random.Random(number)
    thing, other = draw.sample(THINGS.split(), 2)
    place, away = draw.sample(PLACES.split(), 2)
    done, later = draw.sample(DOINGS.split(), 2)
    return (
        f"user: I {done} the {thing} number {number} in {place} last week, and the {other} that came with it was "
        f"{later} by my neighbour from {away}; it took us {draw.randint(2, 90)} minutes.\nassistant: Good to know that "
        f"the {thing} is {done}. Shall I remind you of the {other} when you are back from {place}?"
    )


def question(number: int) -> str:
    """Of two words that one row in eight holds each: far more common than what people ask for."""
    things, places = THINGS.split(), PLACES.split()
    thing, place = things[number % len(things)], places[number // len(things) % len(places)]
    return f"What became of the {thing} in {place}?"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=10_000)
    entries = parser.parse_args().entries
    os.environ["DJANGO_SETTINGS_MODULE"] = "forgesite.settings"
    import django

    django.setup()
    from forgesite.models import Account
    from memory.remember import Draft, remember_many

    owner = Account.objects.earliest("pk")
    for first in range(0, entries, BATCH):
        numbers = range(first, min(first + BATCH, entries))
        drafts = [Draft(exchange(number), kind="exchange", origin="import") for number in numbers]
        remember_many(owner, drafts, actor="bench", cause="bench")


if __name__ == "__main__":
    main()
