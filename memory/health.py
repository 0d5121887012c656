"""How the store and the embedder are, for `/health` and the admin. No private data."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from threading import Event, Lock, Thread
from weakref import WeakKeyDictionary

from django.conf import settings
from django.utils.translation import gettext as _

from forgesite.lib.embeddings import Door
from memory import embedding, jobs, outage, pending, vector_channel, word_channel
from memory.domain.cutoff import BUNDLED
from memory.errors import EmbeddingError
from memory.models import Entry

log = logging.getLogger(__name__)

#: A server that answered within these seconds is not asked for the sake of `/health`: some are paid by the request.
FRESH_SECONDS = 10.0
#: How long `/health`, and the start, wait for one that was asked.
WAIT_SECONDS, START_SECONDS = 1.5, 4.0
_checks: WeakKeyDictionary[Door, Event] = WeakKeyDictionary()
_asking = Lock()


@dataclass(frozen=True)
class StoreHealth:
    """`vector` and `words` are True, or what is wrong. `pending`: entries without a vector of the regime served."""

    entries: int
    pending: int
    vector: bool | str
    words: bool | str


@dataclass(frozen=True)
class EmbeddingHealth:
    """`regime` is `wrapper.model`, empty while nothing is served; `cutoff` as in force, None: off."""

    provider: str
    name: str
    dim: int
    ready: bool
    regime: str
    cutoff: str | None


def store_health() -> StoreHealth:
    door = embedding.served()
    vector: bool | str = vector_channel.available() or "this SQLite cannot load sqlite-vec"
    if door is None:
        vector = "no embedder is set"
    return StoreHealth(Entry.objects.count(), pending.count(), vector, word_channel.probe() or True)


def embedding_health(wait: float = WAIT_SECONDS) -> EmbeddingHealth:
    """Waits no longer than that for a server: what it says later, the next one who asks is told."""
    door = embedding.served()
    provider = settings.FORGE.EMBEDDING_PROVIDER
    if door is None:
        return EmbeddingHealth(provider, "", 0, False, "", None)
    ready, regime = answers(door, wait), embedding.known_regime(door)
    if not regime:
        return EmbeddingHealth(provider, door.name, embedding.known_dim(door), False, "", None)
    cutoff = embedding.cutoff_in(door, regime)
    embedding.warn(cutoff)
    named = f"{cutoff.named}" if cutoff.value is not None else None
    return EmbeddingHealth(provider, door.name, embedding.known_dim(door), ready, regime, named)


def answers(door: Door, wait: float) -> bool:
    """Does it embed? Known from its last answer, or asked now, aside, by one at a time."""
    if door.name == "bundled":
        embedding.regime(door)
        return True
    if outage.answered_since(door, FRESH_SECONDS) and embedding.known_regime(door):
        return True
    if not _asked(door).wait(wait) or outage.down(door):
        return False
    jobs.catch_up()
    return bool(embedding.known_regime(door))


def _asked(door: Door) -> Event:
    """Set once the door has answered or failed."""
    with _asking:
        running = _checks.get(door)
        if running is None or running.is_set():
            running = _checks[door] = Event()
            Thread(target=_ask, args=[door, running], daemon=True).start()
    return running


def _ask(door: Door, done: Event) -> None:
    try:
        embedding.ask_anew(door)
    except EmbeddingError as error:
        log.info("the embedder does not answer: %s", error.message)
    finally:
        done.set()


def start_line() -> str:
    """The state of search by meaning, for the person who starts Forge."""
    door = embedding.served()
    if door is None:
        return _("Search by meaning is off (EMBEDDING_PROVIDER=none): memory is searched by words.")
    if door.name == "bundled":
        return _bundled_line(door)
    health = embedding_health(START_SECONDS)
    if health.ready:
        words = _("Search by meaning: %(name)s (%(provider)s, %(dim)s numbers a vector), %(cutoff)s.")
        return words % {
            "name": health.name,
            "provider": health.provider,
            "dim": health.dim,
            "cutoff": _("cutoff %(cutoff)s") % {"cutoff": health.cutoff} if health.cutoff else _("no cutoff"),
        }
    return _down_line(door)


def _bundled_line(door: Door) -> str:
    """Without loading the model, which the first search does."""
    if settings.FORGE.RECALL_MAX_DISTANCE:
        words = _("Search by meaning: the bundled model; cutoff: %(cutoff)s.")
        return words % {"cutoff": settings.FORGE.RECALL_MAX_DISTANCE}
    words = _(
        "Search by meaning: the bundled model; cutoff: %(cutoff)s, measured on a public set and not on your store."
    )
    return words % {"cutoff": BUNDLED}


def _down_line(door: Door) -> str:
    down = outage.down(door)
    why = embedding.said(down.error) if down else _("It has not answered yet.")
    if settings.FORGE.EMBEDDING_OUTAGE == "queue":
        words = _("WARNING: search by meaning is off, and what is saved waits for it. %(why)s")
    else:
        words = _("WARNING: search by meaning is off, and nothing can be saved (EMBEDDING_OUTAGE=refuse). %(why)s")
    return words % {"why": why}
