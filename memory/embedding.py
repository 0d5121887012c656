"""What the embedder serves: its door, its regime, and texts turned into the vectors of an entry."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from weakref import WeakKeyDictionary

from django.conf import settings
from django.utils.translation import gettext as _

from forgesite.lib.embedding_doors import Asked, Unset
from forgesite.lib.embedding_doors import door as made
from forgesite.lib.embedding_servers import Served
from forgesite.lib.embeddings import Door, EmbeddingFailedError, TooLargeToEmbedError
from forgesite.lib.vectors import TOO_FEW, BadVectorError, Vector, distance, unit
from memory.domain import cutoff
from memory.domain.parts import parts
from memory.domain.searched_text import sides
from memory.errors import BadAnswerError, EmbeddingError
from memory.models import Calibration
from memory.regime import outage

log = logging.getLogger(__name__)

#: What a model is known by: sentences of several languages and lengths, about nothing that a store holds.
PROBES = (
    "The lighthouse keeper mended the green lamp before the storm.",
    "Le jardinier arrose les tomates tous les matins.",
    "Der Zug nach Hamburg hat zwölf Minuten Verspätung.",
    "猫が窓の外の雪を見ている。",
    "0xDEADBEEF is not a valid invoice number",
)
#: A part that is too large for the model is halved so often, and not below so many characters.
HALVINGS, SMALLEST = 4, 60


@dataclass(frozen=True)
class Embedded:
    """The vectors of one text, a part each; none where no embedder is served, or where it waits for them.

    `waiting` says why. `dropped`: characters past the last part, which are found by words only.
    """

    vectors: tuple[Vector, ...]
    dropped: int = 0
    waiting: str = ""


@dataclass(frozen=True)
class Question:
    """A query's vector, and of how many of its characters."""

    vector: Vector
    characters: int


@lru_cache(maxsize=8)
def _door(asked: Asked) -> Door | None:
    return made(asked)


def served() -> Door | None:
    """The door in force, one a process and its settings. None with `EMBEDDING_PROVIDER=none`."""
    forge = settings.FORGE
    if forge.EMBEDDING_PROVIDER in ("bundled", "none"):
        return _door(Asked(forge.EMBEDDING_PROVIDER, instruct=forge.EMBEDDING_QUERY_INSTRUCT))
    return _door(
        Asked(
            provider=forge.EMBEDDING_PROVIDER,
            url=forge.EMBEDDING_URL,
            model=forge.EMBEDDING_MODEL,
            key=forge.EMBEDDING_API_KEY,
            dim=forge.EMBEDDING_DIM,
            timeout=forge.EMBEDDING_TIMEOUT,
            instruct=forge.EMBEDDING_QUERY_INSTRUCT,
        )
    )


_regimes: WeakKeyDictionary[Door, str] = WeakKeyDictionary()
_asked_at: WeakKeyDictionary[Door, float] = WeakKeyDictionary()


def regime(door: Door) -> str:
    """`wrapper.model`: how the query is wrapped, and what the model makes of the probes.

    Asked once, and again after an outage or a vector of another length: another model may serve then. Ask it after the
    texts of a write were embedded, so that what is stored is never named after the model before. Raises EmbeddingError.
    """
    if not known_regime(door):
        ask_anew(door)
    return known_regime(door)


def known_regime(door: Door) -> str:
    """The regime if it was asked for before, else empty. Nothing is sent."""
    return _regimes.get(outage.behind(door), "")


def ask_anew(door: Door) -> None:
    """Ask for the regime even where it is known: is the door there, and is it the same model? Raises EmbeddingError."""
    tag = model_tag(_embed(door, PROBES))
    _regimes[outage.behind(door)] = f"{cutoff.wrapper_tag(door.wrapper)}.{tag}"
    _asked_at[outage.behind(door)] = time.monotonic()


def ask_again(door: Door, seconds: float) -> bool:
    """Ask for the regime, unless that was done within the last so many seconds. Was it? Raises EmbeddingError."""
    if time.monotonic() - _asked_at.get(outage.behind(door), float("-inf")) < seconds:
        return False
    ask_anew(door)
    return True


def known_dim(door: Door) -> int:
    """0 where it is not known yet. Nothing is sent."""
    inner = outage.behind(door)
    if isinstance(inner, Served):
        return inner.known_dim
    return 0 if isinstance(inner, Unset) else inner.dim


def _forget(door: Door) -> None:
    _regimes.pop(outage.behind(door), None)
    inner = outage.behind(door)
    if isinstance(inner, Served):
        inner.forget_dim()


def model_tag(probes: Sequence[Vector]) -> str:
    """Six hex digits, the same on every machine that serves the same model.

    Rounding each number would not do: of thousands some lie on an edge, where two machines' last bits differ. So a
    model is known by few and coarse things: dimension, distances between the probes by one decimal, and which number
    of each probe is the largest. All of it at unit length, so normalisation is part of it.
    """
    distances = [f"{distance(one, other):.1f}" for one, other in combinations(probes, 2)]
    peaks = [str(abs(vector).argmax()) for vector in probes]
    return hashlib.sha256(" ".join([str(len(probes[0])), *peaks, *distances]).encode()).hexdigest()[:6]


def cutoff_in_force(door: Door | None, owner: int | None = None) -> cutoff.Cutoff:
    """The setting; where it is empty what this owner calibrated, or the bundled value with the bundled model. Another
    model has none until it is calibrated. Raises EmbeddingError."""
    if door is None:
        return cutoff.parse("", "")
    parsed = cutoff_in(door, regime(door), owner)
    warn(parsed)
    return parsed


def cutoff_in(door: Door, regime: str, owner: int | None = None) -> cutoff.Cutoff:
    default = cutoff.BUNDLED if door.name == "bundled" else ""
    return cutoff.parse(settings.FORGE.RECALL_MAX_DISTANCE or calibrated(owner) or default, regime)


def calibrated(owner: int | None) -> str:
    """The cutoff of the owner's calibration that is in use; empty without one."""
    used = Calibration.objects.filter(owner=owner, used=True).values_list("cutoff", flat=True)
    return (used.first() if owner else "") or ""


@lru_cache(maxsize=16)
def warn(parsed: cutoff.Cutoff) -> None:
    """One line a process where a cutoff carries no tag, or one of another regime."""
    if parsed.state is cutoff.State.UNTAGGED:
        log.warning("RECALL_MAX_DISTANCE=%s has no tag; write %s@%s", parsed.named, parsed.named, parsed.regime)
    if parsed.state is cutoff.State.STALE:
        log.warning("the cutoff %s is OFF: the regime served is %s; calibrate anew", parsed.named, parsed.regime)


def embedded(door: Door | None, texts: Sequence[str]) -> list[Embedded]:
    """The vectors of each text, of a long exchange of what is indexed in full, in one go. Never in a transaction.

    Raises EmbeddingError. A text of which the model takes no part, however small, has no vectors and says so.
    """
    if door is None:
        return [Embedded(()) for _text in texts]
    forge = settings.FORGE
    cut = [parts(sides(text)[0], forge.EMBEDDING_MAX_CHARS, forge.EMBEDDING_MAX_CHUNKS) for text in texts]
    found = iter(_fitted(door, [part for each in cut for part in each.texts], HALVINGS))
    return [_together([next(found) for _part in each.texts], each.dropped) for each in cut]


#: A piece of text by its length, and its vector; None: the model does not take it.
Piece = tuple[int, Vector | None]


def _together(pieces: Sequence[Sequence[Piece]], dropped: int) -> Embedded:
    """One text's. Halving may have made more parts than an entry may have."""
    all_of_it = [piece for some in pieces for piece in some]
    most = settings.FORGE.EMBEDDING_MAX_CHUNKS
    vectors = [vector for _length, vector in all_of_it[:most]]
    if any(vector is None for vector in vectors):
        return Embedded((), waiting=_("The text is too large for the embedding model."))
    more = sum(length for length, _vector in all_of_it[most:])
    return Embedded(tuple(vector for vector in vectors if vector is not None), dropped + more)


def _fitted(door: Door, texts: Sequence[str], halvings: int) -> list[list[Piece]]:
    """Each text's pieces: itself, or its halves where it is too large. What came beside it is not asked again."""
    try:
        return [[(len(text), vector)] for text, vector in zip(texts, _embed(door, texts), strict=True)]
    except _TooLargeError as error:
        found = error.found
    large = [text for text, vector in zip(texts, found, strict=True) if vector is None]
    smaller = iter(_halved(door, large, halvings))
    return [
        [(len(text), vector)] if vector is not None else next(smaller)
        for text, vector in zip(texts, found, strict=True)
    ]


def _halved(door: Door, texts: Sequence[str], halvings: int) -> list[list[Piece]]:
    halves = [parts(text, -(-len(text) // 2), 4).texts if halvings and len(text) > SMALLEST else () for text in texts]
    found = iter(_pieces(door, [half for each in halves for half in each], halvings - 1))
    return [
        [piece for _half in each for piece in next(found)] if each else [(len(text), None)]
        for text, each in zip(texts, halves, strict=True)
    ]


def _pieces(door: Door, texts: Sequence[str], halvings: int) -> list[list[Piece]]:
    """The longest is tried alone: where it is too large still, the others are not asked for before they are smaller."""
    if not texts:
        return []
    try:
        _embed(door, [max(texts, key=len)])
    except _TooLargeError:
        return _halved(door, texts, halvings)
    return _fitted(door, texts, halvings)


def embedded_query(door: Door, text: str) -> Question:
    """The vector of a query's first EMBEDDING_MAX_CHARS characters, or of fewer where the model takes no more.

    Raises EmbeddingError; BadAnswerError where an answer came and is no vector.
    """
    asked = text[: settings.FORGE.EMBEDDING_MAX_CHARS]
    for _halving in range(HALVINGS + 1):
        try:
            with _in_our_words(door):
                with outage.watched(door):
                    vector = door.embed_query(asked)
                return Question(checked(door, [vector], 1)[0], len(asked))
        except _TooLargeError as error:
            last, asked = error, asked[: max(SMALLEST, len(asked) // 2)]
    raise EmbeddingError(last.message)


def checked(door: Door, vectors: Sequence[Vector], due: int) -> list[Vector]:
    """At unit length. Raises BadVectorError where one is none, or where there are more or fewer than are due."""
    if len(vectors) != due:
        raise BadVectorError(TOO_FEW, count=len(vectors), due=due)
    return [unit(vector, door.dim) for vector in vectors]


class _TooLargeError(EmbeddingError):
    def __init__(self, message: str, found: Sequence[Vector | None]) -> None:
        super().__init__(message)
        self.found = found


def _embed(door: Door, texts: Sequence[str]) -> list[Vector]:
    if not texts:
        return []
    with _in_our_words(door):
        with outage.watched(door):
            vectors = door.embed_documents(texts)
        return checked(door, vectors, len(texts))


@contextmanager
def _in_our_words(door: Door) -> Iterator[None]:
    """The door's errors as memory's, in the reader's language."""
    if outage.down(door):
        _forget(door)  # whoever comes back may be another
    try:
        yield
    except TooLargeToEmbedError as error:
        found = [None if vector is None else unit(vector, door.dim) for vector in error.found]
        raise _TooLargeError(said(error), found) from error
    except EmbeddingFailedError as error:
        raise EmbeddingError(said(error)) from error
    except BadVectorError as error:
        _forget(door)
        raise BadAnswerError(said(error)) from error


def said(error: EmbeddingFailedError | BadVectorError) -> str:
    """The sentence, translated, with a full stop."""
    sentence = _(error.sentence) % error.values if error.values else str(error)
    return sentence if sentence.endswith((".", "?")) else f"{sentence}."
