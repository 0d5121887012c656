"""What a bulk act would take from answers: golden questions, and those that were asked lately, before and after it.

    watch = watched(owner)
    with transaction: act, watch.after() ── losses? ── roll back, and name them

The vectors of the questions are made before, so that nobody waits for an embedder while the transaction is open. What
is asked inside it is bounded, by count and by time; whoever reads the result is told how many questions were not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

from django.db import transaction
from django.utils.translation import ngettext

from forgesite.errors import ConflictError
from forgesite.lib.embeddings import Door
from forgesite.models import Account
from memory import embedding, golden
from memory.domain.golden import Asked, Change, Replay
from memory.finding.asked_once import AskedOnce
from memory.given.lately import Loss, given_lately, lately
from memory.golden import Wanted
from memory.keys import batched

#: Entries that an act is rehearsed with; of more the index would follow for half a minute and longer, with nobody else
#: let in to write.
REHEARSED = 200
#: Golden questions that are asked; those of late are no more than RECENT. One takes 10 ms at 5,000 entries.
MOST_GOLDEN = 50
#: So long questions are asked in the transaction, and so many before the clock is looked at.
SECONDS, AT_ONCE = 1.0, 8
NOTHING = Replay((), golden.TOP_K, golden.TOP_K)


class LosesError(ConflictError):
    """The act was not done: answers would lose entries. `detail` names the questions."""

    code = "loses_answers"

    @classmethod
    def of(cls, losses: Sequence[Loss]) -> LosesError:
        words = ngettext(
            "%(count)d question would be given less; nothing was changed. Send `force` to do it all the same.",
            "%(count)d questions would be given less; nothing was changed. Send `force` to do it all the same.",
            len(losses),
        )
        return cls(words % {"count": len(losses)}, detail=[asdict(loss) for loss in losses])


@dataclass(frozen=True)
class Guarded:
    """`asked`: questions that were asked before and after. `unlike`: those of them of which nothing can be said, since
    they were searched by meaning only once. `unasked`: those that there are besides. `certain` False: nothing was
    asked again; these are the questions that are given one of the entries, and some may be given it still."""

    losses: tuple[Loss, ...] = ()
    asked: int = 0
    unlike: int = 0
    certain: bool = True
    unasked: int = 0


@dataclass(frozen=True)
class Watch:
    """The questions as they are answered now. `unasked`: golden questions that are too many; `seconds`: as SECONDS."""

    owner: Account
    wanted: tuple[Wanted, ...] = ()
    before: Replay = NOTHING
    runs: Mapping[int, str] = field(default_factory=dict)
    door: Door | None = None
    unasked: int = 0
    seconds: float = SECONDS

    def after(self) -> Guarded:
        """Ask them again, as long as there is time: what they are no longer given. Call it in the transaction of the
        act."""
        found = asked_until(time.monotonic() + self.seconds, self.owner, self.wanted, self.door)
        compared, asked = golden.compare(self.before, found), len(found.questions)
        losses = tuple(self._loss(change) for change in compared.worse)
        return Guarded(losses, asked, len(compared.unlike), unasked=self.unasked + len(self.wanted) - asked)

    def _loss(self, change: Change) -> Loss:
        run = self.runs.get(change.id)
        return Loss(change.text, change.lost, None if run is not None else change.id, run or "")


def rehearsed(owner: Account, act: Callable[[], object], *, touching: Collection[int] | None = None) -> Guarded:
    """Do it, look what answers lose, and take it back before anybody sees it. Raises whatever the act does.

    `touching`: the act takes rows away or moves them, these alone, so that only questions that are given one can lose.
    Where there are more than REHEARSED of them, the questions are looked up, and nothing is tried.
    """
    if touching is not None and len(touching) > REHEARSED:
        return looked_up(owner, touching)
    watch = watched(owner, touching=touching)
    if not watch.wanted:
        return Guarded(unasked=watch.unasked)
    with transaction.atomic():
        act()
        found = watch.after()
        transaction.set_rollback(True)
    return found


def looked_up(owner: Account, ids: Collection[int]) -> Guarded:
    """The questions, golden and late, that have one of these entries among what they are given."""
    gone = frozenset(ids)
    stars = [Loss(each.question.text, each.entries, golden=each.question.pk) for each in golden.losing(owner, gone)]
    named = {loss.text for loss in stars}
    return Guarded((*stars, *(loss for loss in given_lately(owner, gone) if loss.text not in named)), certain=False)


def watched(owner: Account, *, touching: Collection[int] | None = None, most: int = MOST_GOLDEN) -> Watch:
    """Ask the golden questions, and the newest that receipts hold the words of. Writes nothing.

    Of more golden questions than `most` those that name one of `touching` come first, then the newest.
    """
    stars = [golden.wanted(each) for each in golden.golden_questions(owner)]
    recent = list(lately(owner, besides={each.query.text for each in stars}))
    runs = {each.wanted.id: each.run for each in recent}
    first, newest = _touched(owner, stars, touching)[:most], [each.wanted for each in recent]
    named = {each.id for each in first}
    others = [each for each in stars if each.id not in named][: most - len(first)]
    wanted = [*first, *_touched(owner, newest, touching), *others]
    served = embedding.served()
    door = AskedOnce(served) if served else None
    before = golden.asked_again(owner, wanted, door=door)
    given = [_given_now(each, asked, before) if each.id in runs else each for each, asked in _paired(wanted, before)]
    unasked = len(stars) - len(first) - len(others)
    return Watch(owner, tuple(each for each in given if each.right), before, runs, door, unasked)


def asked_until(end: float, owner: Account, wanted: Sequence[Wanted], door: Door | None) -> Replay:
    """As many of them, in their order, as there is time for until `end` of `time.monotonic`; some at any rate."""
    found = NOTHING
    for some in batched(wanted, AT_ONCE):
        more = golden.asked_again(owner, some, door=door)
        found = replace(more, questions=(*found.questions, *more.questions))
        if time.monotonic() > end:
            break
    return found


def told(asked: int, unasked: int) -> str:
    """That there are questions which nobody asked; empty where there is none."""
    if not unasked:
        return ""
    words = ngettext(
        "%(count)d question was not asked: beside %(asked)d no time was left, for nobody else can write meanwhile.",
        "%(count)d questions were not asked: beside %(asked)d no time was left, for nobody else can write meanwhile.",
        unasked,
    )
    return words % {"asked": asked, "count": unasked}


def _touched(owner: Account, asked: Sequence[Wanted], touching: Collection[int] | None) -> list[Wanted]:
    """Those that are given one of these, or what stands for it now."""
    if touching is None:
        return list(asked)
    chains, ids = golden.chains_of(owner, {pk for each in asked for pk in each.right}), frozenset(touching)
    return [each for each in asked if any(not ids.isdisjoint(chains[pk]) for pk in each.right)]


def _paired(wanted: Sequence[Wanted], replay: Replay) -> Iterator[tuple[Wanted, Asked]]:
    return zip(wanted, replay.questions, strict=True)


def _given_now(wanted: Wanted, asked: Asked, replay: Replay) -> Wanted:
    """What it was given then and is no longer is not lost by the act."""
    now = {right.entry for right in asked.right if right.rank is not None and right.rank <= replay.given}
    return replace(wanted, right=tuple(pk for pk in wanted.right if pk in now))
