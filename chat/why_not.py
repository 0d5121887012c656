"""Why a run used this, and why not that: its receipts, and the words for what they say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from chat.errors import NoReceiptError
from forgesite.errors import EmptyError, InvalidError
from memory import why_not as looking
from memory.given.words import STAGE_WORDS, detail, remedy
from memory.models import Receipt
from memory.receipts import receipts_of
from traces.records import run_of

if TYPE_CHECKING:
    from forgesite.models import Account


@dataclass(frozen=True)
class WhyNot:
    """`stage` and `rule` by their codes, `words`: the stage as a person reads it.

    `entry`: the one that it is about; `same`: it says the text that was asked for, else it is the closest to it.
    """

    stage: str
    rule: str
    words: str
    detail: str
    remedy: str
    entry: int | None = None
    same: bool = True
    distance: float | None = None
    cutoff: float | None = None
    rank: int | None = None
    by: float | None = None
    superseded_by: int | None = None
    refusal: int | None = None
    receipt: str | None = None


def receipts(owner: Account, run_id: str) -> list[Receipt]:
    """The run's, in order. Raises UnknownError for no run of the owner's, NoReceiptError where it has none."""
    if not (found := receipts_of(owner, run_id)):
        run = run_of(owner, run_id)
        raise NoReceiptError(
            _("Run %(run)s has no receipt: it asked nothing of memory, or was before receipts were kept.")
            % {"run": run.run_id}
        )
    return found


def why_not(owner: Account, run_id: str, *, entry: int | None = None, q: str = "") -> WhyNot:
    """Of an entry by its id, or of a text. Raises as `receipts` does, UnknownError for no entry of the owner's, and
    EmptyError or InvalidError where neither or both are named."""
    if entry is not None and q:
        raise InvalidError(_("Name an entry or a text, not both."))
    if entry is None and not q.strip():
        raise EmptyError(_("Name an entry by its number, or a text."))
    found = receipts(owner, run_id)
    answer = looking.of_text(owner, found, q) if entry is None else looking.of_entry(owner, found, entry)
    verdict, facts = answer.verdict, answer.verdict.facts
    return WhyNot(
        stage=verdict.stage,
        rule=verdict.rule,
        words=str(STAGE_WORDS[verdict.stage]),
        detail=detail(answer),
        remedy=remedy(verdict),
        entry=answer.entry,
        same=answer.same,
        distance=facts.get("distance"),
        cutoff=facts.get("cutoff"),
        rank=facts.get("rank"),
        by=facts.get("by") if verdict.stage in ("cutoff", "budget", "skipped") else None,
        superseded_by=facts.get("by") if verdict.stage == "superseded" else None,
        refusal=answer.refusal.pk if answer.refusal else None,
        receipt=answer.receipt.address if answer.receipt else None,
    )
