"""How the store and the embedder are, for `/health` and the admin. No private data."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace
from threading import Event, Lock, Thread
from weakref import WeakKeyDictionary

from django.conf import settings
from django.utils.translation import gettext as _

from forgesite.lib.embeddings import Door
from memory import embedding, jobs, vector_channel, word_index
from memory.domain.cutoff import BUNDLED, Cutoff, State, wrapper_tag
from memory.errors import EmbeddingError
from memory.models import Entry
from memory.regime import outage
from memory.regime import states as regimes
from memory.regime import swap as vector_swap
from memory.regime.states import Behind
from memory.regime.swap import Made

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
    """`regime` is `wrapper.model`, empty while nothing is served; `cutoff` as in force, None: off.

    `cutoff_state`: `off`, `used`, `untagged`, `stale`; `cutoff_note` says what is to be known of it, in a sentence.
    `stored` and `stored_dim`: what the vectors in store are of; empty and 0 where there are none.
    """

    provider: str
    name: str
    dim: int
    ready: bool
    regime: str
    cutoff: str | None
    cutoff_state: str = State.OFF.value
    cutoff_note: str = ""
    stored: str = ""
    stored_dim: int = 0


def store_health() -> StoreHealth:
    door = embedding.served()
    vector: bool | str = vector_channel.available() or "this SQLite cannot load sqlite-vec"
    if door is None:
        vector = "no embedder is set"
    waiting = vector_channel.count_pending() if door else 0
    if found := regimes.known_behind(door):
        vector, waiting = found.sentence(), found.entries - found.done
    return StoreHealth(Entry.objects.count(), waiting, vector, word_index.probe() or True)


def embedding_health(wait: float = WAIT_SECONDS) -> EmbeddingHealth:
    """Waits no longer than that for a server: what it says later, the next one who asks is told."""
    door, made = embedding.served(), vector_swap.stored() or Made("", 0)
    known = EmbeddingHealth(settings.FORGE.EMBEDDING_PROVIDER, "", 0, False, "", None, "off", "", *made)
    if door is None:
        return known
    ready, regime = answers(door, wait), embedding.known_regime(door)
    known = replace(known, name=door.name, dim=embedding.known_dim(door))
    if not regime:
        return known
    cutoff = embedding.cutoff_in(door, regime)
    embedding.warn(cutoff)
    named = cutoff.named if cutoff.value is not None else None
    return replace(
        known, ready=ready, regime=regime, cutoff=named, cutoff_state=cutoff.state.value, cutoff_note=note(cutoff)
    )


def note(cutoff: Cutoff) -> str:
    """What is to be known of a cutoff, in a sentence; empty where there is nothing to say."""
    if cutoff.state is State.UNTAGGED:
        words = _(
            "The cutoff %(named)s has no tag, so that nobody would notice another model: write %(named)s@%(tag)s."
        )
        return words % {"named": cutoff.named, "tag": cutoff.regime}
    if cutoff.state is State.STALE:
        words = _("The cutoff %(named)s is OFF: it was measured in another regime than %(tag)s. Calibrate anew.")
        return words % {"named": cutoff.named, "tag": cutoff.regime}
    if cutoff.named == BUNDLED and not settings.FORGE.RECALL_MAX_DISTANCE:
        words = _("The cutoff %(named)s was measured on a public set and not on your store.")
        return words % {"named": cutoff.named}
    return ""


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
    """The state of search by meaning, for the person who starts Forge: a line, and one for each warning."""
    door = embedding.served()
    if door is None:
        return _("Search by meaning is off (EMBEDDING_PROVIDER=none): memory is searched by words.")
    return "\n".join(_bundled_lines(door) if door.name == "bundled" else _server_lines(door))


def _server_lines(door: Door) -> Iterator[str]:
    health = embedding_health(START_SECONDS)
    if not health.ready:
        yield _down_line(door)
        return
    words = _("Search by meaning: %(name)s (%(provider)s, %(dim)s numbers a vector), %(cutoff)s.")
    yield words % {
        "name": health.name,
        "provider": health.provider,
        "dim": health.dim,
        "cutoff": _("cutoff %(cutoff)s") % {"cutoff": health.cutoff} if health.cutoff else _("no cutoff"),
    }
    if health.cutoff_note:
        yield _warning(health.cutoff_note)
    if found := regimes.known_behind(door):
        yield _warning(found.sentence())


def _bundled_lines(door: Door) -> Iterator[str]:
    """Without loading the model, which the first search does: its name is known."""
    regime = f"{wrapper_tag(door.wrapper)}.{BUNDLED.rpartition('.')[2]}"
    cutoff = embedding.cutoff_in(door, regime)
    if cutoff.named == BUNDLED and cutoff.state is State.USED:
        words = _(
            "Search by meaning: the bundled model; cutoff: %(cutoff)s, measured on a public set and not on your store."
        )
    else:
        words = _("Search by meaning: the bundled model; cutoff: %(cutoff)s.")
    yield words % {"cutoff": cutoff.named}
    if cutoff.state in (State.UNTAGGED, State.STALE):
        yield _warning(note(cutoff))
    made = vector_swap.stored()
    served = Made(regime, door.dim)
    if made and not regimes.same_model(made, served):
        yield _warning(Behind(made, served, *vector_swap.counts(served)).sentence())


def _warning(sentence: str) -> str:
    return _("WARNING: %(what)s") % {"what": sentence}


def _down_line(door: Door) -> str:
    down = outage.down(door)
    why = embedding.said(down.error) if down else _("It has not answered yet.")
    if settings.FORGE.EMBEDDING_OUTAGE == "queue":
        words = _("WARNING: search by meaning is off, and what is saved waits for it. %(why)s")
    else:
        words = _("WARNING: search by meaning is off, and nothing can be saved (EMBEDDING_OUTAGE=refuse). %(why)s")
    return words % {"why": why}
