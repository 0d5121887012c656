"""Cut entries that hold a whole transcript into exchanges, by the rules that compaction and import go by.

One vector, or a few, for twenty exchanges is near to none of them. The pieces come in first, in the same project and
with the same time, each resting on the block; then the first of them supersedes it. So the block answers no search any
more but beside its piece, stays in the lists as `-> #id`, can be read and restored, and both commits can be undone. It
is not deleted: no job deletes what a person typed. What a person said and got no answer to becomes an exchange without
the reply, as it would be out of reach otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.db import models, transaction
from django.utils.translation import gettext_lazy as _

from chat.domain.transcript import Dropped, Message, cut, parse, render
from chat.embedding_ahead import Ahead
from chat.importers.imported import digest
from chat.intake.write import ACTOR
from forgesite.errors import ForgeError
from forgesite.models import Account
from memory.domain.sameness import sameness
from memory.errors import EmbeddingError
from memory.keys import batched
from memory.known import unseen
from memory.models import Entry, Kind, Link, LinkType, Origin
from memory.people_first import is_persons
from memory.relate import relate
from memory.remember import Draft, remember_many

#: Entries read at once.
PAGE = 200


class Fate(models.TextChoices):
    """What becomes of a block, and why."""

    CUT = "cut", _("is cut")
    REFUSED = "refused", _("is left: nothing in it was answered, so it would be cut to nothing")
    PERSONS = "persons", _("is left: a person wrote, edited or pinned it")
    TAKEN_BACK = "taken_back", _("is left: it was cut before, or its pieces were here, and that was taken back")
    MOVED = "moved", _("is left: it was changed meanwhile")
    FAILED = "failed", _("is left")


@dataclass(frozen=True)
class Piece:
    """`place` in the block: the same again for the same text."""

    place: int
    text: str


@dataclass(frozen=True)
class Cutting:
    """What the rules make of a block. `words`: what a person said that no unit holds. `dropped` by its reason."""

    units: tuple[Piece, ...]
    words: tuple[Piece, ...]
    dropped: Counter[str]

    @property
    def pieces(self) -> tuple[Piece, ...]:
        return (*self.units, *self.words)


@dataclass(frozen=True)
class Block:
    """`stored`: pieces that are new in memory, or would be; the others are there in the very same words."""

    id: int
    version: int
    cutting: Cutting
    fate: Fate
    stored: int = 0
    why: str = ""


@dataclass(frozen=True)
class Target:
    """As it was when the run began."""

    id: int
    version: int


def cutting(text: str) -> Cutting | None:
    """None for what is one unit already, and stays as it is."""
    found = cut(parse(text))
    if [unit.text for unit in found.units] == [text]:
        return None
    units, words = [unit.text for unit in found.units], [render(own) for own in map(_own, found.dropped) if own]
    pieces = tuple(Piece(place, one) for place, one in enumerate([*units, *words], 1))
    return Cutting(pieces[: len(units)], pieces[len(units) :], Counter(left.reason for left in found.dropped))


def _own(left: Dropped) -> list[Message]:
    """What a person said in what was left out; a pointer is nobody's words."""
    said = [message for message in left.messages if message.role == "user" and message.content.strip()]
    return [] if left.reason == "pointer" else said


def targets(owner: Account) -> list[Target]:
    """The blocks of the owner, oldest first."""
    rows = Entry.objects.of(owner).standing().filter(kind=Kind.EXCHANGE).order_by("id")
    found: list[Target] = []
    for ids in batched(list(rows.values_list("id", flat=True)), PAGE):
        some = rows.filter(pk__in=ids).values_list("id", "version", "text")
        found += [Target(pk, version) for pk, version, text in some if cutting(text)]
    return found


def plan(owner: Account) -> Iterator[Block]:
    """What `resplit` would do, block by block, each after the ones before it."""
    foreseen: set[str] = set()
    for target in targets(owner):
        entry = _as_it_was(owner, target)
        if entry is None:
            continue
        block = _judged(entry, target)
        if block.fate == Fate.CUT:
            new = [draft.text for draft in unseen(owner, _drafts(entry, block.cutting)) if draft.text not in foreseen]
            foreseen.update(new)
            block = replace(block, stored=len(new))
            if not new and _speaker(owner, entry, block.cutting) is None and not foreseen & _texts(block.cutting):
                block = replace(block, fate=Fate.TAKEN_BACK)
        yield block


def resplit(owner: Account, door: Ahead | None) -> Iterator[Block]:
    """Cut every block, and tell of each once it is done. A block and its pieces change in one transaction.

    Raises EmbeddingError where the embedder fails: what was told of is done, and another run goes on from there.
    """
    for target in targets(owner):
        entry = _as_it_was(owner, target)
        if entry is None:
            yield Block(target.id, target.version, Cutting((), (), Counter()), Fate.MOVED)
            continue
        block = _judged(entry, target)
        yield _cut(owner, entry, block, door) if block.fate == Fate.CUT else block


def _as_it_was(owner: Account, target: Target) -> Entry | None:
    return Entry.objects.of(owner).standing().filter(pk=target.id, version=target.version).first()


def _judged(entry: Entry, target: Target) -> Block:
    found = cutting(entry.text) or Cutting((), (), Counter())
    if is_persons(entry):
        fate = Fate.PERSONS
    elif Link.objects.filter(type=LinkType.SUPERSEDES, other=entry).exists():
        fate = Fate.TAKEN_BACK
    else:
        fate = Fate.CUT if found.units else Fate.REFUSED
    return Block(target.id, target.version, found, fate)


def _cut(owner: Account, entry: Entry, block: Block, door: Ahead | None) -> Block:
    drafts = _drafts(entry, block.cutting)
    if door:
        door.prepare([draft.text for draft in unseen(owner, drafts)])
    try:
        with transaction.atomic():
            return _put_in_its_place(owner, block, drafts, door)
    except EmbeddingError:
        raise
    except ForgeError as error:
        return replace(block, fate=Fate.FAILED, why=error.message)


def _put_in_its_place(owner: Account, block: Block, drafts: Sequence[Draft], door: Ahead | None) -> Block:
    entry = _as_it_was(owner, Target(block.id, block.version))
    if entry is None:
        return replace(block, fate=Fate.MOVED)
    cause = f"resplit #{entry.pk}"
    batch = remember_many(owner, drafts, actor=ACTOR, cause=cause, door=door)
    speaker = _speaker(owner, entry, block.cutting)
    if speaker is None:
        return replace(block, fate=Fate.TAKEN_BACK)
    relate(owner, speaker, LinkType.SUPERSEDES, entry.pk, actor=ACTOR, cause=cause)
    return replace(block, stored=len(batch.entries))


def _drafts(entry: Entry, found: Cutting) -> list[Draft]:
    """Without the block's message: what was forgotten of one piece would count for all of them."""
    name = entry.source if len(entry.source) <= 150 else digest(entry.source)
    return [
        Draft(
            text=piece.text,
            kind=Kind.EXCHANGE,
            project=entry.project,
            said_at=entry.said_at,
            origin=Origin.IMPORT,
            conversation=entry.conversation,
            source=f"{name or f'entry:{entry.address[:16]}'}/{piece.place}",
            sources=(entry.pk,),
        )
        for piece in found.pieces
    ]


def _texts(found: Cutting) -> set[str]:
    return {piece.text for piece in found.pieces}


def _speaker(owner: Account, entry: Entry, found: Cutting) -> int | None:
    """The first of the pieces that answers a search."""
    same = {sameness(piece.text) for piece in found.pieces}
    rows = Entry.objects.of(owner).standing().filter(kind=Kind.EXCHANGE, project=entry.project).exclude(pk=entry.pk)
    held: dict[str, int] = {}
    for some in batched(sorted(same)):
        held |= dict(rows.filter(sameness__in=some).order_by("-id").values_list("text", "id"))
    return next((held[piece.text] for piece in found.pieces if piece.text in held), None)
