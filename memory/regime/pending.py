"""Entries that have no vector yet: written while the embedder was off or down, or edited outside Forge."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence

from django.db import transaction

from forgesite.lib.embeddings import Door
from forgesite.models import Account
from memory import change_log, embedding, reembed, store, vector_channel
from memory.embedding import Embedded
from memory.errors import BadAnswerError, BusyError, EmbeddingError, ReembedError
from memory.models import Entry
from memory.regime import states as regimes
from memory.regime.states import Behind
from memory.store import Moved, Write
from memory.vector_channel import Pending

log = logging.getLogger(__name__)

#: Two entries that fail one after the other, and not for what they are: the embedder is down.
DOWN = 2
#: An entry that failed is tried again with the next run; after some tries, more and more rarely.
SOON, TRIES, RARELY = 20.0, 5, 3600.0
#: A text that the model does not take will hardly fit tomorrow, unless another model is served by then.
NEXT_DAY = 86_400.0
#: Entries of a store that a search embeds anew itself, with the bundled embedder.
AT_ONCE = 32
#: How a commit names vectors that came later than their text.
EMBED = "embed"


def sync_index(door: Door) -> None:
    """Bring the index up to date with what is served. Raises EmbeddingError; ReembedError where the vectors in store
    are of another model: they stay until all is embedded anew. A small store the bundled embedder embeds here at once.
    """
    made = regimes.settled(door)
    if made is None and (found := regimes.behind(door)) and not _at_once(door, found):
        raise ReembedError(found.sentence())
    vector_channel.sync(*(made or regimes.of_vectors(door)))


def _at_once(door: Door, found: Behind) -> bool:
    """It takes less time than a person notices. Not where another process swapped a moment ago: it has other settings,
    and the two would never end."""
    if door.name != "bundled" or found.entries - found.done > AT_ONCE or not reembed.due_by_itself():
        return False
    try:
        return reembed.reembed(door).swapped
    except BusyError:
        return False


def some_due() -> bool:
    """Is there an entry whose vectors can be tried for now?"""
    return bool(vector_channel.pending(1, time.time()))


def is_indexed(entry: Entry) -> bool:
    """False while it waits for its vectors. Where no embedder is set, nothing waits."""
    return embedding.served() is None or not vector_channel.is_pending(entry.pk)


def count() -> int:
    """How many wait for vectors of what is served, of all accounts; none where no embedder is set."""
    door = embedding.served()
    if found := regimes.known_behind(door):
        return found.entries - found.done
    return vector_channel.count_pending() if door else 0


def why(entry: Entry) -> str | None:
    """Why it still waits, empty where that is not known yet; None where it waits for nothing."""
    return None if embedding.served() is None else vector_channel.why_pending(entry.pk)


def embed_some(door: Door, limit: int) -> int:
    """Embed at most `limit` pending entries, newest first. Returns how many were taken up.

    A text that changed in between stays pending: its new words will be embedded. One that fails is marked with the
    reason and holds up no other. Raises EmbeddingError when the embedder is down.
    """
    waiting = vector_channel.pending(limit, time.time())
    if not waiting:
        return 0
    try:
        _embed(door, waiting)
    except EmbeddingError as error:
        if len(waiting) == 1:
            _fail(waiting[0], error)
        else:
            _one_by_one(door, waiting)
    return len(waiting)


def _one_by_one(door: Door, waiting: Sequence[Pending]) -> None:
    in_a_row = 0
    for each in waiting:
        try:
            _embed(door, [each])
            in_a_row = 0
        except BadAnswerError as error:
            _mark(each, error.message)
        except EmbeddingError as error:
            _mark(each, error.message)
            in_a_row += 1
            if in_a_row == DOWN:
                raise


def _fail(each: Pending, error: EmbeddingError) -> None:
    _mark(each, error.message)
    if not isinstance(error, BadAnswerError):
        raise error


def _embed(door: Door, waiting: Sequence[Pending]) -> None:
    found = embedding.embedded(door, [each.text for each in waiting])
    regime = regimes.of_vectors(door).regime
    with transaction.atomic():
        _store([(each, vectors) for each, vectors in zip(waiting, found, strict=True)], regime)


def _store(pairs: Sequence[tuple[Pending, Embedded]], regime: str) -> None:
    """Each owner's in one commit: late vectors are part of what the ledger proves."""
    entries = Entry.objects.select_related("owner").in_bulk([waiting.id for waiting, _found in pairs])
    ready: dict[Account, list[Moved]] = {}
    for waiting, found in pairs:
        entry = entries.get(waiting.id)
        if entry is None or entry.text != waiting.text:
            continue
        if found.waiting:
            _mark(waiting, found.waiting, pause=NEXT_DAY)
            continue
        ready.setdefault(entry.owner, []).append(Moved(entry, EMBED, found))
    for owner, moved in ready.items():
        _of_owner(owner, moved, regime)


def _of_owner(owner: Account, moved: Sequence[Moved], regime: str) -> None:
    """A row that was changed from outside gets its vectors without a commit: that is for `verify` to tell first. So
    does one that lost vectors which the ledger names, where these are the same."""
    silent = change_log.changed_outside("memory_entry") | _named(moved, regime)
    said = [each for each in moved if each.entry.pk not in silent]
    store.commit(owner, Write(moved=said, regime=regime), actor="forge", cause="vectors")
    with change_log.ours():
        unsaid = [(each.entry, each.found) for each in moved if each.entry.pk in silent and each.found]
        vector_channel.drop([entry.pk for entry, _found in unsaid])
        store.keep_vectors(unsaid, regime)
        for each in moved:
            if each.found and not each.found.vectors:
                vector_channel.done(each.entry.pk)


def _named(moved: Sequence[Moved], regime: str) -> frozenset[int]:
    """The entries whose vectors the ledger names already."""
    found = [(each.entry, each.found) for each in moved if each.found and each.found.vectors]
    return frozenset(entry.pk for entry, each in found if entry.embedded == store.embedded(entry, each, regime))


def _mark(each: Pending, why: str, *, pause: float | None = None) -> None:
    """Visible on the desk, and in the log."""
    later = min(SOON * 2 ** max(each.tries - TRIES, 0), RARELY) if pause is None else pause
    vector_channel.failed(each.id, why, time.time() + later)
    log.warning("entry has no vectors yet id=%d tries=%d why=%s", each.id, each.tries + 1, why)
