"""Folds that Forge makes by itself, where it is set so: after a compaction, in the worker."""

from __future__ import annotations

import logging

from django.conf import settings

from forgesite import job
from forgesite.models import Account
from memory.errors import EmbeddingError
from memory.fold import apply
from memory.models import Origin

log = logging.getLogger(__name__)
#: The job by its dotted name.
FOLD = "memory.folds.job.fold"


def after_compaction(owner: Account) -> None:
    """Queue one, where it is on. Whatever goes wrong here, the compaction is done and stays so."""
    if not settings.FORGE.COMPACTION_AGGREGATE:
        return
    try:
        job.enqueue(FOLD, key=f"fold {owner.pk}", owner=owner.pk)
    except Exception:
        log.exception("no fold queued owner=%d", owner.pk)


def fold(owner: int) -> int:
    """All that the plan accepts. How many folds were written; with nothing to fold, or run again, none.

    While the embedder is down nothing is written, and the next compaction tries again.
    """
    account = Account.objects.filter(pk=owner).first()
    if account is None or not settings.FORGE.COMPACTION_AGGREGATE:
        return 0
    try:
        done = apply(account, actor=Origin.COMPACTION, cause="fold after a compaction")
    except EmbeddingError as error:
        log.warning("fold owner=%d waits: %s", owner, error.message)
        return 0
    for each in done.done:
        log.info(
            "fold owner=%d entry=%d sources=%d saved=%d", owner, each.id, len(each.fold.folds), each.fold.tokens[1]
        )
    for left in done.dropped:
        log.info("fold owner=%d subject=%s refused=%s", owner, left.subject, left.refused)
    return len(done.done)
