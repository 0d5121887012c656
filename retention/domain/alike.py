"""What is alike by words and what is by meaning, as one: two that are by both come once, with both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retention.domain.columns import Alike, Ints
from retention.domain.neighbours import Neighbours

#: Of those that are alike by meaning alone, how many come together.
AT_ONCE = 4096


class Close(NamedTuple):
    """Two places each as one number, the lesser one times the count of all and the other; in order, each once."""

    keys: Ints
    cosines: NDArray[np.float32]


def merged(near: Iterable[Neighbours], close: Close, count: int) -> Iterator[Alike]:
    """`count`: of all places."""
    left = np.ones(len(close.keys), np.bool_)
    for ones, others, scores in near:
        keys = np.minimum(ones, others) * count + np.maximum(ones, others)
        at = np.minimum(np.searchsorted(close.keys, keys), max(0, len(left) - 1))
        both = close.keys[at] == keys if len(left) else np.zeros(len(keys), np.bool_)
        left[at[both]] = False
        cosines = np.zeros(len(keys))
        cosines[both] = close.cosines[at[both]]
        yield Alike(ones, others, cosines, scores)
    places = np.flatnonzero(left)
    for start in range(0, len(places), AT_ONCE):
        some = places[start : start + AT_ONCE]
        ones, others = np.divmod(close.keys[some], count)
        yield Alike(ones, others, close.cosines[some].astype(np.float64), np.zeros(len(some)))
