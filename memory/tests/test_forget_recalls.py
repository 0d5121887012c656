"""What goes with a forgotten entry of what stands around recalls: aliases, golden questions, questions of receipts."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from forgesite.accounts import delete_account
from forgesite.models import Account
from memory.domain.chain import moment
from memory.erasing.recalls import take
from memory.erasing.words import removed
from memory.forget import forget, planned
from memory.golden import golden_questions, star
from memory.models import Alias, Entry, GoldenEntry, GoldenQuestion, Receipt
from memory.tests.entries import saved

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("words_only")]
CODE = "the code of the shed is kestrel 4711"
ASKED = f"Is it true that {CODE}?"


@pytest.fixture
def code(ana: Account) -> Entry:
    return saved(ana, CODE)


def receipt(owner: Account, *questions: str, run_id: str = "abc") -> Receipt:
    """A row as another part of Forge seals it; what a body says of it is nothing to this."""
    number = Receipt.objects.of(owner).count() + 1
    return Receipt.objects.create(
        owner=owner,
        number=number,
        address=f"{owner.pk}-{number}".ljust(64, "0"),
        at=timezone.now(),
        run_id=run_id,
        tick=0,
        body={"at": moment(timezone.now())},
        salt="5" * 32,
        questions=[{"text": text} for text in questions],
    )


def words_of(row: Receipt) -> tuple[Any, str]:
    row.refresh_from_db()
    return row.questions, row.salt


def test_aliases_of_the_entry_or_that_quote_it_go_and_others_stay(ana: Account, code: Entry) -> None:
    Alias.objects.create(owner=ana, name="kestrel", other="the shed", entry=code)
    Alias.objects.create(owner=ana, name="the shed", other=CODE)
    Alias.objects.create(owner=ana, name="kestrel", other="falcon")
    gone = forget(ana, [code.pk], actor="person", cause="test")
    assert [alias.other for alias in Alias.objects.all()] == ["falcon"]
    assert ("other names", 2) in removed(gone.certificate.report)


def test_a_golden_question_loses_the_entry_and_the_quotation(ana: Account, code: Entry) -> None:
    star(ana, ASKED, [code.pk])
    told = removed({"removed": planned(ana, [code.pk]).removed})
    gone = forget(ana, [code.pk], actor="person", cause="test")
    [question] = golden_questions(ana)
    assert question.text == f"Is it true that [forgotten #{code.pk}]?"
    assert not question.right.exists()
    assert told == removed(gone.certificate.report)
    assert told[-2:] == [("right entries of golden questions", 1), ("golden questions that quoted it", 1)]
    assert gone.certificate.report["found"] == []


def test_a_receipt_that_asked_with_its_words_keeps_none_and_no_salt(ana: Account, code: Entry) -> None:
    quoting, other = receipt(ana, "What is new?", ASKED), receipt(ana, "Who has the key?")
    forget(ana, [code.pk], actor="person", cause="test")
    assert words_of(quoting) == ([], "")
    assert words_of(other) == ([{"text": "Who has the key?"}], "5" * 32)


def test_nothing_of_another_account_goes(ana: Account, ben: Account, code: Entry) -> None:
    star(ben, ASKED, [saved(ben, "kestrels nest in the shed").pk])
    Alias.objects.create(owner=ben, name=CODE, other="falcon")
    kept = receipt(ben, ASKED)
    forget(ana, [code.pk], actor="person", cause="test")
    assert [question.text for question in golden_questions(ben)] == [ASKED]
    assert Alias.objects.count() == 1
    assert words_of(kept)[1]


def test_with_a_message_goes_what_was_asked_by_it(ana: Account, ben: Account, code: Entry) -> None:
    star(ana, "Who has the key?", [code.pk], message=7)
    star(ana, "Where is the key?", [code.pk], run_id="abc")
    star(ana, "Which shed?", [code.pk])
    mine, theirs, later = receipt(ana, "Who?"), receipt(ben, "Who?"), receipt(ana, "Who?", run_id="")
    take(ana, runs=["abc", ""], messages=[7])
    assert [question.text for question in golden_questions(ana)] == ["Which shed?"]
    assert words_of(mine) == ([], "")
    assert words_of(theirs)[0]
    assert words_of(later)[0]


def test_an_account_takes_all_of_it_along(ana: Account, ben: Account, code: Entry) -> None:
    Account.objects.filter(pk=ben.pk).update(is_superuser=True)
    star(ana, ASKED, [code.pk])
    Alias.objects.create(owner=ana, name="kestrel", other="falcon", entry=code)
    receipt(ana, ASKED)
    delete_account(ana)
    assert [rows.objects.count() for rows in (GoldenQuestion, GoldenEntry, Alias, Receipt)] == [0, 0, 0, 0]


def test_the_desk_names_the_golden_questions_that_would_lose_their_entry(
    desk: Client, ana: Account, code: Entry
) -> None:
    star(ana, "Which code opens the shed?", [code.pk])
    page = desk.get(f"/admin/memory/entry/{code.pk}/delete/?goes=1").content.decode()
    assert "Which code opens the shed?" in page
    assert "no right entry left" in page
    other = saved(ana, "the key hangs in the hall")
    assert "would lose" not in desk.get(f"/admin/memory/entry/{other.pk}/delete/?goes=1").content.decode()
