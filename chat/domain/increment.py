"""What a later export of the same conversation adds to what is known of it: messages, units, and units that grew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chat.domain.transcript import Message, Unit, cut


@dataclass(frozen=True)
class Growth:
    unit: Unit
    #: Its text at the last import: an entry that says something else by now was edited by a person.
    before: str


@dataclass(frozen=True)
class Increment:
    """Places of messages in the export. A unit *grew* if its question was known and a reply came since."""

    messages: tuple[int, ...]
    new: tuple[Unit, ...]
    grown: tuple[Growth, ...]
    there: tuple[Unit, ...]
    dropped: int


def increment(messages: Sequence[Message], known: Sequence[bool]) -> Increment:
    """`known` says of each message whether an earlier import brought it. `ref` of a unit's messages is their place.

    A unit whose messages are all known is *there*, also when its entry is gone: what a person forgot stays forgotten.
    """
    placed = [replace(message, ref=place) for place, message in enumerate(messages)]
    now = cut(placed)
    before = {_start(unit): unit.text for unit in cut([one for one in placed if known[_place(one)]]).units}
    new, grown, there = [], [], []
    for unit in now.units:
        if _start(unit) not in before:
            new.append(unit)
        elif all(known[_place(message)] for message in unit.messages):
            there.append(unit)
        else:
            grown.append(Growth(unit, before[_start(unit)]))
    added = tuple(place for place in range(len(placed)) if not known[place])
    return Increment(added, tuple(new), tuple(grown), tuple(there), len(now.dropped))


def _place(message: Message) -> int:
    assert message.ref is not None
    return message.ref


def _start(unit: Unit) -> int:
    return _place(unit.messages[0])
