"""Golden questions: a person starred them with their right entries, and they must go on finding those.

Whatever changes memory or how it is searched replays them before and after, and says which find less:

    before = replay(owner)
    ...                                      # fold, import, embed anew
    compare(before, replayed(owner))

For a preview of what takes rows away, `replay(owner, without=ids)` leaves them out of what is found.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Prefetch, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from forgesite.errors import EmptyError, InvalidError, UnknownError
from forgesite.lib.embeddings import Door
from forgesite.models import Account
from forgesite.owned import owner_id
from memory.domain.golden import Asked, Change, Comparison, Replay, Right, compare
from memory.domain.wording import clean
from memory.models import Entry, GoldenEntry, GoldenQuestion
from memory.recall import MOST_ROWS, Query, recall
from memory.receipts import question_of, receipts_of, said_of

__all__ = [
    "Asked",
    "Change",
    "Comparison",
    "Losing",
    "Replay",
    "Right",
    "Wanted",
    "asked_again",
    "chains_of",
    "compare",
    "golden_questions",
    "kept",
    "losing",
    "of_run",
    "replay",
    "replayed",
    "since_last",
    "star",
    "unstar",
    "wanted",
    "with_right",
]

TOP_K = 10
#: Right entries of one question: no turn is given more rows than these.
MOST_ENTRIES = MOST_ROWS
#: Steps from an entry to what stands for it in the end.
MOST_STEPS = 32


@dataclass(frozen=True)
class Losing:
    """A question of which right entries would go. `left`: how many it would still have."""

    question: GoldenQuestion
    entries: tuple[int, ...]
    left: int


@dataclass(frozen=True)
class Wanted:
    """A question to be asked, and the entries that it should find. `id`: its number among those asked with it."""

    id: int
    query: Query
    right: tuple[int, ...]


def golden_questions(owner: Account) -> list[GoldenQuestion]:
    """Newest first, each with its right entries at hand."""
    return list(with_right(owner, GoldenQuestion.objects.of(owner)))


def with_right(owner: Account, questions: QuerySet[GoldenQuestion]) -> QuerySet[GoldenQuestion]:
    """Of an entry that another program deleted a row is left: that names nothing."""
    rows = GoldenEntry.objects.filter(entry__owner=owner_id(owner)).select_related("entry").order_by("entry_id")
    return questions.prefetch_related(Prefetch("right", rows))


def star(
    owner: Account, text: str, entries: Sequence[int], *, run_id: str = "", message: int | None = None
) -> GoldenQuestion:
    """A golden question with its right entries, asked once at once. The same words again: those entries are added.

    Raises EmptyError for a blank text, InvalidError for no entry or too many, UnknownError for one that is not theirs.
    """
    words = clean(text).text.strip()
    if not words:
        raise EmptyError(_("A golden question needs words: this one is blank."))
    right = _right_ones(owner, entries)
    with transaction.atomic():
        found = GoldenQuestion.objects.of(owner).filter(text=words).first()
        question = found or GoldenQuestion.objects.create(
            owner_id=owner_id(owner), text=words, run_id=run_id[:32], message=message
        )
        for entry in right:
            GoldenEntry.objects.get_or_create(question=question, entry=entry)
    replayed(owner, only=[question.pk])
    return with_right(owner, GoldenQuestion.objects.of(owner)).get(pk=question.pk)


def unstar(owner: Account, question_id: int) -> None:
    """Raises UnknownError where it is not theirs."""
    GoldenQuestion.objects.one_of(owner, pk=question_id).delete()


def replay(
    owner: Account, *, top_k: int = TOP_K, without: Collection[int] = (), only: Collection[int] | None = None
) -> Replay:
    """Ask the questions (`only`: those ids) as a turn would, and see where their right entries are. Writes nothing.

    An entry that was replaced or folded counts by what stands for it now. `without`: rows that are left out of what is
    found, as if they were gone; what they weighed in the order of others stays, so it is close, and not the very same.
    """
    asked = [one for one in golden_questions(owner) if only is None or one.pk in only]
    return asked_again(owner, [wanted(one) for one in asked], top_k=top_k, without=without)


def wanted(question: GoldenQuestion) -> Wanted:
    return Wanted(question.pk, Query(question.text), tuple(row.entry_id for row in question.right.all()))


def asked_again(
    owner: Account,
    questions: Sequence[Wanted],
    *,
    top_k: int = TOP_K,
    without: Collection[int] = (),
    door: Door | None = None,
) -> Replay:
    """The same of any questions, golden or not. `door`: the embedder, where it is not the one in force."""
    chains = chains_of(owner, {pk for one in questions for pk in one.right})
    given = min(settings.FORGE.RECALL_TOP_K, top_k)
    asked = (_ask(owner, one, chains, top_k, frozenset(without), door) for one in questions)
    return Replay(tuple(asked), top_k, given)


def replayed(owner: Account, *, top_k: int = TOP_K, only: Collection[int] | None = None) -> Replay:
    """The same, kept with the questions as their last result."""
    found = replay(owner, top_k=top_k, only=only)
    for asked in found.questions:
        GoldenQuestion.objects.of(owner).filter(pk=asked.id).update(last_result=_result(found, asked))
    return found


def since_last(owner: Account) -> Comparison:
    """Replay, and compare with the last results. A question that was never asked before is compared with nothing."""
    before = kept(owner)
    return compare(before, replayed(owner))


def kept(owner: Account) -> Replay:
    """What the last replay found, of the questions that have been asked."""
    rows = [(row, row.last_result) for row in GoldenQuestion.objects.of(owner) if row.last_result]
    top_k = min((result["top_k"] for _row, result in rows), default=TOP_K)
    asked = (_as_asked(row, result) for row, result in rows)
    return Replay(tuple(asked), top_k, min(settings.FORGE.RECALL_TOP_K, top_k))


def losing(owner: Account, ids: Collection[int]) -> list[Losing]:
    """The golden questions that have these entries among their right ones, or entries that these stand for."""
    right: dict[int, list[int]] = {}
    rows = GoldenEntry.objects.filter(question__owner=owner_id(owner), entry__owner=owner_id(owner))
    for question, entry in rows.order_by("-question", "entry").values_list("question", "entry"):
        right.setdefault(question, []).append(entry)
    chains = chains_of(owner, {pk for entries in right.values() for pk in entries})
    gone = {pk for pk, chain in chains.items() if pk in ids or chain[-1] in ids}
    lost = {question: entries for question, entries in right.items() if not gone.isdisjoint(entries)}
    found = GoldenQuestion.objects.of(owner).in_bulk(lost)
    parted = ((pk, tuple(one for one in entries if one in gone), len(entries)) for pk, entries in lost.items())
    return [Losing(found[pk], going, count - len(going)) for pk, going, count in parted if pk in found]


def _right_ones(owner: Account, ids: Sequence[int]) -> list[Entry]:
    wanted = list(dict.fromkeys(ids))
    if not 1 <= len(wanted) <= MOST_ENTRIES:
        raise InvalidError(
            _("A golden question has 1 to %(most)d right entries; %(count)d are named.")
            % {"most": MOST_ENTRIES, "count": len(wanted)}
        )
    found = Entry.objects.of(owner).in_bulk(wanted)
    if missing := [pk for pk in wanted if pk not in found]:
        raise UnknownError(_("No entry with id %(id)s.") % {"id": ", ".join(map(str, missing))})
    return [found[pk] for pk in wanted]


def chains_of(owner: Account, ids: Collection[int]) -> dict[int, tuple[int, ...]]:
    """Each entry with those that stand for it, the last of them being the one that does now."""
    speaks: dict[int, int | None] = {}
    wanted = set(ids)
    for _step in range(MOST_STEPS):
        rows = Entry.objects.of(owner).filter(pk__in=wanted - speaks.keys()).values_list("pk", "superseded_by")
        speaks |= dict(rows)
        wanted = {by for by in speaks.values() if by is not None and by not in speaks}
        if not wanted:
            break
    return {pk: _chain(pk, speaks) for pk in ids}


def _chain(pk: int, speaks: dict[int, int | None]) -> tuple[int, ...]:
    chain = [pk]
    while (by := speaks.get(chain[-1])) is not None and by in speaks and by not in chain:
        chain.append(by)
    return tuple(chain)


def _ask(
    owner: Account,
    question: Wanted,
    chains: dict[int, tuple[int, ...]],
    top_k: int,
    without: frozenset[int],
    door: Door | None,
) -> Asked:
    most = min(MOST_ROWS, top_k + len(without))
    query = replace(question.query, top_k=most, for_prompt=True, beside_todos=True)
    found = recall(owner, query, door=door)
    rows = [row.entry.pk for row in found.rows if row.entry.pk not in without]
    ranks = {} if found.nothing else {pk: rank for rank, pk in enumerate(rows[:top_k], 1)}
    right = (_placed(pk, chains[pk], ranks) for pk in question.right)
    return Asked(question.id, query.text, tuple(right), found.degraded)


def _placed(entry: int, chain: Sequence[int], ranks: dict[int, int]) -> Right:
    return Right(entry, chain[-1], min((ranks[pk] for pk in chain if pk in ranks), default=None))


def _result(found: Replay, asked: Asked) -> dict[str, Any]:
    return {
        "at": timezone.now().isoformat(timespec="seconds"),
        "top_k": found.top_k,
        "given": found.given,
        "reached": asked.reached,
        "right": [asdict(right) for right in asked.right],
        "degraded": asked.degraded,
    }


def _as_asked(row: GoldenQuestion, result: dict[str, Any]) -> Asked:
    return Asked(row.pk, row.text, tuple(Right(**right) for right in result["right"]), result["degraded"])


def of_run(owner: Account, run_id: str) -> tuple[str, tuple[int, ...]]:
    """What a run asked of memory first, and the entries that it was given for it: what a star would begin with.

    Empty where the run asked nothing, or its words are erased.
    """
    for receipt in receipts_of(owner, run_id):
        for place, asked in enumerate(said_of(receipt).recalls):
            if told := question_of(receipt, place):
                return told["text"], tuple(row.id for row in asked.given)
    return "", ()
