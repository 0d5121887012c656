"""Receipts: a chain of what was given, each name in it proved as of its tick; and a recall made again from one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.db import connection, transaction
from django.test import override_settings
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from forgesite.models import Account
from forgesite.testing import EXAMPLES
from memory import change_log, receipts
from memory.domain.causes import of_run
from memory.domain.receipt import (
    COLUMNS,
    Asked,
    Block,
    Given,
    Left,
    Place,
    Prompt,
    Said,
    address_of,
    body_of,
    prefix_digest,
    said_in,
)
from memory.errors import NoReplayError
from memory.forget import forget
from memory.given.gathered import Found, Gathered
from memory.hot_block import HotBlock, hot_block
from memory.leaving import leave
from memory.models import Entry, Receipt, ReceiptEntry
from memory.move import retract
from memory.rebuild import rebuild
from memory.recall import Query, Recalled, recall
from memory.recalled import Row
from memory.remember import Draft, remember, remember_many
from memory.revise import Changes, revise
from memory.tests.entries import by_sql, saved
from memory.verify import verify

WHO: dict[str, Any] = {"actor": "person", "cause": "test"}
TEXTS = ("the test server runs on port 8080", "the printer needs black ink", "we deploy on Tuesdays after lunch")
QUESTION = "Which port does the test server use?"
WORDS_ONLY = {"FORGE": django_settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "none"})}
pytestmark = pytest.mark.usefixtures("words_only")


@pytest.fixture
def filled(ana: Account) -> Account:
    remember_many(ana, [Draft(text) for text in TEXTS], **WHO)
    return ana


SENT = Prompt(prefix_digest([("system", "You are Forge."), ("user", "Hello")]), 2, {"system": 4, "turn": 2})


def sealed(owner: Account, question: str = QUESTION, *, run_id: str = "run", **query: Any) -> Receipt:
    """Of one recall, for a prompt."""
    found = recall(owner, Query(question, for_prompt=True, **query))
    address = receipts.seal(owner, Gathered([Found("recall", found)]), run_id=run_id, prompt=SENT)
    return receipts.receipt_of(owner, address)


def shown(found: Recalled) -> list[tuple[int, str, float | None, float | None, int]]:
    return [(row.entry.pk, row.channel, row.distance, row.score, row.rank) for row in found.rows]


def codes(owner: Account) -> list[tuple[str, str, int | None, str]]:
    return [(each.code, each.table, each.row, each.column) for each in verify(owner).findings]


# -- the body

NUMBERS = st.integers(0, 2**40)
MEASURES = st.none() | st.floats(0, 2, allow_nan=False).map(lambda number: round(number, 4))
DIGESTS = st.text("0123456789abcdef", min_size=64, max_size=64)
ROWS = st.builds(Given, NUMBERS, st.none() | NUMBERS, DIGESTS, st.sampled_from(["", "both"]), MEASURES, MEASURES)
LEFT = st.builds(Left, NUMBERS, st.sampled_from(["cutoff", "budget"]), st.just("vector"), MEASURES, MEASURES, NUMBERS)
RECALLS = st.builds(
    Asked,
    st.just("recall"),
    DIGESTS,
    NUMBERS,
    DIGESTS,
    st.just("hybrid"),
    cutoff=MEASURES,
    nothing=st.booleans(),
    aliases=st.lists(DIGESTS, max_size=2).map(tuple),
    given=st.lists(ROWS, max_size=3).map(tuple),
    left_out=st.lists(LEFT, max_size=3).map(tuple),
)
BLOCKS = st.builds(
    Block, st.lists(NUMBERS).map(tuple), DIGESTS, NUMBERS, NUMBERS, st.booleans(), st.lists(ROWS, max_size=2).map(tuple)
)
TOKENS = st.dictionaries(st.sampled_from(["system", "turn"]), NUMBERS, min_size=1)
PROMPTS = st.builds(Prompt, DIGESTS, NUMBERS, TOKENS, st.booleans(), st.just("") | DIGESTS)
SAID = st.builds(
    Said,
    st.lists(RECALLS, max_size=2).map(tuple),
    st.lists(ROWS, max_size=2).map(tuple),
    st.none() | BLOCKS,
    st.none() | PROMPTS,
)
PLACE = Place(1, 1, "", "2026-01-01T00:00:00.000000+00:00", "run", 3, "head")


@settings(max_examples=EXAMPLES // 5)
@given(SAID)
def test_a_body_says_all_of_it_and_any_change_is_another_address(said: Said) -> None:
    body = body_of(PLACE, said)
    assert said_in(body) == said
    assert address_of(body_of(replace(PLACE, part=2), said)) != address_of(body)


# -- proved


def test_receipts_are_proved_with_what_they_name_and_counted(filled: Account) -> None:
    for _again in range(2):
        sealed(filled)
    report = verify(filled)
    assert (report.ok, report.receipts) == (True, 2)


def test_a_receipt_stays_proved_when_what_it_gave_is_changed_or_forgotten(filled: Account) -> None:
    entry = Entry.objects.get(text=TEXTS[0])
    hot = hot_block(filled, upto=None, most_tokens=500)
    receipts.seal(filled, Gathered(hot=hot), run_id="one")
    receipt = sealed(filled)
    revise(filled, entry.pk, Changes(text="the test server runs on port 9090"), version=None, **WHO)
    sealed(filled)
    forget(filled, [entry.pk], **WHO)
    assert verify(filled).ok
    assert entry.pk in {row.id for row in receipts.said_of(receipt).rows}


def test_what_moved_before_it_was_sealed_is_said_to_have_moved(filled: Account) -> None:
    hot = hot_block(filled, upto=None, most_tokens=500)
    one, other = Entry.objects.get(text=TEXTS[0]), Entry.objects.get(text=TEXTS[1])
    revise(filled, one.pk, Changes(text="the test server runs on port 9090"), version=None, **WHO)
    forget(filled, [other.pk], **WHO)
    receipts.seal(filled, Gathered(hot=hot), run_id="run")
    block = receipts.said_of(Receipt.objects.get()).block
    assert block is not None
    assert [(row.id, row.version, row.digest, row.moved) for row in block.apart] == [
        (one.pk, None, one.digest, True),
        (other.pk, None, "", True),
    ]
    assert verify(filled).ok


def test_words_edited_outside_forge_are_said_as_they_were_given(filled: Account) -> None:
    entry = Entry.objects.get(text=TEXTS[0])
    by_sql("UPDATE memory_entry SET text = 'the test server runs on port 9090' WHERE id = %s", entry.pk)
    [row] = [row for row in receipts.said_of(sealed(filled)).rows if row.id == entry.pk]
    assert row.outside
    assert row.digest != entry.digest
    assert {table for _code, table, *_rest in codes(filled)} == {"memory_entry"}


def test_a_receipt_that_is_gone_is_missed_by_the_next_and_by_what_names_it(filled: Account) -> None:
    first, second = sealed(filled, run_id="one"), sealed(filled, run_id="two")
    made = remember(filled, Draft("the boat is red"), actor="person", cause=of_run("two", second.address)).commit
    by_sql("DELETE FROM memory_receiptentry")
    by_sql("DELETE FROM memory_receipt WHERE id = %s", first.pk)
    assert ("missing", "memory_receipt", None, "number") in codes(filled)
    by_sql("DELETE FROM memory_receipt WHERE id = %s", second.pk)
    found = codes(filled)
    assert ("missing", "memory_receipt", second.pk, "") in found
    assert [table for _code, table, *_rest in found].count("memory_commit") == 1
    assert made


def test_a_receipt_that_names_what_never_was_is_found_though_its_hash_is_right(filled: Account) -> None:
    receipt = sealed(filled)
    [recall] = receipt.body["recalls"]
    for change in ({"version": 7}, {"digest": "0" * 64}, {"id": 999}):
        rows = [row | change for row in recall["given"]]
        body = receipt.body | {"recalls": [recall | {"given": rows}]}
        receipt.body, receipt.address = body, address_of(body)
        with transaction.atomic():
            receipt.save()
            assert ("differs", "memory_receipt", receipt.pk, "body") in codes(filled), change
            transaction.set_rollback(True)


def test_the_index_of_what_receipts_gave_is_compared_and_made_again(filled: Account) -> None:
    receipt = sealed(filled)
    rows = list(ReceiptEntry.objects.values_list("receipt", "entry"))
    by_sql("DELETE FROM memory_receiptentry")
    by_sql("INSERT INTO memory_receiptentry (receipt_id, entry) VALUES (%s, 999)", receipt.pk)
    assert {(code, table) for code, table, *_rest in codes(filled)} == {
        ("extra", "memory_receiptentry"),
        ("index", "memory_receiptentry"),
    }
    rebuild(filled)
    assert list(ReceiptEntry.objects.values_list("receipt", "entry")) == rows
    assert verify(filled).ok


TAMPERED = (
    *("number", "address", "parent", "run_id", "tick", "head"),
    *("body", "salt", "questions", "at", "owner_id", "prefix_salt"),
)


class Tampered(TestCase):
    """One store, and whatever is done to a row of its receipts is taken back after each look."""

    owner: Account

    @classmethod
    def setUpTestData(cls) -> None:
        with override_settings(**WORDS_ONLY):
            cls.owner = Account.objects.create_user("ana")
            remember_many(cls.owner, [Draft(text) for text in TEXTS], **WHO)
            for number in range(3):
                sealed(cls.owner, f"{QUESTION} {number}", run_id=f"run{number}")
                saved(cls.owner, f"Note number {number} is about the garden")

    @settings(max_examples=EXAMPLES // 4)
    @given(
        st.integers(0, 2),
        st.sampled_from(TAMPERED),
        st.integers(0, 10_000),
        st.characters(codec="ascii", categories=["L", "N"]),
    )
    def test_one_changed_byte_of_a_receipt_is_named(self, which: int, column: str, place: int, char: str) -> None:
        receipt = list(Receipt.objects.order_by("number"))[which]
        with connection.cursor() as cursor:
            cursor.execute(f'SELECT "{column}" FROM memory_receipt WHERE id = %s', [receipt.pk])
            [value] = cursor.fetchone()
        text = str(value)
        at = place % (len(text) + 1)
        changed = text[:at] + char + text[at + 1 :]
        if changed == text or not (isinstance(value, str) or changed.isdigit()):
            return
        if isinstance(value, int) and (int(changed) == value or not 0 < int(changed) < 2**40):
            return
        with override_settings(**WORDS_ONLY), transaction.atomic():
            by_sql("PRAGMA defer_foreign_keys = ON")
            by_sql("PRAGMA ignore_check_constraints = ON")
            by_sql(f'UPDATE OR IGNORE memory_receipt SET "{column}" = %s WHERE id = %s', changed, receipt.pk)
            by_sql("PRAGMA ignore_check_constraints = OFF")
            named = {each.row for each in verify().findings if each.table == "memory_receipt"}
            transaction.set_rollback(True)
        same = Receipt.objects.filter(number=changed).exists() if column == "number" else False
        assert same or receipt.pk in named, (column, text, changed)


# -- words beside it


def test_questions_are_erased_with_their_salt_and_the_receipt_stays_proved(filled: Account) -> None:
    receipt = sealed(filled)
    assert receipts.erase_questions(Receipt.objects.of(filled)) == 1
    assert receipts.erase_questions(Receipt.objects.of(filled)) == 0
    receipt.refresh_from_db()
    assert (receipt.questions, receipt.salt) == ([], "")
    assert verify(filled).ok
    with pytest.raises(NoReplayError, match="erased"):
        receipts.replay(receipt)


def test_a_prompt_is_guessed_at_with_the_salt_alone_and_forgetting_anything_takes_it(filled: Account) -> None:
    receipt, temporary = sealed(filled), Gathered(hot=hot_block(filled, upto=None, most_tokens=500))
    receipts.seal(filled, temporary, run_id="temporary", prompt=SENT, keep_words=False)
    prompt = receipts.said_of(receipt).prompt
    assert prompt is not None
    assert prompt == SENT.salted(receipt.prefix_salt)
    assert SENT.prefix not in str(receipt.body)
    assert Receipt.objects.exclude(prefix_salt="").count() == 1

    forget(filled, [saved(filled, "the boat is called Bluebell").pk], **WHO)

    receipt.refresh_from_db()
    assert (receipt.prefix_salt, receipt.questions) == ("", [{"text": QUESTION}])
    assert receipts.said_of(receipt).prompt == prompt
    assert verify(filled).ok
    assert receipts.replay(receipt).rows


def test_of_a_run_during_which_something_was_forgotten_nothing_can_be_guessed_at(filled: Account) -> None:
    began, boat = timezone.now(), saved(filled, "the boat is called Bluebell")
    gathered = Gathered([Found("recall", recall(filled, Query("What is the boat called?", for_prompt=True)))])
    forget(filled, [boat.pk], **WHO)
    for run_id, since in (("one", began), ("two", timezone.now())):
        receipts.seal(filled, gathered, run_id=run_id, prompt=SENT, since=since)
    during, after = Receipt.objects.order_by("number")
    assert (during.questions, during.salt, during.prefix_salt) == ([], "", "")
    assert bool(after.questions and after.salt and after.prefix_salt)
    assert verify(filled).ok


def test_a_receipt_of_the_first_form_with_its_plain_hash_stays_proved(filled: Account) -> None:
    receipt = sealed(filled)
    plain = {"prefix": SENT.prefix, "messages": 2, "tokens": SENT.tokens}
    receipt.body = receipt.body | {"v": 1, "prompt": plain}
    receipt.address, receipt.prefix_salt = address_of(receipt.body), ""
    with change_log.ours():
        receipt.save()
    assert receipts.said_of(receipt).prompt == SENT
    assert verify(filled).ok
    by_sql("UPDATE memory_receipt SET prefix_salt = 'f'")
    assert ("differs", "memory_receipt", receipt.pk, "prefix_salt") in codes(filled)


def test_no_word_of_what_was_asked_for_stands_in_a_body(filled: Account) -> None:
    saved(filled, "the boat is called Bluebell", project="Sailing")
    receipt = sealed(filled, "What is the boat called?", project="Sailing")
    assert receipt.questions == [{"text": "What is the boat called?", "project": "Sailing"}]
    assert "Sailing" not in str(receipt.body)
    assert receipts.query_of(receipt, 0).project == "Sailing"
    assert verify(filled).ok


# -- once more


def test_a_recall_is_the_same_from_its_receipt_whatever_was_written_since(filled: Account) -> None:
    before = recall(filled, Query(QUESTION, for_prompt=True))
    receipt = sealed(filled)
    revise(filled, Entry.objects.get(text=TEXTS[0]).pk, Changes(text="the boat is red"), version=None, **WHO)
    saved(filled, "the test server uses port 1234 since March")
    retract(filled, Entry.objects.get(text=TEXTS[1]).pk, **WHO)
    assert shown(receipts.replay(receipt)) == shown(before)
    assert shown(recall(filled, Query(QUESTION, for_prompt=True))) != shown(before)


def test_a_recall_that_cannot_be_made_again_says_why(filled: Account) -> None:
    receipt = sealed(filled)
    with override_settings(
        FORGE=django_settings.FORGE.model_copy(update={"RECALL_LEXICAL_TOP_K": 9, "RECALL_POLICY": "union"})
    ):
        assert receipts.replay(receipt).rows  # it names its own policy and numbers
    forget(filled, [Entry.objects.get(text=TEXTS[0]).pk], **WHO)
    with pytest.raises(NoReplayError, match="forgotten"):
        receipts.replay(receipt)


def test_a_question_to_an_empty_memory_is_answered_by_nothing_again(ana: Account) -> None:
    receipt = sealed(ana)
    assert (receipt.tick, receipt.head) == (0, "")
    assert receipts.replay(receipt).rows == ()
    assert verify(ana).ok


def test_somebody_elses_receipt_is_unknown(filled: Account, ben: Account) -> None:
    receipt = sealed(filled)
    assert receipts.receipts_of(ben, receipt.run_id) == []
    assert COLUMNS[0] == "id"
    assert isinstance(hot_block(ben, upto=None, most_tokens=100), HotBlock)


@pytest.mark.parametrize("asked", [True, False])
def test_what_the_index_at_the_head_opened_is_proved_though_it_moved_since(filled: Account, asked: bool) -> None:
    """It is read after the search, and may be of a later commit."""
    hot = hot_block(filled, upto=None, most_tokens=50)
    found = recall(filled, Query("What is on Tuesdays?", kind="decision", for_prompt=True)) if asked else None
    entry = Entry.objects.get(text=TEXTS[0])
    revise(filled, entry.pk, Changes(text="the test server runs on port 9090"), version=None, **WHO)
    entry.refresh_from_db()
    row = Row(entry, "index", None, None, (), 1)
    empty = found or Recalled((), (), False, None, None, "", (), "", query=Query(QUESTION))
    opened = replace(empty, rows=(row,), nothing=False)
    saved(filled, "the boat is red and small")
    receipts.seal(filled, Gathered([Found("recall", opened)], hot=hot), run_id="run")
    assert verify(filled).ok


def test_the_runs_that_an_entry_was_given_to_are_known_the_newest_first(filled: Account, ben: Account) -> None:
    entry = Entry.objects.get(text=TEXTS[0])
    for run_id in ("one", "two", "two"):
        sealed(filled, run_id=run_id)
    sealed(filled, "Which ink does the printer need?", run_id="three")
    assert receipts.runs_given(filled, entry.pk) == ["two", "one"]
    assert receipts.runs_given(ben, entry.pk) == []


def test_an_account_takes_its_receipts_with_it(filled: Account, ben: Account) -> None:
    sealed(filled)
    sealed(ben)
    leave(filled)
    assert [receipt.owner for receipt in Receipt.objects.all()] == [ben]
    assert ReceiptEntry.objects.count() == 0
    assert list(change_log.lines()) == []
