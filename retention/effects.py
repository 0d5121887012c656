"""What a yes would change in answers: it is said, looked at and taken back, before anybody sees it.

Golden questions and those of past answers are asked before and after it. Their vectors are made before, so that no
embedder is waited for while nobody else may write.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from forgesite.lib.embeddings import Door
from forgesite.models import Account
from memory import embedding, golden
from memory.domain.golden import Asked as Found
from memory.domain.golden import Change, Replay
from memory.domain.receipt import HOT, Asked
from memory.errors import NoReplayError
from memory.finding.asked_once import AskedOnce
from memory.given.lately import UNASKED
from memory.golden import Wanted
from memory.guard import SECONDS, asked_until
from memory.models import GoldenQuestion, Receipt, ReceiptEntry
from memory.receipts import query_of, said_of
from retention import review
from retention.models import Action, Proposal, Resolution, Status

#: The newest answers whose questions are asked again, and golden questions: what names the entry first, then the
#: newest. Each is a recall before, and one more with nobody else let in to write: 8 ms each at 5,000 entries.
MOST_ANSWERS, MOST_GOLDEN = 20, 30


@dataclass(frozen=True)
class PastAnswer:
    """What was asked, by which run, and when."""

    text: str
    run: str
    at: datetime


@dataclass(frozen=True)
class Effect:
    """Of one way to say yes; `resolution` is empty where there is only one. `worse`: the golden questions that lose.

    Of the past answers those that would be given the successor `instead`; the entry `still`, though it is put away; or
    neither, `gone`.
    """

    resolution: str = ""
    worse: tuple[Change, ...] = ()
    instead: tuple[PastAnswer, ...] = ()
    still: tuple[PastAnswer, ...] = ()
    gone: tuple[PastAnswer, ...] = ()


@dataclass(frozen=True)
class Effects:
    """`golden`, `asked`: questions that were asked, of so many golden ones and answers that there are (`every_golden`,
    `answers`); `unasked`: those for which there was no time. `no_more`: past answers that would not be given the entry
    today either. `unlike`: questions of which nothing can be said, since they were searched by meaning only once.
    `degraded`: some were searched by words alone.
    """

    ways: tuple[Effect, ...] = ()
    golden: int = 0
    every_golden: int = 0
    asked: int = 0
    answers: int = 0
    unasked: int = 0
    no_more: int = 0
    unlike: int = 0
    degraded: bool = False


@dataclass(frozen=True)
class _Past:
    answer: PastAnswer
    wanted: Wanted


def effects(owner: Account, some: Sequence[Proposal], *, seconds: float = SECONDS) -> Effects:
    """Of a yes to all of these at once, those that wait; of a single conflict, of either way that changes something.

    What only saves a new entry takes nothing away and is left out; of several, so is what a yes to it would be refused
    for. Writes nothing. Raises what `accept` does, of one. `seconds`: as in guard.py, of each way.
    """
    judged = [one for one in some if one.memory_id and one.status == Status.PROPOSED]
    judged = [one for one in judged if len(some) == 1 or review.is_as_judged(one)]
    ids = {one.memory_id for one in judged if one.memory_id}
    if not ids:
        return Effects()
    naming, others = _stars(owner, ids)
    past = list(_past(owner, ids))
    asked = [*naming, *(each.wanted for each in past), *others]
    served = embedding.served()
    door = AskedOnce(served) if served else None
    before = golden.asked_again(owner, asked, door=door)
    afters = [(way, _after(owner, judged, way, asked, door, seconds)) for way in _ways(judged)]
    done = frozenset.intersection(*(frozenset(after.by_id) for _way, after in afters))
    reached = [each for each in past if each.wanted.id in done]
    given = [each for each in reached if _given(before, each.wanted.id)]
    return Effects(
        ways=tuple(_effect(way, given, before, after) for way, after in afters),
        golden=sum(pk > 0 for pk in done),
        every_golden=GoldenQuestion.objects.of(owner).count(),
        asked=len(reached),
        answers=_answers(owner, ids).count(),
        unasked=len(asked) - len(done),
        no_more=len(reached) - len(given),
        unlike=max(len(golden.compare(before, after).unlike) for _way, after in afters),
        degraded=any(question.degraded for question in before.questions),
    )


def _ways(judged: Sequence[Proposal]) -> tuple[str, ...]:
    """To mark a conflict changes no answer, and several at once are only marked."""
    if [one.action for one in judged] == [Action.CONFLICT]:
        return (Resolution.SUPERSEDE, Resolution.ARCHIVE_OLDER)
    return ("",)


def _after(
    owner: Account,
    judged: Sequence[Proposal],
    resolution: str,
    asked: Sequence[Wanted],
    door: Door | None,
    seconds: float,
) -> Replay:
    """Of as many of them as there is time for."""
    end = time.monotonic() + seconds
    with transaction.atomic():
        for one in judged:
            review.accept(owner, one.pk, resolution=resolution, seen=review.versions(one))
        found = asked_until(end, owner, asked, door)
        transaction.set_rollback(True)
    return found


def _effect(resolution: str, given: Sequence[_Past], before: Replay, after: Replay) -> Effect:
    compared = golden.compare(before, after)
    unlike = {change.id for change in compared.unlike}
    found: dict[str, list[PastAnswer]] = {"instead": [], "still": [], "gone": []}
    for each in given:
        if each.wanted.id not in unlike:
            found[_became(each.wanted.id, before, after)].append(each.answer)
    worse = tuple(change for change in compared.worse if change.id > 0)
    return Effect(resolution, worse, **{name: tuple(some) for name, some in found.items()})


def _became(number: int, before: Replay, after: Replay) -> str:
    had, has = _given(before, number), _given(after, number)
    if had - has:
        return "gone"
    stands = {right.entry: right.stands for right in after.by_id[number].right}
    return "instead" if any(stands[entry] != entry for entry in had) else "still"


def _given(replay: Replay, number: int) -> set[int]:
    """The entries that a turn is given for it, or what stands for them."""
    found: Found = replay.by_id[number]
    return {right.entry for right in found.right if right.rank is not None and right.rank <= replay.given}


def _stars(owner: Account, ids: Collection[int]) -> tuple[list[Wanted], list[Wanted]]:
    """Those that name one of the entries; and the newest of the others, as far as there is room."""
    rows = golden.with_right(owner, GoldenQuestion.objects.of(owner))
    naming = list(rows.filter(right__entry__in=ids).distinct()[:MOST_GOLDEN])
    others = rows.exclude(pk__in=[row.pk for row in naming])[: MOST_GOLDEN - len(naming)]
    return [golden.wanted(row) for row in naming], [golden.wanted(row) for row in others]


def _answers(owner: Account, ids: Collection[int]) -> QuerySet[Receipt]:
    naming = ReceiptEntry.objects.filter(entry__in=ids).values("receipt")
    return Receipt.objects.of(owner).filter(pk__in=naming)


def _past(owner: Account, ids: Collection[int]) -> Iterator[_Past]:
    """The questions of the newest answers that were given one of the entries, each once, by numbers below zero."""
    seen: set[tuple[str, str | None]] = set()
    for receipt in _answers(owner, ids).exclude(questions=[]).order_by("-number")[:MOST_ANSWERS]:
        for place, given in _places(receipt, ids):
            wanted = _wanted(receipt, place, given, -len(seen) - 1)
            if wanted and (name := (wanted.query.text, wanted.query.project)) not in seen:
                seen.add(name)
                yield _Past(PastAnswer(wanted.query.text, receipt.run_id, receipt.at), wanted)


def _places(receipt: Receipt, ids: Collection[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Its recalls that gave one of them. A body that is damaged is left to `verify`, which names it."""
    try:
        recalls = said_of(receipt).recalls
    except (KeyError, TypeError, AttributeError, ValueError):
        return
    for place, asked in enumerate(recalls):
        if "as_of" not in asked.filters and (given := tuple(dict.fromkeys(_of_these(asked, ids)))):
            yield place, given


def _of_these(asked: Asked, ids: Collection[int]) -> Iterator[int]:
    """What the prompt held already counts as given: a recall found it."""
    yield from (row.id for row in asked.given if row.id in ids and row.channel not in UNASKED)
    yield from (row.id for row in asked.left_out if row.id in ids and row.reason == HOT)


def _wanted(receipt: Receipt, place: int, given: tuple[int, ...], number: int) -> Wanted | None:
    """None where its words are erased."""
    try:
        query = query_of(receipt, place)
    except NoReplayError:
        return None
    return Wanted(number, replace(query, as_of="", policy=""), given)
