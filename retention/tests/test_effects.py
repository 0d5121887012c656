"""What a yes would change in answers, found out before it is said."""

from __future__ import annotations

import html
import re
from dataclasses import replace

from django.test import Client

from forgesite.models import Account
from forgesite.testing_embedders import ScriptedEmbedder, served_by
from memory.domain.receipt import HOT
from memory.given.gathered import Found, Gathered
from memory.golden import star
from memory.guard import AT_ONCE
from memory.models import Commit, Entry, Link, Receipt
from memory.move import archive
from memory.recall import LeftOut, Query, recall
from memory.receipts import erase_questions, seal
from memory.revise import Changes, revise
from retention import effects as measured
from retention import forgetting_pass, review
from retention.effects import effects
from retention.models import Proposal
from retention.tests.entries import changed, others, over, said
from retention.tests.test_admin import INBOX
from retention.tests.test_review import contradicting, proposed

OFF = "Whose is birch-71?"
PASSWORD = "What is the wifi password?"


def answered(owner: Account, question: str, run: str = "a") -> Receipt:
    """As a turn asks, before any successor is there."""
    found = recall(owner, Query(question, for_prompt=True, beside_todos=True))
    seal(owner, Gathered([Found("recall", found)]), run_id=run * 32)
    return Receipt.objects.of(owner).latest("number")


def replaced_after(owner: Account, *questions: str) -> Proposal:
    """Of two, the older of which was given to these questions."""
    others(owner)
    said(owner, "The wifi password is birch-71")
    for question in questions:
        answered(owner, question)
    said(owner, "The wifi password is now otter-28")
    return proposed(owner)


def pair(owner: Account, old: Entry, new: Entry) -> Proposal:
    seen = {str(one.pk): [one.version, one.digest] for one in (old, new)}
    return Proposal.objects.create(
        owner=owner, memory=old, related=new, form="pair", action="supersede", probability=0.9, seen=seen
    )


def test_past_answers_would_be_given_the_successor_and_no_golden_question_is_worse(on: None, ana: Account) -> None:
    proposal = replaced_after(ana, PASSWORD, PASSWORD, "Which password has the wifi?")
    star(ana, PASSWORD, [proposal.memory_id or 0])

    found = effects(ana, [proposal])

    [way] = found.ways
    assert [one.text for one in way.instead] == ["Which password has the wifi?", PASSWORD]
    assert (way.worse, way.still, way.gone) == ((), (), ())
    assert (found.golden, found.every_golden, found.asked, found.answers, found.no_more) == (1, 1, 2, 3, 0)


def test_it_is_taken_back_before_anybody_sees_it(on: None, ana: Account) -> None:
    proposal = replaced_after(ana, PASSWORD)
    before = (Commit.objects.count(), Link.objects.count())

    effects(ana, [proposal])

    assert (Commit.objects.count(), Link.objects.count()) == before
    assert review.proposal_of(ana, proposal.pk).status == "proposed"


def test_what_a_successor_does_not_answer_is_lost_and_named(on: None, ana: Account) -> None:
    old = said(ana, "The wifi password of the cellar router is birch-71")
    new = said(ana, "Otter-28 opens the garden gate")
    asked = "What is the wifi password of the cellar router?"
    answered(ana, asked)
    star(ana, asked, [old.pk])

    [way] = effects(ana, [pair(ana, old, new)]).ways

    assert [one.text for one in way.gone] == [asked]
    assert [change.text for change in way.worse] == [asked]


def test_what_is_archived_is_still_found_after_what_is_live(on: None, ana: Account) -> None:
    over(ana)
    answered(ana, "Whose is the loan car?")

    [way] = effects(ana, [proposed(ana)]).ways

    assert [one.text for one in way.still] == ["Whose is the loan car?"]


def test_of_a_conflict_either_way_is_tried(on: None, ana: Account) -> None:
    others(ana)
    contradicting(ana)
    answered(ana, "Are deploys on Fridays allowed?")

    found = effects(ana, [proposed(ana)])

    assert [way.resolution for way in found.ways] == ["supersede", "archive_older"]
    assert found.ways[0].instead


def test_what_the_prompt_held_already_counts_as_given(on: None, ana: Account) -> None:
    old, _new = changed(ana)
    found = recall(ana, Query("birch-71"))
    held = tuple(LeftOut(row.entry.pk, HOT, row.distance, row.score, row.channel, row.rank) for row in found.rows)
    assert [each.id for each in held] == [old.pk]

    seal(ana, Gathered([Found("recall", replace(found, rows=(), left_out=held))]), run_id="a" * 32)

    assert effects(ana, [proposed(ana)]).asked == 1


def test_questions_whose_words_are_erased_are_not_asked(on: None, ana: Account) -> None:
    proposal = replaced_after(ana, PASSWORD)
    erase_questions(Receipt.objects.of(ana))

    found = effects(ana, [proposal])

    assert (found.asked, found.answers) == (0, 1)


def test_no_more_than_so_many_are_asked_again(on: None, ana: Account) -> None:
    questions = [PASSWORD + "?" * number for number in range(measured.MOST_ANSWERS + 2)]
    proposal = replaced_after(ana, *questions)

    found = effects(ana, [proposal])

    assert (found.asked, found.answers) == (measured.MOST_ANSWERS, len(questions))
    assert questions[-1] in {one.text for one in found.ways[0].instead}


def test_what_there_was_no_time_for_is_counted_and_told(on: None, ana: Account) -> None:
    questions = [PASSWORD + "?" * number for number in range(AT_ONCE + 3)]
    proposal = replaced_after(ana, *questions)

    found = effects(ana, [proposal], seconds=0)

    assert (found.asked, found.unasked, len(found.ways[0].instead)) == (AT_ONCE, 3, AT_ONCE)


def test_the_embedder_is_asked_once_a_question_whatever_it_answers(ana: Account) -> None:
    with ScriptedEmbedder() as embedder, served_by(embedder):
        others(ana)
        old = said(ana, "The wifi password is birch-71")
        star(ana, PASSWORD, [old.pk]), star(ana, OFF, [old.pk])
        proposal = pair(ana, old, said(ana, "The wifi password is now otter-28"))
        before = len(embedder.asked)

        effects(ana, [proposal])
        assert sorted(embedder.asked[before:]) == sorted([[OFF], [PASSWORD]])
        embedder.mode = "fail"
        before = len(embedder.asked)
        found = effects(ana, [proposal])

    assert found.degraded
    assert len(embedder.asked) - before <= len([OFF, PASSWORD])


def test_an_answer_that_would_not_be_given_it_today_is_counted_apart(on: None, ana: Account) -> None:
    proposal = replaced_after(ana, PASSWORD, "What is birch-71?")
    old = Entry.objects.get(pk=proposal.memory_id or 0)
    revise(ana, old.pk, Changes(text="The wifi password is heron-86"), version=None, actor="person", cause="test")

    found = effects(ana, [review.proposal_of(ana, proposal.pk)])

    assert found.no_more == 1
    assert [one.text for one in found.ways[0].instead] == [PASSWORD]


def test_several_are_tried_at_once_without_those_that_would_be_refused(on: None, client: Client, ana: Account) -> None:
    first = replaced_after(ana, PASSWORD)
    over(ana)
    answered(ana, "Whose is the loan car?")
    forgetting_pass.run(ana)
    some = list(review.proposals(ana))
    assert len(some) == 2

    [way] = effects(ana, some).ways

    assert ([one.text for one in way.instead], [one.text for one in way.still]) == (
        [PASSWORD],
        ["Whose is the loan car?"],
    )
    ana.is_staff = ana.is_superuser = True
    ana.save()
    client.force_login(ana)
    asked = client.post(f"{INBOX}decide-many/", {"id": [one.pk for one in some], "do": "accept"}).content.decode()
    [url] = re.findall(r'href="([^"]+)" data-panel-link', asked)
    assert "would be given what replaces it" in client.get(html.unescape(url)).content.decode()
    archive(ana, first.memory_id or 0, actor="person", cause="test")
    assert effects(ana, list(review.proposals(ana))).answers == 1


def test_the_panel_tells_it_and_who_is_not_asked_gets_nothing(
    on: None, client: Client, ana: Account, ben: Account
) -> None:
    proposal = replaced_after(ana, PASSWORD)
    for owner in (ana, ben):
        owner.is_staff = owner.is_superuser = True
        owner.save()
    client.force_login(ana)
    url = f"{INBOX}{proposal.pk}/effects/"

    part = client.get(url, headers={"Forge-Part": "1"}).content.decode()

    assert f"1 past answer would be given #{proposal.related_id} instead" in part
    assert PASSWORD in part
    assert "by words alone" in part
    assert "<html" not in part
    assert "<html" in client.get(url).content.decode()
    review.accept(ana, proposal.pk)
    client.force_login(ben)
    assert client.get(url).status_code == 404


def test_what_cannot_be_accepted_any_more_is_not_tried(on: None, client: Client, ana: Account) -> None:
    ana.is_staff = ana.is_superuser = True
    ana.save()
    proposal = replaced_after(ana, PASSWORD)
    archive(ana, proposal.memory_id or 0, actor="person", cause="test")
    client.force_login(ana)

    page = client.get(f"{INBOX}{proposal.pk}/effects/", headers={"Forge-Part": "1"}).content.decode()

    assert "is no longer live" in page
