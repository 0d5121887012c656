"""What two texts share, and where they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from retention.domain.sayings import Token

#: A pair's option, and the name of the rule that says so.
Found = tuple[str, str]
#: Words of a value that one may have in the place of another.
VALUE = 3


@dataclass(frozen=True)
class Differences:
    """What two texts share, in order, and the one place where they differ. `places`: how many there are."""

    shared: tuple[Token, ...]
    older: tuple[Token, ...]
    newer: tuple[Token, ...]
    places: int
    at_head: bool

    @property
    def of_one_number(self) -> bool:
        return all(token.number for token in self.apart) and len(self.older) == len(self.newer) == 1

    @property
    def of_years(self) -> bool:
        return self.of_one_number and all(token.stem.isdigit() and len(token.stem) == 4 for token in self.apart)

    @property
    def apart(self) -> tuple[Token, ...]:
        return (*self.older, *self.newer)


def differences(one: Sequence[Token], other: Sequence[Token]) -> Differences:
    stems, others = [token.stem for token in one], [token.stem for token in other]
    matcher = SequenceMatcher(None, stems, others, autojunk=False)
    apart = [op for op in matcher.get_opcodes() if op[0] != "equal"]
    either = set(stems) & set(others)
    older = tuple(token for token in one if token.stem not in either)
    newer = tuple(token for token in other if token.stem not in either)
    head = any(op[1] == 0 and op[2] > 0 and op[0] == "replace" and op[2] < len(stems) for op in apart)
    shared = tuple(token for token in one if token.stem in either)
    return Differences(shared, older, newer, len(apart), head)


def names(tokens: Sequence[Token]) -> set[str]:
    return {token.stem for token in tokens if token.name}
