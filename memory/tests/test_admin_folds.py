"""Folds on the desk: what could be folded, with everything that speaks for and against it, and every way back."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from forgesite.models import Account
from memory.fold import apply
from memory.ledger import head
from memory.models import Commit, Entry
from memory.relate import relate
from memory.revise import Changes, revise
from memory.tests.folds import BY, DECK, DECK_MORE, HARDWARE, LINE, RAM, TELEGRAM, block, notes, standing
from memory.unfold import folds

PAGE, APPLIED = "/admin/folds/", "/admin/folds/applied/"
NEGATED = "Le NiPoGi n'a pas 32 Go de RAM"
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("words_only")]


@pytest.fixture
def machine(ana: Account) -> list[Entry]:
    return notes(ana, RAM, HARDWARE, TELEGRAM, NEGATED, DECK, DECK_MORE)


@pytest.fixture
def viewer(client: Client, ben: Account) -> Client:
    """One who may look, at a memory of his own."""
    ben.is_staff = True
    ben.save()
    ben.user_permissions.set(Permission.objects.filter(codename__in=["view_entry", "view_commit"]))
    client.force_login(ben)
    return client


def shown(desk: Client, url: str = PAGE) -> str:
    answer = desk.get(url)
    assert answer.status_code == 200
    return answer.content.decode()


def values(page: str) -> list[str]:
    return re.findall(r'name="shown" value="([^"]+)"', page)


def value_of(desk: Client, subject: str) -> str:
    [value] = [value for value in values(shown(desk)) if value.endswith(f":{subject}")]
    return value


def posted(desk: Client, url: str, **fields: Any) -> str:
    answer = desk.post(url, fields, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_subject_shows_its_sources_the_line_the_gates_and_the_tokens(
    desk: Client, machine: list[Entry], django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(15):
        page = shown(desk)

    for said in (RAM, HARDWARE, LINE, "it negates something", "3 entries → 1 line"):
        assert said.replace("'", "&#x27;") in page, said
    for figures in (r"budget \d+ ≤ \d+", r"Block: 6 → 3 lines", r"\d+ → \d\d tokens", "Block: 3 lines → 1 line"):
        assert re.search(figures, page), figures
    assert f"#{machine[5].pk} says all of it" in page
    assert 'href="/admin/folds/" aria-current="page"' in page


def test_one_subject_is_folded_and_the_other_is_left(desk: Client, ana: Account, machine: list[Entry]) -> None:
    before = block(ana)

    page = posted(desk, "/admin/folds/apply/", one=value_of(desk, "possède"))

    assert standing(ana) == {("speaks_for", machine[5].pk, machine[4].pk)}
    assert "1 subject is folded." in page
    [address] = re.findall(r"/commit/([0-9a-f]{64})/undo/", page.partition('class="card')[0])
    desk.post(f"/admin/memory/commit/{address}/undo/")
    assert (standing(ana), block(ana)) == (set(), before)


def test_all_that_was_shown_or_what_was_picked_is_folded_in_one_commit(
    desk: Client, ana: Account, machine: list[Entry]
) -> None:
    before = Commit.objects.of(ana).count()

    posted(desk, "/admin/folds/apply/", shown=values(shown(desk)), pick=[], every="1")

    assert (len(folds(ana)), Commit.objects.of(ana).count()) == (2, before + 1)
    [line] = [each.entry for each in folds(ana) if each.written]
    assert line.text == LINE


def test_nothing_picked_folds_nothing(desk: Client, ana: Account, machine: list[Entry]) -> None:
    assert "No subject was picked." in posted(desk, "/admin/folds/apply/", shown=values(shown(desk)))
    assert standing(ana) == set()


def test_what_changed_since_it_was_shown_is_not_folded(desk: Client, ana: Account, machine: list[Entry]) -> None:
    value = value_of(desk, "possède")
    revise(ana, machine[5].pk, Changes(text=f"{DECK_MORE} encore"), version=None, **BY)

    assert "changed meanwhile" in posted(desk, "/admin/folds/apply/", one=value)
    assert standing(ana) == set()


def test_a_fold_is_unwound_whole_and_in_part(desk: Client, ana: Account, machine: list[Entry]) -> None:
    before = block(ana)
    apply(ana, **BY)
    page = shown(desk, APPLIED)
    for said in (LINE, RAM, "speaks for 3 entries", "an entry that said it all"):
        assert said in page
    line = next(each.entry for each in folds(ana) if each.written)

    posted(desk, f"/admin/folds/{line.pk}/unwind/", source=machine[0].pk)
    assert ("speaks_for", line.pk, machine[0].pk) not in standing(ana)
    assert len(standing(ana)) == 3
    page = posted(desk, f"/admin/folds/{line.pk}/unwind/")
    assert "is taken back" in page
    posted(desk, f"/admin/folds/{machine[5].pk}/unwind/")
    assert (standing(ana), block(ana)) == (set(), before)
    assert "speaks for no other" in posted(desk, f"/admin/folds/{machine[5].pk}/unwind/")


def test_one_who_may_only_look_sees_no_button_and_a_forged_post_is_refused(viewer: Client, ben: Account) -> None:
    entries = notes(ben, RAM, HARDWARE, TELEGRAM, NEGATED, DECK, DECK_MORE)
    before = head(ben)
    page = shown(viewer)
    assert LINE in page
    assert 'method="post" action="/admin/folds/' not in page

    ends = {"older": f"{entries[0].pk}:1", "newer": f"{entries[3].pk}:1", "way": "archive"}
    for url, fields in (
        ("apply/", {"every": "1", "shown": "x:y"}),
        ("settle/", ends),
        (f"{entries[5].pk}/unwind/", {}),
    ):
        assert viewer.post(PAGE + url, fields).status_code == 403
    assert head(ben) == before


def test_anothers_folds_are_not_seen_and_not_unwound(desk: Client, ana: Account, ben: Account) -> None:
    entries = notes(ben, RAM, HARDWARE, TELEGRAM)
    apply(ben, **BY)
    line = folds(ben)[0].entry
    assert LINE not in shown(desk, APPLIED)

    posted(desk, f"/admin/folds/{line.pk}/unwind/")

    assert len(standing(ben)) == len(entries)


def test_without_the_right_to_see_entries_there_is_no_such_page(client: Client, ben: Account) -> None:
    ben.is_staff = True
    ben.save()
    client.force_login(ben)
    assert [client.get(url).status_code for url in (PAGE, APPLIED)] == [403, 403]


def test_a_large_memory_is_looked_through_only_when_asked(
    desk: Client, machine: list[Entry], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.desk.folds.AT_ONCE", 3)
    page = shown(desk)
    assert "Look for folds" in page
    assert LINE not in page
    assert LINE in shown(desk, f"{PAGE}?look=1")


# -- pairs that look alike


def named(machine: list[Entry]) -> str:
    return f'aria-label="#{machine[0].pk}, #{machine[3].pk}"'


def pair(machine: list[Entry]) -> dict[str, str]:
    return {"older": f"{machine[0].pk}:1", "newer": f"{machine[3].pk}:1"}


@pytest.mark.parametrize("way", ["archive", "supersede", "both", "conflict"])
def test_a_pair_is_settled_and_not_shown_again_until_that_is_undone(
    desk: Client, ana: Account, machine: list[Entry], way: str
) -> None:
    assert named(machine) in shown(desk)

    page = posted(desk, "/admin/folds/settle/", way=way, **pair(machine))

    assert named(machine) not in page
    assert f"#{machine[0].pk}" in re.findall(r'class="success">[^<]*', page)[0]
    [address] = re.findall(r"/commit/([0-9a-f]{64})/undo/", page)
    desk.post(f"/admin/memory/commit/{address}/undo/")
    assert named(machine) in shown(desk)


def test_two_that_are_both_true_are_asked_about_again_once_one_of_them_changes(
    desk: Client, ana: Account, machine: list[Entry]
) -> None:
    posted(desk, "/admin/folds/settle/", way="both", **pair(machine))
    revise(ana, machine[3].pk, Changes(text="Le NiPoGi n'a pas 32 Go de RAM, dit Ana"), version=None, **BY)
    revise(ana, machine[3].pk, Changes(text=NEGATED), version=None, **BY)
    assert named(machine) in shown(desk)


def test_a_conflict_that_was_marked_elsewhere_is_settled(desk: Client, ana: Account, machine: list[Entry]) -> None:
    relate(ana, machine[0].pk, "conflicts", machine[3].pk, **BY)
    assert named(machine) not in shown(desk)


def test_a_pair_that_changed_since_it_was_shown_is_not_settled(
    desk: Client, ana: Account, machine: list[Entry]
) -> None:
    revise(ana, machine[0].pk, Changes(pinned=True), version=None, **BY)
    before = head(ana)
    assert "changed since it was read" in posted(desk, "/admin/folds/settle/", way="archive", **pair(machine))
    assert "settles nothing" in posted(desk, "/admin/folds/settle/", way="marry", **pair(machine))
    posted(desk, "/admin/folds/settle/", way="archive", older="x", newer="1:²")
    assert head(ana) == before
