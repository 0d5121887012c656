"""Before an act on many: which questions would be given less than they are now, and nothing is done meanwhile."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from forgesite.models import Account
from forgesite.testing_embedders import ScriptedEmbedder
from memory import receipts
from memory.given import lately
from memory.given.gathered import Found, Gathered
from memory.golden import star
from memory.guard import AT_ONCE, REHEARSED, Guarded, rehearsed, told, watched
from memory.ledger import head
from memory.models import Entry, Receipt
from memory.move import archive_many, retract_many
from memory.recall import Query, recall
from memory.relate import relate
from memory.remember import Draft, remember_many
from memory.tests.entries import saved

WHO: dict[str, Any] = {"actor": "person", "cause": "test"}
QUESTION, OTHER = "Which port does the test server use?", "What does the printer need?"
#: In a store of a few entries no word is rare.
TALK = [f"{'abcdefghijklmn'[number] * 5} {'nmlkjihgfedcba'[number] * 7}" for number in range(14)]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("words_only")]


@pytest.fixture
def port(ana: Account) -> Entry:
    remember_many(ana, [Draft(text) for text in TALK], **WHO)
    saved(ana, "the printer needs black ink")
    return saved(ana, "the test server runs on port 8080")


def asked(owner: Account, question: str = QUESTION, *, run_id: str = "run") -> Receipt:
    found = recall(owner, Query(question, for_prompt=True))
    return receipts.receipt_of(owner, receipts.seal(owner, Gathered([Found("recall", found)]), run_id=run_id))


def retracting(owner: Account, *entries: Entry) -> Guarded:
    ids = [entry.pk for entry in entries]
    return rehearsed(owner, partial(retract_many, owner, ids, **WHO), touching=ids)


def test_a_golden_question_that_would_lose_its_entry_is_named_and_nothing_is_written(ana: Account, port: Entry) -> None:
    question = star(ana, QUESTION, [port.pk])
    before = head(ana)

    [loss] = retracting(ana, port).losses

    assert (loss.text, loss.entries, loss.golden, loss.run) == (QUESTION, (port.pk,), question.pk, "")
    port.refresh_from_db()
    assert (port.status, head(ana)) == ("active", before)


def test_of_many_entries_the_questions_are_looked_up_and_nothing_is_tried(ana: Account, port: Entry) -> None:
    star(ana, QUESTION, [port.pk])
    asked(ana)
    many = [port.pk, *range(10_000, 10_000 + REHEARSED)]

    found = rehearsed(ana, lambda: pytest.fail("it was tried"), touching=many)

    assert [(loss.text, loss.entries) for loss in found.losses] == [(QUESTION, (port.pk,))]
    assert not found.certain


def test_of_many_golden_questions_those_that_name_the_entry_are_asked_and_the_rest_is_told(
    ana: Account, port: Entry
) -> None:
    oldest = star(ana, QUESTION, [port.pk])
    printer = Entry.objects.of(ana).get(text__contains="printer")
    others = [star(ana, f"{OTHER} {number}", [printer.pk]).pk for number in range(3)]

    watch = watched(ana, touching=[port.pk], most=2)
    assert ([each.id for each in watch.wanted], watch.unasked) == ([oldest.pk, others[-1]], 2)
    assert [each.id for each in watched(ana, most=2).wanted] == others[:0:-1]
    found = watch.after()
    assert (found.asked, found.unasked) == (2, 2)
    assert told(found.asked, found.unasked).startswith("2 questions were not asked")
    assert told(4, 0) == ""


def test_nobody_is_kept_from_writing_for_longer_than_a_moment(ana: Account, port: Entry) -> None:
    for number in range(AT_ONCE + 3):
        star(ana, f"{QUESTION} {number}", [port.pk])
    found = replace(watched(ana), seconds=0.0).after()
    assert (found.asked, found.unasked) == (AT_ONCE, 3)


def test_so_is_a_question_that_was_asked_lately(ana: Account, port: Entry) -> None:
    asked(ana, run_id="first")
    asked(ana, run_id="second")

    found = retracting(ana, port)

    [loss] = found.losses
    assert (loss.text, loss.entries, loss.golden, loss.run) == (QUESTION, (port.pk,), None, "second")
    assert found.asked == 1


def test_what_replaced_an_entry_that_a_question_was_given_counts_for_it(ana: Account, port: Entry) -> None:
    asked(ana)
    newer = saved(ana, "the test server runs on port 9090 now")
    relate(ana, newer.pk, "supersedes", port.pk, **WHO)

    [loss] = retracting(ana, newer).losses
    assert (loss.text, loss.entries) == (QUESTION, (port.pk,))


def test_what_no_question_is_given_can_go_and_nothing_is_asked_for_it(ana: Account, port: Entry) -> None:
    asked(ana)

    assert retracting(ana, Entry.objects.of(ana).get(text=TALK[0])) == Guarded()


def test_what_is_archived_and_found_behind_all_others_is_not_lost(ana: Account, port: Entry) -> None:
    asked(ana)

    found = rehearsed(ana, partial(archive_many, ana, [port.pk], **WHO), touching=[port.pk])

    assert (found.losses, found.asked) == ((), 1)


def test_what_was_not_given_any_more_before_is_not_lost_by_the_act(ana: Account, port: Entry) -> None:
    asked(ana)
    retract_many(ana, [port.pk], **WHO)

    assert retracting(ana, port).losses == ()


def test_questions_are_the_newest_ones_each_once_and_none_without_its_words(
    ana: Account, ben: Account, port: Entry
) -> None:
    for question in (QUESTION, OTHER, QUESTION, "xylophone"):
        asked(ana, question)
    texts = [each.wanted.query.text for each in lately.lately(ana)]
    assert texts == [QUESTION, OTHER]
    assert [each.wanted.query.text for each in lately.lately(ana, besides=[QUESTION])] == [OTHER]
    assert len({each.wanted.id for each in lately.lately(ana)}) == 2
    assert list(lately.lately(ben)) == []

    receipts.erase_questions(Receipt.objects.of(ana))
    assert list(lately.lately(ana)) == []


def test_no_more_of_them_are_asked_than_a_person_waits_for(ana: Account, port: Entry) -> None:
    for number in range(lately.RECENT + 3):
        asked(ana, f"{QUESTION} {number}")
    found = [each.wanted.query.text for each in lately.lately(ana, besides=["starred", "starred too"])]
    assert (len(found), found[0]) == (lately.RECENT, f"{QUESTION} {lately.RECENT + 2}")


def test_questions_that_were_given_an_entry_lately_are_named_without_asking(ana: Account, port: Entry) -> None:
    asked(ana, run_id="run")
    asked(ana, OTHER)
    retract_many(ana, [port.pk], **WHO)

    [loss] = lately.given_lately(ana, {port.pk})
    assert (loss.text, loss.entries, loss.run) == (QUESTION, (port.pk,), "run")


@pytest.mark.parametrize("mode", ["", "fail"])
def test_the_embedder_is_asked_before_the_transaction_and_once_a_question(
    ana: Account, embedder: ScriptedEmbedder, mode: str
) -> None:
    remember_many(ana, [Draft(text) for text in TALK], **WHO)
    entry = saved(ana, "the test server runs on port 8080")
    star(ana, QUESTION, [entry.pk])
    before, embedder.mode = len(embedder.asked), mode

    assert retracting(ana, entry).asked == 1

    assert embedder.asked[before:] == [[QUESTION]]
