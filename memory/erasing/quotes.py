"""Where other entries quote a forgotten text: what Forge wrote itself is masked, what a person wrote is named."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from django.utils import timezone

from forgesite.holding import holding
from forgesite.lib.masking import Texts, masked_prose
from forgesite.models import Account
from memory.embedding import Embedded
from memory.models import Entry, Kind, Link, LinkType, Origin, TextVersion
from memory.store import Moved

#: How a commit names it. `erased` lists the digests of the versions whose words went with the quotation.
MASK = "mask"
#: The lines of an exchange that one side begins with.
SIDES = re.compile(r"(?m)^(?=(?:user|assistant|system): )")
ANSWER = "assistant: "


@dataclass(frozen=True)
class Version:
    """A text that an entry has or had: the id and digest of its row."""

    pk: int
    text: str
    digest: str


@dataclass
class Quotes:
    """`versions`: rows of texts that go. `left`: entries of the person's own that quote it, and stay."""

    moved: list[Moved] = field(default_factory=list)
    versions: list[Version] = field(default_factory=list)
    left: list[int] = field(default_factory=list)

    def count(self, kind: Kind) -> int:
        return sum(moved.entry.kind == kind for moved in self.moved)


def quotes(owner: Account, ids: Collection[int], texts: Texts) -> Quotes:
    """Nothing is changed yet: the moves go into the commit that forgets, and the versions with it."""
    told: dict[int, list[Version]] = {}
    for pk, text, digest, entry in holding(TextVersion.objects.of(owner), ["text"], texts, ["digest", "entry"]):
        if entry not in ids and masked_prose(text, texts) != text:
            told.setdefault(entry, []).append(Version(pk, text, digest))
    folds = set(_folds(owner, ids)) if told else set()
    done = Quotes()
    for entry in Entry.objects.of(owner).filter(pk__in=told).order_by("id"):
        _quote(entry, told[entry.pk], texts, done, written=entry.kind == Kind.SUMMARY or entry.pk in folds)
    return done


def _folds(owner: Account, ids: Collection[int]) -> Sequence[int]:
    """What was written to speak for one of them, by no person."""
    speaking = Link.objects.of(owner).standing().filter(type=LinkType.SPEAKS_FOR, other__in=ids)
    return list(speaking.exclude(entry__origin=Origin.PERSON).values_list("entry", flat=True))


def _quote(entry: Entry, told: Sequence[Version], texts: Texts, done: Quotes, *, written: bool) -> None:
    if not written and entry.kind != Kind.EXCHANGE:
        done.left.append(entry.pk)
        return
    change = masked_prose if written else masked_answers
    going = [version for version in told if change(version.text, texts) != version.text]
    text = change(entry.text, texts)
    if masked_prose(text, texts) != text:
        done.left.append(entry.pk)
    if not going and text == entry.text:
        return
    done.versions += going
    erased = {"erased": sorted(version.digest for version in going)}
    done.moved.append(Moved(entry, MASK, _reworded(entry, text), erased))


def _reworded(entry: Entry, text: str) -> Embedded | None:
    """Its vectors are made anew by the worker: no network is called in a transaction."""
    if text == entry.text:
        return None
    entry.text, entry.updated_at = text, timezone.now()
    entry.version += 1
    return Embedded(())


def masked_answers(text: str, texts: Texts) -> str:
    """An exchange with every quotation replaced in what the assistant said, and nowhere else."""
    sides = SIDES.split(text)
    return "".join(masked_prose(side, texts) if side.startswith(ANSWER) else side for side in sides)
