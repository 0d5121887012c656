"""What an entry's page tells of its use: hints at the text, links drawn, answers, and the questions that reach it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from forgesite.models import Account
from forgesite.testing_embedders import ScriptedEmbedder
from memory import golden, move
from memory.desk.graph import SIDE
from memory.forget import forget
from memory.given.gathered import Found, Gathered
from memory.models import Entry, Receipt
from memory.recall import Query, recall
from memory.receipts import erase_questions, seal
from memory.relate import relate
from memory.tests.entries import saved
from memory.tests.selections import LIST, WHO

PORT, QUESTION = "The test server runs on port 8080", "Which port does the test server use?"
ALONE: Any = {"HTTP_FORGE_PART": "1"}

pytestmark = pytest.mark.usefixtures("words_only")


def page_of(desk: Client, entry: Entry, part: str = "change", **query: str) -> str:
    return desk.get(f"{LIST}{entry.pk}/{part}/", query).content.decode()


def answered(owner: Account, question: str, run: str = "run") -> None:
    seal(owner, Gathered([Found("recall", recall(owner, Query(question, for_prompt=True)))]), run_id=run)


def drawn(page: str) -> str:
    [svg] = re.findall(r'<svg class="graph".*?</svg>', page, re.DOTALL)
    return str(svg)


# -- the list's filter


def test_what_no_answer_used_is_filtered(desk: Client, ana: Account) -> None:
    used, unused = saved(ana, PORT), saved(ana, "The choir meets on Tuesdays")
    answered(ana, QUESTION)

    for value, shown, hidden in (("0", unused, used), ("1", used, unused)):
        page = desk.get(LIST, {"used": value}).content.decode()
        assert f">#{shown.pk}<" in page
        assert f">#{hidden.pk}<" not in page


# -- hints


def test_a_telegram_and_a_misspelt_word_are_told_at_the_text_which_stays(desk: Client, ana: Account) -> None:
    saved(ana, "The carburettor of the truck was changed")
    entry = saved(ana, "carburetttor, 32Go, Ansible")

    page = page_of(desk, entry)

    hints = page[page.index('class="entry-form"') : page.index("<textarea")]
    assert "“carburetttor” is nearly “carburettor”" in hints
    assert "telegram style" in hints
    assert "carburetttor, 32Go, Ansible</textarea>" in page
    assert "telegram" not in page_of(desk, saved(ana, PORT))


# -- the drawing


def test_links_are_drawn_both_ways_typed_and_lead_to_the_other(desk: Client, ana: Account) -> None:
    entry, old, note = saved(ana, PORT), saved(ana, "It was port 8000 before"), saved(ana, "The port is in the notes")
    assert 'class="graph"' not in page_of(desk, entry)
    relate(ana, entry.pk, "supersedes", old.pk, **WHO)
    relate(ana, note.pk, "source", entry.pk, **WHO)

    page = page_of(desk, entry)

    svg = drawn(page)
    for other, said in ((old, "supersedes"), (note, "rests on")):
        assert f'href="{LIST}{other.pk}/change/"' in svg
        assert f">{said}</text>" in svg
    assert f"is a source of #{note.pk}: The port is in the notes" in svg
    assert 'aria-hidden="true"' in svg
    assert svg.count("<a ") == svg.count('tabindex="-1"') == 2
    assert page.count("<h3>") >= 2  # the list of the same links, for everybody


def test_no_more_than_a_dozen_are_drawn_and_the_rest_is_counted(desk: Client, ana: Account) -> None:
    entry = saved(ana, PORT)
    for n in range(SIDE + 3):
        relate(ana, saved(ana, f"Note {n} on the port").pk, "source", entry.pk, **WHO)
    for n in range(SIDE + 1):
        relate(ana, entry.pk, "conflicts", saved(ana, f"Another port, {n}").pk, **WHO)

    page = page_of(desk, entry)

    assert drawn(page).count("<a ") == 2 * SIDE
    assert "4 more links are not drawn" in page


def test_what_was_forgotten_is_drawn_without_a_word(desk: Client, ana: Account) -> None:
    summary = saved(ana, "On the server", kind="note")
    source = saved(ana, "The secret canary sings at dawn")
    relate(ana, summary.pk, "source", source.pk, **WHO)
    forget(ana, [source.pk], **WHO)

    svg = re.findall(r'<svg class="graph".*?</svg>', page_of(desk, summary), re.DOTALL)

    assert "canary" not in "".join(svg)


def test_a_text_is_never_markup_in_the_drawing_or_the_panels(desk: Client, ana: Account) -> None:
    entry = saved(ana, f"{PORT} <script>alert(0)</script>")
    other = saved(ana, "<script>alert(1)</script> on the port")
    relate(ana, entry.pk, "conflicts", other.pk, **WHO)
    answered(ana, "Which port does <script>alert(2)</script> the test server use?")

    pages = [page_of(desk, entry), page_of(desk, entry, "panel/answers")]
    pages += [page_of(desk, entry, "panel/questions", q="<script>alert(3)</script> which port")]

    for page in pages:
        assert "alert(" in page
        assert "<script>alert" not in page


# -- answers


def test_the_answers_that_used_it_are_told_newest_first(desk: Client, ana: Account) -> None:
    entry, other = saved(ana, PORT), saved(ana, "The choir meets on Tuesdays")
    answered(ana, QUESTION, "first")
    answered(ana, "Where is the test server?", "second")

    assert "Used in 2 answers" in page_of(desk, entry)
    assert "Used in no answer" in page_of(desk, other)
    told = page_of(desk, entry, "panel/answers")

    assert told.index("Where is the test server?") < told.index(QUESTION)
    assert "traces/run/?q=second" in told
    assert "1. · lexical" in told
    for receipt in Receipt.objects.all():
        assert f"/admin/memory/receipt/{receipt.pk}/change/" in told


def test_an_erased_question_is_told_as_erased(desk: Client, ana: Account) -> None:
    entry = saved(ana, PORT)
    answered(ana, QUESTION)
    erase_questions(Receipt.objects.all())

    assert "question erased" in page_of(desk, entry, "panel/answers")
    assert QUESTION not in page_of(desk, entry, "panel/questions")


# -- questions


def test_the_questions_that_reach_it_and_golden_ones(desk: Client, ana: Account) -> None:
    entry = saved(ana, PORT)
    golden.star(ana, "Which port has the test server?", [entry.pk])
    for run in ("one", "two"):
        answered(ana, QUESTION, run)

    told = page_of(desk, entry, "panel/questions")

    assert told.count(QUESTION) == 1
    assert "2 times" in told
    assert re.search(r"Which port has the test server\? <span[^>]*>1\.</span>", told)


def test_a_question_is_tried_and_says_how_far_the_entry_comes(desk: Client, ana: Account) -> None:
    entry = saved(ana, PORT)

    told = page_of(desk, entry, "panel/questions", q=QUESTION)
    assert "✓ given" in told
    assert "1. · lexical" in told
    assert "∅ found by no channel" in page_of(desk, entry, "panel/questions", q="When does the choir sing?")
    move.retract(ana, entry.pk, **WHO)
    assert "∅ retracted" in page_of(desk, entry, "panel/questions", q=QUESTION)

    assert not Receipt.objects.exists()


def test_a_question_that_was_searched_by_words_alone_says_so(
    desk: Client, ana: Account, embedder: ScriptedEmbedder
) -> None:
    entry = saved(ana, PORT)
    assert 'class="note"' not in page_of(desk, entry, "panel/questions", q=QUESTION)
    embedder.mode = "fail"

    told = page_of(desk, entry, "panel/questions", q="Which port has the server?")

    assert 'class="note"' in told


# -- both ways of reading a part


@pytest.mark.parametrize("part", ["answers", "questions"])
def test_a_part_is_a_page_of_its_own_and_alone_for_the_script(desk: Client, ana: Account, part: str) -> None:
    entry = saved(ana, PORT)
    assert f"{LIST}{entry.pk}/panel/{part}/" in page_of(desk, entry)

    whole, alone = desk.get(f"{LIST}{entry.pk}/panel/{part}/"), desk.get(f"{LIST}{entry.pk}/panel/{part}/", **ALONE)

    assert "<html" in whole.content.decode()
    assert "<html" not in alone.content.decode()
    assert alone.content.decode().strip() in whole.content.decode()
    assert "Forge-Part" in alone["Vary"]


def test_nobody_reads_the_parts_of_anothers_entry(desk: Client, ana: Account, ben: Account) -> None:
    entry = saved(ben, PORT)

    for part in ("answers", "questions"):
        assert desk.get(f"{LIST}{entry.pk}/panel/{part}/").status_code == 404
    assert desk.get(f"{LIST}{saved(ana, PORT).pk}/panel/nothing/").status_code == 404
