"""The review inbox on the desk."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from forgesite.models import Account
from memory.given.gathered import Found, Gathered
from memory.golden import star
from memory.models import Alias, Entry, Link
from memory.move import archive
from memory.recall import Query, recall
from memory.receipts import seal
from retention import forgetting_pass, review
from retention.models import Proposal
from retention.tests.entries import changed, others, over, said
from retention.tests.test_review import contradicting, new

INBOX = "/admin/retention/proposal/"


@pytest.fixture
def desk(client: Client, ana: Account, on: None) -> Client:
    ana.is_staff = True
    ana.save()
    rights = Permission.objects.filter(content_type__app_label__in=("memory", "retention"))
    ana.user_permissions.set(rights)
    client.force_login(ana)
    return client


def shown(desk: Client, query: str = "") -> str:
    answer = desk.get(f"{INBOX}{query}")
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def decide(desk: Client, pk: int, do: str, **more: str) -> str:
    """Where it leads."""
    answer = desk.post(f"{INBOX}decide/", {"ids": str(pk), "do": do, **more})
    assert answer.status_code == 302
    return str(answer["Location"])


def test_two_entries_stand_side_by_side_with_what_differs_and_every_probability(desk: Client, ana: Account) -> None:
    old, new = changed(ana)
    star(ana, "What is birch-71?", [old.pk])
    forgetting_pass.run(ana)

    page = shown(desk)

    assert f"<b>#{old.pk}</b>" in page
    assert f"<b>#{new.pk}</b>" in page
    assert "only here: </span>birch-71</del>" in page
    assert "otter-28</ins>" in page
    assert 'aria-keyshortcuts="a"' in page
    assert page.count("used in no answer yet") == 2
    assert "It is a right entry of 1 of 1 golden questions: What is birch-71?" in page
    assert "the same thing." in page
    assert "&gt; 0.99" in page
    assert "&lt; 0.01" in page
    assert ">1.00<" not in page


def test_a_yes_is_done_and_can_be_undone_from_where_it_was_said(desk: Client, ana: Account) -> None:
    old, new = changed(ana)
    forgetting_pass.run(ana)
    pk = Proposal.objects.get().pk

    led = decide(desk, pk, "accept")

    assert Link.objects.standing().filter(entry=new, other=old, type="supersedes").exists()
    page = desk.get(led).content.decode()
    assert "1 proposal accepted." in page
    assert "Undo this decision" in page
    decide(desk, pk, "undo")
    assert not Link.objects.standing().exists()
    assert Proposal.objects.get().status == "proposed"


def test_a_conflict_offers_its_ways_out(desk: Client, ana: Account) -> None:
    old, _new = contradicting(ana)
    forgetting_pass.run(ana)
    page = shown(desk)
    assert all(f'value="{way}"' in page for way in ("none", "supersede", "archive_older", "keep_both"))

    decide(desk, Proposal.objects.get().pk, "accept", resolution="archive_older")

    assert Entry.objects.get(pk=old.pk).status == "archived"


def test_many_are_asked_about_first_with_counts_and_golden_questions(desk: Client, ana: Account) -> None:
    car = over(ana)
    changed(ana)
    star(ana, "Whose is the loan car?", [car.pk])
    forgetting_pass.run(ana)
    ids = list(Proposal.objects.values_list("pk", flat=True))

    asked = desk.post(f"{INBOX}decide-many/", {"id": ids, "do": "accept"}).content.decode()

    assert "Accept 2 proposals?" in asked
    assert "Whose is the loan car?" in asked
    assert review.proposals(ana).count() == 2
    desk.post(f"{INBOX}decide-many/", {"id": ids, "do": "accept", "sure": "1"})
    assert Proposal.objects.filter(status="applied").count() == 2


def test_what_cannot_be_decided_is_told_and_keeps_no_other_from_it(desk: Client, ana: Account) -> None:
    car = over(ana)
    forgetting_pass.run(ana)
    pk = Proposal.objects.get().pk
    review.reject(ana, pk)

    page = desk.post(f"{INBOX}decide/", {"ids": f"{pk}", "do": "accept"}, follow=True).content.decode()

    assert "is decided already" in page
    assert Entry.objects.get(pk=car.pk).is_live


def test_a_new_entry_is_shown_by_its_words(desk: Client, ana: Account) -> None:
    proposal = new(ana)

    assert "Our cat is called Rex" in shown(desk)
    decide(desk, proposal.pk, "accept")
    assert Entry.objects.get().text == "Our cat is called Rex"


def test_a_new_entry_is_saved_in_other_words_and_as_another_kind(desk: Client, ana: Account) -> None:
    proposal = new(ana)
    assert "Save in other words" in shown(desk)

    decide(desk, proposal.pk, "accept", text="Our dog is called Rex", kind="note")

    assert Entry.objects.values_list("text", "kind").get() == ("Our dog is called Rex", "note")


def test_an_edit_comes_back_to_the_card_which_can_be_accepted_as_it_reads_now(desk: Client, ana: Account) -> None:
    old, newer = changed(ana)
    forgetting_pass.run(ana)
    pk = Proposal.objects.get().pk
    words = {"ids": pk, "entry": newer.pk, "version": newer.version, "text": "The wifi password is now heron-86"}

    page = desk.post(f"{INBOX}edit/", words, follow=True).content.decode()

    assert "Changed since it was judged" in page
    assert f"#{newer.pk} is changed." in page
    assert f'id="p{pk}" tabindex="-1" autofocus' in page
    decide(desk, pk, "accept", seen=f"{old.pk}:1-{newer.pk}:1")
    assert Proposal.objects.get().status == "proposed"
    decide(desk, pk, "accept", seen=f"{old.pk}:1-{newer.pk}:2")
    assert Proposal.objects.get().status == "applied"


def test_an_edit_of_what_moved_is_refused_and_told(desk: Client, ana: Account) -> None:
    _old, newer = changed(ana)
    forgetting_pass.run(ana)
    words = {"ids": Proposal.objects.get().pk, "entry": newer.pk, "version": 7, "text": "It is heron-86"}

    page = desk.post(f"{INBOX}edit/", words, follow=True).content.decode()

    assert 'class="error"' in page
    assert Entry.objects.get(pk=newer.pk).text == newer.text


def test_what_is_no_longer_live_offers_no_yes(desk: Client, ana: Account) -> None:
    old, _newer = changed(ana)
    forgetting_pass.run(ana)
    archive(ana, old.pk, actor="person", cause="test")

    page = shown(desk)

    assert f"Entry #{old.pk} is no longer live." in page
    assert 'value="accept"' not in page
    assert 'aria-keyshortcuts="r"' in page


def test_both_are_true_is_a_no_that_says_so(desk: Client, ana: Account) -> None:
    changed(ana)
    forgetting_pass.run(ana)
    assert 'value="keep_both"' in shown(desk)

    decide(desk, Proposal.objects.get().pk, "reject", resolution="keep_both")

    assert "both kept" in shown(desk, "?status=rejected")


def test_after_a_decision_the_keyboard_stands_where_it_stood(desk: Client, ana: Account) -> None:
    for number in range(3):
        new(ana, f"Our {number}. cat is called Rex")
    first, second, third = Proposal.objects.order_by("-pk").values_list("pk", flat=True)

    led = decide(desk, second, "reject", at="1", p="1")
    assert f'id="p{third}" tabindex="-1" autofocus' in shown(desk, led.removeprefix(INBOX))
    led = decide(desk, third, "reject", at="1", p="1")
    assert f'id="p{first}" tabindex="-1" autofocus' in shown(desk, led.removeprefix(INBOX))
    led = decide(desk, second, "undo", p="1")
    assert f'id="p{second}" tabindex="-1" autofocus' in shown(desk, led.removeprefix(INBOX))


def test_answers_that_leaned_on_either_are_counted_dated_and_linked(desk: Client, ana: Account) -> None:
    old, _newer = changed(ana)
    seal(ana, Gathered([Found("recall", recall(ana, Query("What is birch-71?")))]), run_id="a" * 32)
    forgetting_pass.run(ana)

    page = shown(desk)

    assert f'/admin/memory/receipt/?entries__entry={old.pk}">used in 1 answer</a>, last on' in page
    assert page.count("used in no answer yet") == 1
    assert "What answers would change" in page


def test_other_names_and_pairs_of_the_fold_plan_are_in_reach(desk: Client, ana: Account) -> None:
    assert "other name" not in shown(desk)
    Alias.objects.create(owner=ana, name="the shed", other="the hut")
    others(ana)
    contradicting(ana)

    page = shown(desk)
    alike = desk.get(f"{INBOX}alike/", headers={"Forge-Part": "1"}).content.decode()

    assert "1 other name of a subject waits too" in page
    assert f'{INBOX}alike/" data-panel-link' in page
    assert "1 pair to settle" in alike
    assert "Deploys on Fridays are not allowed" in alike


def test_text_is_shown_as_text(desk: Client, ana: Account) -> None:
    said(ana, "The <script>alert(1)</script> password is birch-71")
    said(ana, "The <script>alert(1)</script> password is now otter-28")
    forgetting_pass.run(ana)

    assert "<script>alert" not in shown(desk)


def test_who_may_only_look_sees_no_buttons_and_does_nothing(desk: Client, ana: Account) -> None:
    over(ana)
    forgetting_pass.run(ana)
    pk = Proposal.objects.get().pk
    ana.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))

    assert "aria-keyshortcuts" not in shown(desk)
    for path in ("decide/", "decide-many/", "edit/"):
        assert desk.post(f"{INBOX}{path}", {"ids": pk, "id": pk, "do": "accept", "sure": 1}).status_code == 403
    assert desk.get(f"{INBOX}{pk}/effects/").status_code == 200
    assert Proposal.objects.get().status == "proposed"
    ana.user_permissions.clear()
    for path in ("", f"{pk}/change/", f"{pk}/effects/", "alike/"):
        assert desk.get(f"{INBOX}{path}").status_code == 403


def test_a_proposal_of_another_is_not_there(desk: Client, ana: Account, ben: Account) -> None:
    over(ben)
    forgetting_pass.run(ben)
    pk = Proposal.objects.get().pk

    assert "loan car" not in shown(desk)
    decide(desk, pk, "accept")
    assert Proposal.objects.get().status == "proposed"
    for page in (f"{pk}/change/", f"{pk}/effects/"):
        assert desk.get(f"{INBOX}{page}").status_code == 404


def test_every_tab_is_there_and_what_was_kept_can_be_looked_at(desk: Client, ana: Account) -> None:
    said(ana, "Allergic to peanuts and to celery", days=60)
    forgetting_pass.run(ana)

    assert "Nothing waits for you." in shown(desk)
    assert "Allergic to peanuts" in shown(desk, "?status=dismissed")
    for status in ("applied", "rejected", "nonsense"):
        shown(desk, f"?status={status}&p=9&just=x-1")


def test_the_page_asks_no_more_the_more_there_is(
    desk: Client, ana: Account, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(14):
        entry = said(ana, f"The shed {number} is green", days=40)
        seen = {str(entry.pk): [entry.version, entry.digest]}
        Proposal(owner=ana, memory=entry, form="single", action="archive", probability=0.9, seen=seen).save()

    with django_assert_max_num_queries(15):
        desk.get(INBOX)
