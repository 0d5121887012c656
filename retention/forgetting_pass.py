"""One run of the judge over an account: it proposes, and changes nothing of memory.

Every batch is stored in one transaction, so that a pass that is killed has lost the batch it was at, and the next one
goes on with what was not judged yet. Two at once judge the same, and store it once.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from forgesite.models import Account
from forgesite.owned import owner_id
from retention import candidates, judges, keeping
from retention.domain.items import Item, Verdict
from retention.errors import DisabledError, JudgeError
from retention.judges import Judge
from retention.keeping import Kept
from retention.models import Pass
from traces.recorder import Recorder

log = logging.getLogger(__name__)
#: Kept of why something was not judged.
MOST_TROUBLE, LONGEST_TROUBLE = 20, 300


@dataclass
class Passed:
    """What a pass did, or would do. `left`: candidates that it did not come to; the next one does. `cut`: for time."""

    run_id: str = ""
    judge: str = ""
    candidates: int = 0
    judged: int = 0
    proposed: int = 0
    dismissed: int = 0
    left: int = 0
    cut: bool = False
    trouble: list[str] = field(default_factory=list)

    def add(self, why: str) -> None:
        if why[:LONGEST_TROUBLE] not in self.trouble and len(self.trouble) < MOST_TROUBLE:
            self.trouble.append(why[:LONGEST_TROUBLE])


def refuse_disabled() -> None:
    """Raises DisabledError."""
    if not settings.FORGE.FORGETTING_PASS_ENABLED:
        raise DisabledError(_("The forgetting pass is off. FORGETTING_PASS_ENABLED=true turns it on."))


def preview(owner: Account, *, judge: Judge | None = None) -> Passed:
    """What a pass would do now. Nothing is written and no model is asked: of the judge `model` only the candidates are
    known. `judge`: another one than the settings name. Raises DisabledError."""
    refuse_disabled()
    now = timezone.now()
    looked_at = candidates.found(owner, now)
    items = looked_at.candidates.items
    done = Passed(candidates=len(items), left=sum(looked_at.candidates.left), trouble=list(looked_at.notes))
    if judge is None and not judges.is_local():
        done.add(_("No model was asked."))
        return done
    judge = judge or judges.judge(owner)
    done.judge = judge.name
    taken: set[tuple[int, str]] = set()
    for batch in judge.batches(items, now):
        verdicts = judge.judged(owner, batch, now)
        taken |= keeping.open_ones(owner, verdicts)
        plan = keeping.planned(verdicts, judges.thresholds(owner, judge.name), taken)
        done.judged += len(plan)
        done.proposed += sum(one.proposes for one in plan)
    done.dismissed = done.judged - done.proposed
    return done


def run(owner: Account, *, seconds: float | None = None, judge: Judge | None = None) -> Passed:
    """Judge what there is, and store it. Raises DisabledError; a judge that cannot be asked is told in `trouble`.

    `seconds`: no further batch is begun after that time. `judge`: another one than the settings name.
    """
    refuse_disabled()
    done = Passed(run_id=secrets.token_hex(16), judge=settings.FORGE.JUDGE)
    trace = Recorder(owner, run_id=done.run_id, conversation="", text=_("Forgetting pass"))
    row = Pass.objects.create(owner_id=owner_id(owner), run_id=done.run_id, judge=done.judge)
    end = None if seconds is None else time.monotonic() + seconds
    ok, failure = False, "stopped"
    try:
        _carried_out(owner, row, done, trace, end, judge)
        ok, failure = True, ""
    finally:
        _finish(row, done)
        trace.finish(
            ok=ok, error={"code": failure, "message": failure} if failure else None, degraded=" ".join(done.trouble)
        )
    log.info(
        "forgetting pass owner=%d judge=%s candidates=%d judged=%d proposed=%d dismissed=%d left=%d",
        *(owner.pk, done.judge, done.candidates, done.judged, done.proposed, done.dismissed, done.left),
    )
    return done


def _carried_out(
    owner: Account, row: Pass, done: Passed, trace: Recorder, end: float | None, named: Judge | None
) -> None:
    now = timezone.now()
    try:
        judge = named or judges.judge(owner)
    except JudgeError as error:  # not one entry is read for a judge that is not there
        done.add(error.message)
        return
    done.judge = judge.name
    with trace.step("candidates") as step:
        keeping.withdraw_outdated(owner)
        looked_at = candidates.found(owner, now)
        items = looked_at.candidates.items
        done.candidates, done.left = len(items), sum(looked_at.candidates.left)
        for note in looked_at.notes:
            done.add(note)
        step.detail = {"singles": len(looked_at.candidates.singles), "pairs": len(looked_at.candidates.pairs)}
    tried = 0
    for batch in judge.batches(items, now):
        if end is not None and time.monotonic() > end:
            done.cut = True
            done.add(_("There was no time for all of them: the next pass goes on."))
            break
        tried += len(batch)
        if not _judge(owner, row, done, trace, judge, batch):
            break
    done.left += len(items) - tried


def _judge(owner: Account, row: Pass, done: Passed, trace: Recorder, judge: Judge, batch: list[Item]) -> bool:
    """One batch. False: there is no use in another one."""
    with trace.step("judge") as step:
        verdicts = _verdicts(owner, done, judge, batch, timezone.now())
        done.judge = judge.name
        for why in judge.trouble:
            done.add(why)
        if verdicts is None:
            step.fail(done.trouble[-1] if done.trouble else "")
            return False
        kept = _kept(owner, row, done, verdicts)
        step.detail = {"items": len(batch), "proposed": kept.proposed, "dismissed": kept.dismissed}
    return True


def _kept(owner: Account, row: Pass, done: Passed, verdicts: Sequence[Verdict]) -> Kept:
    """In one transaction with the counts: a pass that is killed says no less than it stored."""
    with transaction.atomic():
        kept = keeping.keep(owner, row, verdicts, done.judge, judges.thresholds(owner, done.judge))
        done.judged += kept.proposed + kept.dismissed
        done.proposed += kept.proposed
        done.dismissed += kept.dismissed
        if kept.moved:
            done.add(_("What moved while it was judged was left alone."))
        _keep_counts(row, done)
    return kept


def _verdicts(owner: Account, done: Passed, judge: Judge, batch: list[Item], now: datetime) -> Sequence[Verdict] | None:
    """None: the judge is not to be asked again in this pass. Of a batch that it gave no verdicts of, none."""
    try:
        return judge.judged(owner, batch, now)
    except JudgeError as error:
        done.add(error.message)
        return None if error.ends_pass else []


def _keep_counts(row: Pass, done: Passed) -> None:
    for name in ("judge", "candidates", "judged", "proposed", "dismissed", "trouble"):
        setattr(row, name, getattr(done, name))
    row.save(update_fields=["judge", "candidates", "judged", "proposed", "dismissed", "trouble", "ended_at"])


def _finish(row: Pass, done: Passed) -> None:
    row.ended_at = timezone.now()
    _keep_counts(row, done)
