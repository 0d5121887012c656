"""What a write does about its vectors: refused while the embedder is down, or kept to wait for them, as is set."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _

from forgesite.lib.embeddings import Door
from memory import embedding
from memory.embedding import Embedded
from memory.errors import BadAnswerError, EmbeddingError
from memory.regime import outage
from memory.regime import states as regimes

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Ready:
    """The vectors of each text of a write, and the regime they are of."""

    found: tuple[Embedded, ...]
    regime: str


def to_embed(door: Door | None, texts: Sequence[str], *, alone: bool = False) -> Ready:
    """Call it before the transaction of the write, never inside one.

    Raises EmbeddingError with EMBEDDING_OUTAGE=refuse; with `queue` the texts wait, and the write goes on. A text that
    is too large for the model waits among others, and is refused where it came `alone`. While the vectors in store are
    of another model, all wait with them.
    """
    if door is None or not texts:
        return Ready(tuple(Embedded(()) for _text in texts), "")
    if other := regimes.known_behind(door):
        return _wait(texts, other.short())
    queued = settings.FORGE.EMBEDDING_OUTAGE == "queue"
    try:
        if queued and (known := outage.paused(door)):
            raise EmbeddingError(embedding.said(known.error))
        found = tuple(embedding.embedded(door, texts))
        if alone and not queued and found[0].waiting:
            raise EmbeddingError(found[0].waiting)
        regime = regimes.of_vectors(door).regime
        other = regimes.known_behind(door)
        return _wait(texts, other.short()) if other else Ready(found, regime)
    except EmbeddingError as error:
        if not queued:
            kind = BadAnswerError if isinstance(error, BadAnswerError) else EmbeddingError
            raise kind(_("%(why)s Nothing was stored.") % {"why": error.message}) from error
        return _wait(texts, error.message)


def _wait(texts: Sequence[str], why: str) -> Ready:
    log.warning("entries wait for their vectors count=%d why=%s", len(texts), why)
    return Ready(tuple(Embedded((), waiting=why) for _text in texts), "")


def waiting_note(found: Embedded) -> tuple[str, ...]:
    """What the person is told, in one line."""
    if not found.waiting:
        return ()
    if regimes.known_behind(embedding.served()):
        words = _("Kept, and found by its words; its meaning is added with that of all others. (%(why)s)")
    else:
        words = _("Kept, and found by its words; its meaning is added when the embedding server is back. (%(why)s)")
    return (words % {"why": found.waiting},)
