"""What the embedder serves: its door, its regime, and texts turned into the vectors of an entry."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from django.conf import settings
from django.utils.translation import gettext as _

from forgesite.lib.embeddings import DOORS, Door, EmbeddingFailedError
from forgesite.lib.vectors import BadVectorError, Vector, distance, unit
from memory.domain import cutoff
from memory.domain.parts import parts
from memory.errors import EmbeddingError

log = logging.getLogger(__name__)

#: What a model is known by: sentences of several languages and lengths, about nothing that a store holds.
PROBES = (
    "The lighthouse keeper mended the green lamp before the storm.",
    "Le jardinier arrose les tomates tous les matins.",
    "Der Zug nach Hamburg hat zwölf Minuten Verspätung.",
    "猫が窓の外の雪を見ている。",
    "0xDEADBEEF is not a valid invoice number",
)


@dataclass(frozen=True)
class Embedded:
    """The vectors of one text, a part each; empty where no embedder is served."""

    vectors: tuple[Vector, ...]
    dropped: int = 0


@lru_cache(maxsize=4)
def _door(provider: str) -> Door | None:
    made = DOORS.get(provider)
    return made() if made else None


def served() -> Door | None:
    """The door in force, one a process. None with `EMBEDDING_PROVIDER=none`."""
    return _door(settings.FORGE.EMBEDDING_PROVIDER)


@lru_cache(maxsize=4)
def regime(door: Door) -> str:
    """`wrapper.model`: how the query is wrapped, and what the model makes of the probes."""
    return f"{cutoff.wrapper_tag(door.wrapper)}.{model_tag(_embed(door, PROBES))}"


def model_tag(probes: Sequence[Vector]) -> str:
    """Six hex digits, the same on every machine that serves the same model.

    Rounding each number would not do: of thousands some lie on an edge, where two machines' last bits differ. So a
    model is known by few and coarse things: dimension, distances between the probes by one decimal, and which number
    of each probe is the largest. All of it at unit length, so normalisation is part of it.
    """
    distances = [f"{distance(one, other):.1f}" for one, other in combinations(probes, 2)]
    peaks = [str(abs(vector).argmax()) for vector in probes]
    return hashlib.sha256(" ".join([str(len(probes[0])), *peaks, *distances]).encode()).hexdigest()[:6]


def cutoff_in_force(door: Door | None) -> cutoff.Cutoff:
    """The setting, or the bundled value with the bundled model. Another model has none until it is calibrated."""
    if door is None:
        return cutoff.parse("", "")
    default = cutoff.BUNDLED if door.name == "bundled" else ""
    parsed = cutoff.parse(settings.FORGE.RECALL_MAX_DISTANCE or default, regime(door))
    warn(parsed)
    return parsed


@lru_cache(maxsize=16)
def warn(parsed: cutoff.Cutoff) -> None:
    """One line a process where a cutoff carries no tag, or one of another regime."""
    if parsed.state is cutoff.State.UNTAGGED:
        log.warning("RECALL_MAX_DISTANCE=%s has no tag; write %s@%s", parsed.named, parsed.named, parsed.regime)
    if parsed.state is cutoff.State.STALE:
        log.warning("RECALL_MAX_DISTANCE=%s is OFF: the regime served is %s", parsed.named, parsed.regime)


def embedded(door: Door | None, texts: Sequence[str]) -> list[Embedded]:
    """The vectors of each text, all parts in one go. Call it before a transaction, never inside one."""
    if door is None:
        return [Embedded(()) for _text in texts]
    forge = settings.FORGE
    cut = [parts(text, forge.EMBEDDING_MAX_CHARS, forge.EMBEDDING_MAX_CHUNKS) for text in texts]
    vectors = iter(_embed(door, [part for each in cut for part in each.texts]))
    return [Embedded(tuple(next(vectors) for _part in each.texts), each.dropped) for each in cut]


def embedded_query(door: Door, text: str) -> Vector:
    """The vector of a query's first EMBEDDING_MAX_CHARS characters."""
    try:
        return unit(door.embed_query(text[: settings.FORGE.EMBEDDING_MAX_CHARS]), door.dim)
    except (EmbeddingFailedError, BadVectorError) as error:
        raise EmbeddingError(_("The search by meaning failed: %(why)s.") % {"why": str(error).rstrip(".")}) from error


def _embed(door: Door, texts: Sequence[str]) -> list[Vector]:
    try:
        vectors = door.embed_documents(texts) if texts else []
        if len(vectors) != len(texts):
            raise BadVectorError(f"the embedder gave {len(vectors)} vectors for {len(texts)} texts")
        return [unit(vector, door.dim) for vector in vectors]
    except (EmbeddingFailedError, BadVectorError) as error:
        why = str(error).rstrip(".")
        raise EmbeddingError(_("%(why)s. Nothing was stored.") % {"why": why}) from error
