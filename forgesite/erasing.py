"""What apps agree on where an entry is forgotten: each plans what it takes out of its own rows and files.

The preview shows the counts of the plans, the act carries the very same plans out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from forgesite.lib.masking import Texts

if TYPE_CHECKING:
    from forgesite.models import Account


@dataclass(frozen=True)
class Plan:
    """`removed`: how much goes, by place. `left`: how much stays that says the same. Nothing changes before `write`."""

    write: Callable[[], None]
    removed: Mapping[str, int] = field(default_factory=dict)
    left: Mapping[str, int] = field(default_factory=dict)


#: Called inside the transaction that forgets, and so is the plan's `write`. Register it in AppConfig.ready.
Eraser: TypeAlias = "Callable[[Account, Texts], Plan]"
#: Takes the person's own messages with these ids away.
Taker: TypeAlias = "Callable[[Account, Sequence[int]], None]"
#: Takes away what an account leaves beside the rows that name it: called in the transaction that deletes it.
Leaver: TypeAlias = "Callable[[Account], None]"


def nothing() -> None:
    """The `write` of a plan without anything to do."""
