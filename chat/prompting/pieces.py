"""The pieces of a prompt, and what each takes of it: all are counted at once, and then it is decided what fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from chat.domain.past import Turn
from chat.domain.prompts import GO_ON
from chat.prompting.sizes import AROUND, Sizes
from chat.prompting.system import System
from memory.domain.fence import Datum, shown

#: The two lines of a fence.
FENCE = 40
#: More characters than this for each token of room no history has: no text that people write comes near it.
DENSE = 8


@dataclass(frozen=True)
class Counted:
    """Tokens of what has to fit, of each row, and of each turn; `hot`: of the hot block, which is in `fixed`."""

    fixed: int
    rows: list[int]
    turns: list[int]
    hot: int
    estimated: bool


@dataclass(frozen=True)
class Pieces:
    """`turn` is the new one without its rows; `so_far`: an answer to go on with."""

    system: System
    turn: str
    near: Sequence[Turn]
    rows: Sequence[Datum] = ()
    so_far: str = ""

    @property
    def texts(self) -> list[str]:
        """To be counted, in the order that `split` takes."""
        return [*self._fixed, *map(shown, self.rows), *map(_text, self.near)]

    @property
    def _fixed(self) -> tuple[str, ...]:
        return (*self.system.parts, self.turn, *((self.so_far, GO_ON) if self.so_far else ()))

    def split(self, counted: Sizes) -> Counted:
        """With what a template puts around the messages."""
        tokens, fixed, rows = counted.tokens, len(self._fixed), len(self.rows)
        around = (4 if self.so_far else 2) * AROUND + (FENCE if rows else 0)
        turns = zip(tokens[fixed + rows :], self.near, strict=True)
        return Counted(
            fixed=sum(tokens[:fixed]) + around,
            rows=[size + 1 for size in tokens[fixed : fixed + rows]],
            turns=[size + len(turn.messages) * AROUND for size, turn in turns],
            hot=tokens[0],
            estimated=counted.estimated,
        )


def near_of(past: Sequence[Turn], room: int) -> Sequence[Turn]:
    """The newest turns, as many as could fit: what is older needs no counting."""
    totals = accumulate(sum(len(said.content) for said in turn.messages) for turn in reversed(past))
    return past[len(past) - sum(total <= room * DENSE for total in totals) :]


def messages_in(past: Sequence[Turn]) -> int:
    return sum(len(turn.messages) for turn in past)


def _text(turn: Turn) -> str:
    return "\n".join(said.content for said in turn.messages)
