"""Receipts: what a run was given of memory and what was left out, sealed into its owner's chain; and read again."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from forgesite.errors import UnknownError
from forgesite.lib.embeddings import Door
from forgesite.models import Account
from forgesite.owned import owner_id
from memory import change_log, ledger
from memory.domain.chain import canonical, moment, sha256
from memory.domain.receipt import Asked, Place, Prompt, Said, body_of, said_in, salted
from memory.errors import NoReplayError
from memory.finding.opening import INDEX
from memory.given.gathered import Gathered, questions, said
from memory.models import Receipt, Tombstone
from memory.recall import recall
from memory.recalled import Head, Query, Recalled

# As in ledger.py: statements of each turn, quicker than the ORM can say them.
LAST = "SELECT number, address, at FROM memory_receipt WHERE owner_id = %s ORDER BY number DESC LIMIT 1"
WRITE = """
INSERT INTO memory_receipt
(owner_id, number, address, parent, at, run_id, tick, head, body, salt, questions, prefix_salt)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s) RETURNING id
"""
NAME = "INSERT INTO memory_receiptentry (receipt_id, entry) VALUES (%s, %s)"
#: So much of an address names a receipt to a person.
NAMED = 12


def seal(
    owner: Account,
    gathered: Gathered,
    *,
    run_id: str,
    part: int = 1,
    before: str = "",
    prompt: Prompt | None = None,
    keep_words: bool = True,
    since: datetime | None = None,
) -> str:
    """Add what was gathered to the owner's chain of receipts, in one transaction. Returns the address.

    `before`: the address of the run's receipt before this one, of which this is the part after. `keep_words` False: the
    questions stand nowhere, and nobody can try a guess at them, nor at what the prompt began with. So too where
    something was forgotten `since`, when the run began: it may have read the words before.
    """
    salt, prefix_salt = secrets.token_hex(16), secrets.token_hex(16)
    with change_log.ours(savepoint=False):
        head, kept = _head(owner), keep_words and not _forgot(owner, since)
        number, parent, at = _last(owner)
        place = Place(
            owner=owner_id(owner),
            number=number + 1,
            parent=parent,
            at=moment(at) or "",
            run=run_id,
            tick=head.tick,
            head=head.address,
            part=part,
            before=before,
        )
        told = said(owner, gathered, salt, prompt.salted(prefix_salt) if prompt else None, head)
        body = canonical(body_of(place, told))
        words = (salt, canonical(questions(gathered))) if kept and gathered.found else ("", "[]")
        _write(place, at, body, (*words, prefix_salt if kept and prompt else ""), told.leaned_on)
    return sha256(body)


def _forgot(owner: Account, since: datetime | None) -> bool:
    return since is not None and Tombstone.objects.of(owner).filter(at__gte=since).exists()


def _head(owner: Account) -> Head:
    with connection.cursor() as cursor:
        found = cursor.execute(ledger.LAST, [owner_id(owner)]).fetchone()
    return Head(found[0], found[1]) if found else Head()


def _last(owner: Account) -> tuple[int, str, datetime]:
    """Number and address of the owner's last receipt, and the time of the next one: now, or the last one's if later."""
    now = timezone.now()
    with connection.cursor() as cursor:
        found = cursor.execute(LAST, [owner_id(owner)]).fetchone()
    if found is None:
        return 0, "", now
    number, address, at = found
    return number, address, max(now, at.replace(tzinfo=UTC))


def _write(place: Place, at: datetime, body: str, beside: tuple[str, str, str], entries: Iterable[int]) -> None:
    """`beside`: what can be erased: the questions' salt, their words, and the salt of the prompt's prefix."""
    when = connection.ops.adapt_datetimefield_value(at)
    chained = (place.owner, place.number, sha256(body), place.parent, when, place.run, place.tick, place.head)
    with connection.cursor() as cursor:
        cursor.execute(WRITE, [*chained, body, *beside])
        [pk] = cursor.fetchone()
        cursor.executemany(NAME, [(pk, entry) for entry in sorted(entries)])


def receipts_of(owner: Account, run_id: str) -> list[Receipt]:
    """The run's receipts, in order; none where it asked nothing of memory."""
    return list(Receipt.objects.of(owner).filter(run_id=run_id).order_by("number")) if run_id else []


def runs_given(owner: Account, entry: int, *, limit: int = 20) -> list[str]:
    """The runs whose answers may lean on the entry, the newest first, each once."""
    found = Receipt.objects.of(owner).filter(entries__entry=entry).order_by("-number").values_list("run_id", flat=True)
    return list(dict.fromkeys(found[: limit * 2]))[:limit]


def receipt_of(owner: Account, address: str) -> Receipt:
    """Raises UnknownError, also for another's."""
    return Receipt.objects.one_of(owner, address=address)


def erase_questions(receipts: QuerySet[Receipt]) -> int:
    """Take the words of these receipts, and what a guess at them or at their prompts could be tried with. How many had
    some."""
    with change_log.ours():
        some = receipts.exclude(questions=[], salt="", prefix_salt="")
        return some.update(questions=[], salt="", prefix_salt="")


def erase_prefixes(owner: Account) -> int:
    """Take what a guess at the beginning of any prompt until now could be tried with: what is erased may have stood
    there, and no receipt says so. How many had it."""
    with change_log.ours():
        return Receipt.objects.of(owner).exclude(prefix_salt="").update(prefix_salt="")


def replay(receipt: Receipt, place: int = 0, *, door: Door | None = None) -> Recalled:
    """The receipt's recall at that place again, as of its own head: the same rows, whatever was written since.

    What the index at the head of a prompt opened besides is no part of the search.

    Raises NoReplayError, which says why, where that cannot be: its question is erased, an entry that it gave is
    forgotten, or what it was measured by is no longer in force. UnknownError: it has no such recall.
    """
    asked = asked_in(receipt, place)
    query = query_of(receipt, place)
    if not asked.tick:
        return Recalled((), (), True, None, None, asked.policy, (), "", query=query)
    found = recall(receipt.owner, query, door=door)
    if why := _other(asked, found, receipt.salt):
        raise NoReplayError(why)
    searched = {row.id for row in asked.given if row.channel != INDEX}
    if gone := sorted(searched - {row.entry.pk for row in found.rows}):
        ids = ", ".join(f"#{pk}" for pk in gone)
        raise NoReplayError(
            _("What it gave is forgotten by now, or was edited outside Forge then: %(ids)s.") % {"ids": ids}
        )
    return found


def asked_in(receipt: Receipt, place: int) -> Asked:
    """Raises UnknownError."""
    recalls = said_of(receipt).recalls
    if not 0 <= place < len(recalls):
        raise UnknownError(_("The receipt %(receipt)s has no recall %(place)d.") % {"receipt": receipt, "place": place})
    return recalls[place]


def said_of(receipt: Receipt) -> Said:
    return said_in(receipt.body)


def question_of(receipt: Receipt, place: int) -> dict[str, Any] | None:
    """The words of one of its recalls; None where they are erased, or no longer what was asked."""
    told = receipt.questions[place] if place < len(receipt.questions) else {}
    asked = said_of(receipt).recalls[place]
    text = told.get("text") if isinstance(told, dict) else None
    return told if isinstance(text, str) and salted(receipt.salt, text) == asked.question else None


def query_of(receipt: Receipt, place: int) -> Query:
    """The same question, as of the same commit. Raises NoReplayError where its words are erased."""
    asked, words = asked_in(receipt, place), question_of(receipt, place)
    if words is None:
        raise NoReplayError(_("Its question is erased: only its digest is left."))
    known = {name: value for name, value in asked.filters.items() if name not in ("project", "as_of")}
    project = words.get("project", "") if "project" in asked.filters else None
    known["top_k"] = known.get("top_k") or asked.budgets.get("rows")
    return Query(
        words["text"], policy=asked.policy, project=project, as_of=asked.filters.get("as_of", asked.head), **known
    )


def _other(asked: Asked, found: Recalled, salt: str) -> str:
    """What a recall is measured by now and was not then, in a sentence; empty where it is the same."""
    if found.regime != asked.regime:
        return _("Its vectors were of another regime (%(then)s) than those that are served now (%(now)s).") % {
            "then": asked.regime or "–",
            "now": found.regime or "–",
        }
    if found.degraded != asked.degraded:
        return _("The search by meaning does not stand as it did then.")
    pairs = [(_("the cutoff"), asked.cutoff, found.cutoff)]
    pairs += [(name, size, found.budgets.get(name)) for name, size in asked.budgets.items()]
    for name, then, now in pairs:
        if then != now:
            return _("%(what)s was %(then)s then and is %(now)s now.") % {"what": name, "then": then, "now": now}
    if tuple(salted(salt, alias) for alias in found.aliases) != asked.aliases:
        return _("Other names of subjects are searched now than then.")
    if tuple(salted(salt, other) for other in found.expanded) != asked.expanded:
        return _("It was put in other words then than now, where it found nothing.")
    return ""
