"""What the worker does for memory. Each job is idempotent."""

from __future__ import annotations

import logging
import time

from django.conf import settings

from forgesite import job
from forgesite.lib.embeddings import Door
from memory import embedding, reembed
from memory.erasing import scrub as erasure_scrub
from memory.erasure import SCRUB
from memory.errors import BusyError, EmbeddingError, ReembedError
from memory.regime import outage, pending
from memory.regime import states as regimes

log = logging.getLogger(__name__)

#: Entries of one transaction: with the bundled embedder, and with a server, whose failure they share.
AT_ONCE, AT_ONCE_SERVED = 256, 32
#: A run ends well before the queue would stop it; the next one goes on.
LONGEST = 300.0
#: The job below by its dotted name: what the queue knows it by, and its key.
EMBED_PENDING = "memory.jobs.embed_pending"


def embed_pending(asked: bool = False) -> int:
    """Embed every entry that waits for its vectors. Returns how many. With no embedder there is nothing to do.

    While the embedder is down it tries once and leaves the rest to its next run. `asked`: somebody saw it answer, so
    that there is nothing to spare other jobs from: a server that hangs would have the worker for half of its time.
    """
    door = embedding.served()
    if door is None or (outage.paused(door) and not asked):
        return 0
    if embedding.known_regime(door) and not something_to_do(door):
        return 0  # nothing is asked of a server that has nothing to do
    known = outage.down(door)
    try:
        pending.sync_index(door)
        return _embed_all(door)
    except ReembedError:
        return _embed_anew(door)
    except EmbeddingError as error:
        log.log(logging.INFO if known else logging.WARNING, "vectors wait: %s", error.message)
        return 0


def _embed_all(door: Door) -> int:
    at_once = AT_ONCE if door.name == "bundled" else AT_ONCE_SERVED
    done, end = 0, time.monotonic() + LONGEST
    while time.monotonic() < end and (some := pending.embed_some(door, at_once)):
        done += some
    return done


def _embed_anew(door: Door) -> int:
    """Everything, where the vectors in store are of another model. What one run leaves, the next does."""
    if not reembed.due_by_itself():
        log.warning("vectors are of another model, and were embedded anew a moment ago: `manage.py reembed` does it")
        return 0
    try:
        done = reembed.reembed(door, seconds=LONGEST)
    except BusyError as error:
        log.info("%s", error.message)
        return 0
    except EmbeddingError as error:
        log.warning("vectors wait: %s", error.message)
        return 0
    if not done.swapped:
        job.enqueue(EMBED_PENDING, key=EMBED_PENDING, asked=True)
    return done.embedded


def something_to_do(door: Door) -> bool:
    """Is there an entry that can be embedded now, or are the vectors in store of another model?"""
    return pending.some_due() or regimes.known_behind(door) is not None


def keep_schedule() -> None:
    """A server comes back without a word: as long as one is set, it is asked every minute for what waits."""
    if settings.FORGE.EMBEDDING_PROVIDER in ("bundled", "none"):
        job.never(EMBED_PENDING)
    else:
        job.every_minute(EMBED_PENDING)


def catch_up() -> None:
    """The embedder answers: what waits for it is the worker's to do now."""
    door = embedding.served()
    if door and something_to_do(door):
        job.enqueue(EMBED_PENDING, key=EMBED_PENDING, asked=True)


def scrub() -> bool:
    """Clean the file of what was deleted: what a forget left to do, since it was much, or others were reading.

    True when it is clean. Until then it is tried again every minute.
    """
    clean = erasure_scrub.scrub(LONGEST)
    if clean:
        job.never(SCRUB)
    else:
        job.every_minute(SCRUB)
    return clean
