"""Golden questions at the desk, over the API and in a terminal."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from forgesite.models import Account
from memory.domain.chain import moment
from memory.domain.receipt import Asked, Given, Place, Said, body_of, salted
from memory.forget import forget
from memory.golden import golden_questions, star
from memory.golden_words import upgrade_lines
from memory.models import Entry, GoldenQuestion, Receipt
from memory.move import retract
from memory.tests.entries import saved

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("words_only")]
LIST = "/admin/memory/goldenquestion/"
QUESTION = "Which port does the test server use?"
WHO: dict[str, Any] = {"actor": "person", "cause": "test"}


@pytest.fixture
def port(ana: Account) -> Entry:
    for number in range(14):
        saved(ana, f"{'abcdefghijklmn'[number] * 5} {'nmlkjihgfedcba'[number] * 7}")
    return saved(ana, "the test server runs on port 8080")


def test_one_is_starred_by_hand_with_the_numbers_of_its_entries(desk: Client, ana: Account, port: Entry) -> None:
    answer = desk.post(f"{LIST}add/", {"text": QUESTION, "right": f"#{port.pk}, {port.pk}"})
    assert answer.status_code == 302
    [question] = golden_questions(ana)
    assert [row.entry_id for row in question.right.all()] == [port.pk]
    page = desk.get(LIST).content.decode()
    assert f">#{port.pk}</a> (1.)" in page
    assert "1 of 1 found · by words alone" in page


def test_what_the_verb_refuses_is_an_error_of_the_form(desk: Client, ana: Account, port: Entry) -> None:
    page = desk.post(f"{LIST}add/", {"text": QUESTION, "right": "99999"}).content.decode()
    assert "No entry with id 99999." in page
    assert not GoldenQuestion.objects.exists()


def test_one_begins_with_what_a_run_asked_and_was_given(desk: Client, ana: Account, port: Entry) -> None:
    salt = "5" * 32
    asked = Asked("recall", salted(salt, QUESTION), 1, "", "hybrid", given=(Given(port.pk, 1, ""),))
    at = timezone.now()
    place = Place(owner=ana.pk, number=1, parent="", at=moment(at) or "", run="abc", tick=1, head="")
    Receipt.objects.create(
        owner=ana, number=1, address="a" * 64, at=at, run_id="abc", tick=1, salt=salt,
        body=body_of(place, Said(recalls=(asked,))), questions=[{"text": QUESTION}],
    )  # fmt: skip
    page = desk.get(f"{LIST}add/?run=abc").content.decode()
    assert QUESTION in page
    assert f'value="#{port.pk}"' in page
    assert QUESTION not in desk.get(f"{LIST}add/?run=other").content.decode()


def test_all_asked_again_show_what_became_of_them(desk: Client, ana: Account, port: Entry) -> None:
    question = star(ana, QUESTION, [port.pk])
    retract(ana, port.pk, **WHO)
    page = desk.post(f"{LIST}replay/").content.decode()
    assert "1 question finds less than before." in page
    assert f"no longer given: #{port.pk}" in page
    again = desk.post(LIST, {"action": "ask_selected_again", "_selected_action": [question.pk]}).content.decode()
    assert "No question finds less than before." in again
    assert "(not found)" in desk.get(LIST).content.decode()


def test_one_whose_entries_are_forgotten_says_so(desk: Client, ana: Account, port: Entry) -> None:
    question = star(ana, QUESTION, [port.pk])
    forget(ana, [port.pk], **WHO)
    for page in (LIST, f"{LIST}{question.pk}/change/"):
        assert "none left: they are forgotten" in desk.get(page).content.decode()


def test_who_may_only_look_neither_stars_nor_asks_again(
    desk: Client, ana: Account, ben: Account, port: Entry, client: Client
) -> None:
    question = star(ana, QUESTION, [port.pk])
    ana.user_permissions.set(Permission.objects.filter(codename="view_goldenquestion"))
    assert QUESTION in desk.get(f"{LIST}{question.pk}/change/").content.decode()
    assert desk.post(f"{LIST}replay/").status_code == 403
    assert desk.post(f"{LIST}add/", {"text": "x", "right": str(port.pk)}).status_code == 403
    assert desk.post(f"{LIST}{question.pk}/delete/", {"post": "yes"}).status_code == 403
    desk.post(LIST, {"action": "ask_selected_again", "_selected_action": [question.pk]})
    assert "Ask all again" not in desk.get(LIST).content.decode()
    assert GoldenQuestion.objects.count() == 1


def test_nobody_sees_anothers(desk: Client, ana: Account, ben: Account) -> None:
    other = star(ben, "Where is the heron?", [saved(ben, "herons stand in the pond").pk])
    assert "heron" not in desk.get(LIST).content.decode()
    assert desk.get(f"{LIST}{other.pk}/change/").status_code == 404
    desk.post(f"{LIST}replay/")
    desk.post(f"{LIST}{other.pk}/delete/", {"post": "yes"})
    assert GoldenQuestion.objects.filter(pk=other.pk).exists()


@pytest.mark.parametrize("rows", [3, 40])
def test_list_and_page_need_few_queries(
    desk: Client, ana: Account, port: Entry, rows: int, django_assert_max_num_queries: Any
) -> None:
    made = [GoldenQuestion.objects.create(owner=ana, text=f"{QUESTION} {number}") for number in range(rows)]
    for question in made:
        question.right.create(entry=port)
    for page in (LIST, f"{LIST}{made[0].pk}/change/"):
        with django_assert_max_num_queries(15):
            assert desk.get(page).status_code == 200


def test_the_command_lists_them_and_fails_where_one_got_worse(ana: Account, port: Entry) -> None:
    question = star(ana, QUESTION, [port.pk])
    out = StringIO()
    call_command("golden", replay=True, stdout=out)
    assert out.getvalue() == f"#{question.pk} {QUESTION}: #{port.pk} (1.)\n"
    retract(ana, port.pk, **WHO)
    with pytest.raises(CommandError, match="1 golden question finds less than before"):
        call_command("golden", replay=True, stdout=out)
    assert f"#{port.pk} (not found)" in out.getvalue()


def test_after_an_upgrade_everybodys_are_asked_and_the_worse_ones_named(
    ana: Account, ben: Account, port: Entry
) -> None:
    question = star(ana, QUESTION, [port.pk])
    assert upgrade_lines() == []
    retract(ana, port.pk, **WHO)
    assert upgrade_lines() == [f"ana: 1 golden question finds less than before: #{question.pk} {QUESTION}."]
