"""The distance above which a row that only vectors found is no answer, and the regime it was measured in.

`value[@wrapper[.model]]`: every part that is present must match what is served. A number from another regime is
switched off, loudly: distances of two models, or of two query wrappers, do not compare.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import Enum

#: Euclidean distance of unit vectors; measured on public sets, not on your store (bench/README.md, cutoff).
BUNDLED = "1.22@e3b0c4.6fe03d"


class State(Enum):
    OFF = "off"
    USED = "used"
    UNTAGGED = "untagged"
    STALE = "stale"


@dataclass(frozen=True)
class Cutoff:
    """`value` is None unless it is used. `named` is what was set, `regime` what is served."""

    value: float | None
    state: State
    named: str
    regime: str


def wrapper_tag(wrapper: str) -> str:
    """First six hex digits of SHA-256 over the wrapper applied to the empty string; `e3b0c4` where there is none."""
    return hashlib.sha256(wrapper.replace("{}", "").encode()).hexdigest()[:6]


def parse(text: str, regime: str) -> Cutoff:
    """What a setting means where `regime` (`wrapper.model`) is served. Empty and `off` mean no cutoff."""
    if not text or text == "off":
        return Cutoff(None, State.OFF, text, regime)
    value, _, tag = text.partition("@")
    if not tag:
        return Cutoff(float(value), State.UNTAGGED, text, regime)
    if tag.split(".") != regime.split(".")[: len(tag.split("."))]:
        return Cutoff(None, State.STALE, text, regime)
    return Cutoff(float(value), State.USED, text, regime)


def admits(cutoff: float | None, distance: float) -> bool:
    """Equality stays. Compared as shown, by four decimals."""
    return cutoff is None or round(distance, 4) <= cutoff
