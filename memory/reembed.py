"""Embed everything anew for the model that is served, beside what is there, and swap at the end.

Killed at any moment it leaves what was embedded, and goes on from there. Until the swap the old vectors are in store,
are what the ledger names, and are searched again at once where the old model is served again. The swap goes some
entries at a time, so that nobody waits long to write: of each a commit that names the new vectors, and the old ones
gone. The last of these transactions takes the index away, which is made anew then; until it, search by meaning is off.
Where the old model is served again amid the swap, entries that are over wait for its vectors.
"""

from __future__ import annotations

import fcntl
import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from forgesite.errors import StoreError
from forgesite.lib.embeddings import Door
from forgesite.models import Account
from memory import change_log, embedding, ledger, vector_channel
from memory.domain.chain import vectors_digest
from memory.domain.states import EMBED, as_change
from memory.embedding import Embedded
from memory.errors import BadAnswerError, BusyError, EmbeddingError
from memory.models import Commit, Entry
from memory.regime import states as regimes
from memory.regime import swap as vector_swap
from memory.regime.states import Behind
from memory.regime.swap import Made, Text, batched
from memory.stating import state_of
from memory.vector_channel import Kept

log = logging.getLogger(__name__)

#: Entries of one transaction: with the bundled embedder, and with a server, whose failure they share.
AT_ONCE, AT_ONCE_SERVED = 256, 32
#: Entries of one transaction of the swap: 0.1 s of CPU; and those that are read at once for it.
SWAPPED_AT_ONCE, READ_AT_ONCE = 1000, 500
#: How the last of the swap's commits is named, and those before it.
CAUSE, CAUSE_BEFORE = "reembed", "reembed, not the last"
#: Two processes with two models would embed everything in turn: by itself Forge swaps once in so long.
SETTLED = timedelta(hours=1)
#: Two entries that fail one after the other, and not for what they are: the embedder is down.
DOWN = 2

Say = Callable[[Behind], None]


@dataclass(frozen=True)
class Done:
    """`embedded` by this run. `refused`: entries of which the model takes no vectors; they wait. `swapped`: search by
    meaning is back; False where time was up, or where the old model is served again."""

    embedded: int
    refused: int
    swapped: bool


def reembed(door: Door, say: Say = lambda _behind: None, *, seconds: float = float("inf")) -> Done:
    """Go on until all is embedded and swapped, or the time is up. `say` is called after each step with how far it is.

    Raises BusyError while another process is at it, EmbeddingError while the embedder is down, StoreError where this
    SQLite has no vectors. What was embedded until then stays.
    """
    if not vector_channel.available():
        raise StoreError(_("Nothing was re-embedded: this SQLite cannot load sqlite-vec."))
    with _alone():
        run = _Run(door, say, time.monotonic() + seconds)
        swapped = run.until_swapped()
    done = Done(run.embedded, len(run.refused), swapped)
    log.info("reembed embedded=%d refused=%d swapped=%s", done.embedded, done.refused, done.swapped)
    return done


def due_by_itself() -> bool:
    """Has nobody swapped within the last hour? Asked before Forge re-embeds without being told to."""
    last = Commit.objects.filter(cause=CAUSE, actor="forge").order_by("-at").values_list("at", flat=True).first()
    return last is None or timezone.now() - last > SETTLED


@contextmanager
def _alone() -> Iterator[None]:
    """The lock goes with its process, however that ends."""
    file = os.open(Path(settings.DATA_DIR) / "reembed.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise BusyError(_("Another process is re-embedding. Wait for it, then look again.")) from error
    finally:
        os.close(file)


class _ModelChangedError(Exception):
    """Another model is served than a moment ago: what it gave is kept nowhere."""


@dataclass
class _Run:
    door: Door
    say: Say
    end: float
    embedded: int = 0
    #: What the model takes no vectors of, with the words that it was tried with.
    refused: dict[int, Text] = field(default_factory=dict)

    def until_swapped(self) -> bool:
        while behind := self._behind():
            try:
                if not self._pass(behind):
                    return False
            except _ModelChangedError:
                self.refused.clear()
                continue
            if _swap(behind, self.refused):
                return True
        return False

    def _behind(self) -> Behind | None:
        embedding.ask_anew(self.door)
        return regimes.behind(self.door)

    def _pass(self, behind: Behind) -> bool:
        """Every entry once, by its id. False: time is up."""
        after, size = 0, AT_ONCE if self.door.name == "bundled" else AT_ONCE_SERVED
        while some := vector_swap.lacking(behind.served, after, size):
            if time.monotonic() > self.end:
                return False
            after = some[-1].id
            self._step(behind, [text for text in some if self.refused.get(text.id) != text])
            self.say(Behind(behind.stored, behind.served, *vector_swap.counts(behind.served)))
        return True

    def _step(self, behind: Behind, texts: Sequence[Text]) -> None:
        """The model is asked who it is after it embedded: what is stored is never named after the one before."""
        found = dict(zip(texts, _embedded(self.door, texts), strict=True))
        if self.door.name != "bundled":
            embedding.ask_anew(self.door)
        if (embedding.regime(self.door), self.door.dim) != behind.served:
            raise _ModelChangedError
        good = {text: each.vectors for text, each in found.items() if each.vectors}
        self.refused |= {text.id: text for text in found if text not in good}
        if not good:
            return
        with change_log.ours():
            still = vector_swap.unchanged(list(good))
            kept = [
                Kept(text.id, text.version, part, behind.served.regime, vector)
                for text, vectors in good.items()
                if text.id in still
                for part, vector in enumerate(vectors)
            ]
            vector_swap.keep_beside(kept, behind.stored)
        self.embedded += len(still)


def _embedded(door: Door, texts: Sequence[Text]) -> list[Embedded]:
    """What fails in company is tried alone. Raises EmbeddingError when the embedder is down."""
    if not texts:
        return []
    try:
        return embedding.embedded(door, [text.text for text in texts])
    except EmbeddingError as error:
        if len(texts) == 1 and not isinstance(error, BadAnswerError):
            raise
        return _one_by_one(door, texts)


def _one_by_one(door: Door, texts: Sequence[Text]) -> list[Embedded]:
    found, in_a_row = [], 0
    for text in texts:
        try:
            found += embedding.embedded(door, [text.text])
            in_a_row = 0
        except EmbeddingError as error:
            in_a_row = 0 if isinstance(error, BadAnswerError) else in_a_row + 1
            if in_a_row == DOWN:
                raise
            log.warning("entry cannot be re-embedded id=%d why=%s", text.id, error.message)
            found.append(Embedded((), waiting=error.message))
    return found


def _swap(behind: Behind, refused: dict[int, Text]) -> bool:
    """False where something is left to embed: written or edited meanwhile, or changed by another program.

    The index is made after it, some rows at a time; killed before that, the next search makes it, as it does wherever
    there is none.
    """
    made = behind.served
    if _is_left(made, refused):
        return False
    some = [(owner, few) for owner in _owners() for few in batched(vector_swap.having(owner.pk, made), SWAPPED_AT_ONCE)]
    for owner, entries in some[:-1]:
        with change_log.ours():
            if vector_swap.drop_touched(made):
                return False
            vector_swap.drop_before(_name(owner, made, entries, CAUSE_BEFORE), behind.stored)
    with change_log.ours():
        if vector_swap.drop_touched(made) or _is_left(made, refused):
            return False
        for owner, entries in some[-1:]:
            _name(owner, made, entries, CAUSE)
        vector_swap.drop_others(made)
        vector_channel.unmake()
    vector_channel.sync(*made)
    return True


def _is_left(made: Made, refused: dict[int, Text]) -> bool:
    left = vector_swap.lacking(made, 0, len(refused) + 1)
    return any(refused.get(text.id) != text for text in left)


def _owners() -> Iterator[Account]:
    yield from Account.objects.order_by("pk")


def _name(owner: Account, made: Made, entries: Sequence[int], cause: str) -> list[int]:
    """The entries of which the chain names the new vectors now. A row that was changed from outside is not among them:
    that is for `verify` to tell first."""
    outside = change_log.changed_outside("memory_entry")
    over = [pk for pk in entries if pk not in outside]
    named = [each for few in batched(over, READ_AT_ONCE) for each in _named(few, made)]
    if named:
        changes = [as_change(EMBED, entry.pk, state_of(entry), entry=entry.address) for entry in named]
        ledger.append(owner, "forge", cause, changes)
        vector_swap.name((entry.pk, entry.embedded) for entry in named)
    return over


def _named(entries: Sequence[int], made: Made) -> list[Entry]:
    """Those of which the chain does not say so yet, with what it is to say of their vectors."""
    found, parts = Entry.objects.in_bulk(entries), vector_swap.blobs(entries, made)
    moved = []
    for pk, entry in found.items():
        digest = vectors_digest(entry.salt, made.regime, parts.get(pk, ()))
        if digest and digest != entry.embedded:
            entry.embedded = digest
            moved.append(entry)
    return moved
