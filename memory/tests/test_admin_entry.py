"""The page of an entry on the desk: its state in words, a button for each verb, links, evidence and history."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from chat.models import Conversation, Message, Role
from forgesite.models import Account
from memory import move
from memory.ledger import head
from memory.models import Commit, Entry, Erasure, Link
from memory.relate import relate
from memory.revise import Changes, revise
from memory.tests.entries import found, saved

LIST, PART = "/admin/memory/entry/", {"Forge-Part": "1"}
WHO: dict[str, Any] = {"actor": "person", "cause": "admin"}
PORT, OTHER = "The test server runs on port 8080", "The test server runs on port 9090"

pytestmark = pytest.mark.usefixtures("words_only")


def page_of(desk: Client, entry: Entry, name: str = "change") -> str:
    return desk.get(f"{LIST}{entry.pk}/{name}/").content.decode()


def acts(page: str) -> list[str]:
    return re.findall(r'name="act" value="(\w+)"', page)


def press(desk: Client, entry: Entry, act: str, **more: Any) -> str:
    seen = Entry.objects.get(pk=entry.pk).version
    return desk.post(f"{LIST}{entry.pk}/act/", {"act": act, "seen": seen} | more, follow=True).content.decode()


def test_the_state_is_in_words_with_a_link_to_who_took_its_place(desk: Client, ana: Account) -> None:
    old, new = saved(ana, PORT), saved(ana, OTHER)
    assert ">live<" in page_of(desk, old)

    relate(ana, new.pk, "supersedes", old.pk, **WHO)
    move.archive(ana, old.pk, **WHO)

    page = page_of(desk, old)
    assert ">archived<" in page
    assert f'replaced by <a href="{LIST}{new.pk}/change/">#{new.pk}</a>' in page


def test_times_are_told_and_the_words_that_one_was_told_from(desk: Client, ana: Account) -> None:
    entry = saved(ana, "We moved the server yesterday", kind="event")

    page = page_of(desk, entry)

    assert "“yesterday” →" in page
    assert "Recorded" in page
    assert "You wrote it" in page


@pytest.mark.parametrize(
    ("kind", "status", "offered"),
    [
        ("fact", "active", ["reaffirm", "pin", "archive", "retract"]),
        ("fact", "archived", ["pin", "restore", "retract"]),
        ("fact", "retracted", ["pin", "restore"]),
        ("todo", "open", ["close", "reaffirm", "pin", "archive", "retract"]),
        ("todo", "closed", ["reopen", "pin", "archive", "retract"]),
    ],
)
def test_the_buttons_are_those_that_make_sense(
    desk: Client, ana: Account, kind: str, status: str, offered: list[str]
) -> None:
    entry = saved(ana, PORT, kind=kind)
    if status not in ("active", "open"):
        revise(ana, entry.pk, Changes(status=status), version=None, **WHO)

    assert acts(page_of(desk, entry)) == offered


def test_what_was_replaced_can_be_restored(desk: Client, ana: Account) -> None:
    old, new = saved(ana, PORT), saved(ana, OTHER)
    relate(ana, new.pk, "supersedes", old.pk, **WHO)
    assert "restore" in acts(page_of(desk, old))

    press(desk, old, "restore")

    assert Entry.objects.get(pk=old.pk).is_live


@pytest.mark.parametrize(
    ("act", "field", "value"),
    [
        ("archive", "status", "archived"),
        ("retract", "status", "retracted"),
        ("pin", "pinned", True),
        ("close", "status", "closed"),
    ],
)
def test_a_button_is_its_verb_and_its_message_takes_it_back(
    desk: Client, ana: Account, act: str, field: str, value: object
) -> None:
    entry = saved(ana, PORT, kind="todo")

    page = press(desk, entry, act)

    assert getattr(Entry.objects.get(), field) == value
    [address] = re.findall(r"/commit/([0-9a-f]{64})/undo/", page.partition("entry-page")[0])
    desk.post(f"/admin/memory/commit/{address}/undo/")
    assert getattr(Entry.objects.get(), field) == getattr(entry, field)


def test_a_button_that_was_pressed_elsewhere_meanwhile_changes_nothing(desk: Client, ana: Account) -> None:
    entry = saved(ana, PORT)
    revise(ana, entry.pk, Changes(kind="note"), version=None, **WHO)

    page = press(desk, entry, "archive", seen=entry.version)

    assert "changed since it was read" in page
    assert Entry.objects.get().status == "active"


def test_what_is_so_already_makes_no_commit(desk: Client, ana: Account) -> None:
    entry = saved(ana, PORT)
    press(desk, entry, "archive")
    before = head(ana)

    assert "so already" in press(desk, entry, "archive")
    assert head(ana) == before


def test_an_act_that_does_not_exist_is_no_act(desk: Client, ana: Account) -> None:
    entry = saved(ana, PORT)

    assert desk.post(f"{LIST}{entry.pk}/act/", {"act": "explode"}).status_code == 400
    assert desk.get(f"{LIST}{entry.pk}/act/").status_code == 302


def test_another_persons_entry_has_no_act_page_or_history(desk: Client, ben: Account) -> None:
    entry = saved(ben, "Ben's canary sings at dawn")

    for name in ("act", "relate", "unrelate", "delete"):
        assert (
            desk.post(f"{LIST}{entry.pk}/{name}/", {"act": "archive", "sure": 1, "number": entry.pk}).status_code == 404
        )
    assert desk.get(f"{LIST}{entry.pk}/history/").status_code == 404
    assert Entry.objects.get().status == "active"


def test_the_history_tells_who_why_and_the_words_that_differ(desk: Client, ana: Account) -> None:
    entry = saved(ana, PORT)
    revise(ana, entry.pk, Changes(text=OTHER), version=None, actor="person", cause="chat 7f3a")

    page = page_of(desk, entry)

    assert re.search(r"<del>.*removed:.*8080</del><ins>.*added:.*9090</ins>", page)
    assert "<span>you</span>" in page
    assert '<a href="/admin/traces/run/?run_id=7f3a">in a conversation</a>' in page


def test_a_text_is_never_markup_in_its_history(desk: Client, ana: Account) -> None:
    entry = saved(ana, "We like <b>tea</b> best")
    revise(ana, entry.pk, Changes(text="We like <script>alert(1)</script> best"), version=None, **WHO)

    page = page_of(desk, entry)

    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page


def test_a_long_history_is_cut_and_the_whole_is_a_click_away(desk: Client, ana: Account) -> None:
    entry = saved(ana, PORT)
    for n in range(25):
        revise(ana, entry.pk, Changes(project=f"shelf {n}"), version=None, **WHO)

    page = page_of(desk, entry)

    assert "shelf 24" in page
    assert "shelf 3<" not in page
    assert "shelf 3<" in page_of(desk, entry, "history")


def test_long_words_that_stayed_the_same_are_clipped(desk: Client, ana: Account) -> None:
    middle = " ".join(f"word{n}" for n in range(400))
    entry = saved(ana, f"Port 8080 {middle} at home")
    revise(ana, entry.pk, Changes(text=f"Port 9090 {middle} at work"), version=None, **WHO)

    [difference] = re.findall(r'class="difference">(.*?)</p>', page_of(desk, entry), re.DOTALL)

    assert "…" in difference
    assert "word200" not in difference
    assert "word399" in difference


def test_undo_stands_beside_what_can_be_undone_alone(desk: Client, ana: Account) -> None:
    entry = saved(ana, PORT)
    press(desk, entry, "archive")
    archived = head(ana)
    assert archived is not None
    desk.post(f"/admin/memory/commit/{archived.address}/undo/")

    page = page_of(desk, entry).partition('class="story"')[2]

    offered = re.findall(r"/commit/([0-9a-f]{64})/undo/", page)
    assert archived.address not in offered
    assert len(offered) == 2
    assert ">undone</a>" in page


def test_links_read_both_ways_and_are_removed_by_hand(desk: Client, ana: Account) -> None:
    new, old = saved(ana, OTHER), saved(ana, PORT)

    desk.post(f"{LIST}{new.pk}/relate/", {"type": "supersedes", "other": old.pk})

    assert "supersedes" in page_of(desk, new)
    assert "is superseded by" in page_of(desk, old)
    desk.post(f"{LIST}{old.pk}/unrelate/", {"link": Link.objects.get().pk})
    assert not Link.objects.standing().exists()


def test_a_relation_is_made_the_other_way_round(desk: Client, ana: Account) -> None:
    old, new = saved(ana, PORT), saved(ana, OTHER)

    desk.post(f"{LIST}{old.pk}/relate/", {"type": "-supersedes", "other": new.pk})

    assert Entry.objects.get(pk=old.pk).superseded_by_id == new.pk


def test_what_to_relate_is_found_by_number_or_by_words(desk: Client, ana: Account) -> None:
    entry, other = saved(ana, PORT), saved(ana, "The choir meets on Tuesdays")

    for asked in (f"#{other.pk}", "choir"):
        page = desk.get(f"{LIST}{entry.pk}/relate/", {"type": "conflicts", "q": asked}).content.decode()
        assert f'name="other" value="{other.pk}"' in page
        assert f'name="other" value="{entry.pk}"' not in page


def test_a_relation_that_cannot_be_is_a_message(desk: Client, ana: Account) -> None:
    entry = saved(ana, PORT)

    page = desk.post(f"{LIST}{entry.pk}/relate/", {"type": "conflicts", "other": entry.pk}, follow=True)

    assert "cannot be related to itself" in page.content.decode()


def test_the_evidence_quotes_the_message_and_leads_to_it(desk: Client, ana: Account) -> None:
    talk = Conversation.objects.create(owner=ana, title="Where things run")
    said = Message.objects.create(owner=ana, conversation=talk, role=Role.USER, content="Remember: port 8080, please")
    entry = saved(ana, PORT, conversation=talk.pk, message=said.pk)

    page = page_of(desk, entry)

    assert "Remember: port 8080, please" in page
    assert f"/c/{talk.pk}/?message={said.pk}#m{said.pk}" in page
    said.delete()
    assert f'href="/c/{talk.pk}/"' in page_of(desk, entry)


def test_forgetting_offers_retract_and_asks_twice(desk: Client, ana: Account) -> None:
    entry = saved(ana, PORT)
    page = page_of(desk, entry, "delete")
    assert ("Retract instead" in page, "What goes:" in page, 'name="sure"' in page) == (True, False, False)
    whole, part = (desk.get(f"{LIST}{entry.pk}/delete/?goes=1", headers=sent).content.decode() for sent in ({}, PART))
    assert whole.index("Retract instead") < whole.index("What goes:") < whole.index('name="sure"')
    assert ("Retract instead" in part, "<html" in part, "What goes:" in part) == (False, False, True)

    for answer in ({}, {"number": entry.pk}, {"sure": "on"}, {"sure": "on", "number": entry.pk + 1}):
        asked = desk.post(f"{LIST}{entry.pk}/delete/", answer).content.decode()
        assert 'role="alert"' in asked
    assert Entry.objects.exists()

    told = desk.post(f"{LIST}{entry.pk}/delete/", {"sure": "on", "number": f"#{entry.pk}"}, follow=True)
    page = told.content.decode()
    assert not Entry.objects.exists()
    assert found(ana, "test server port") == []
    assert Erasure.objects.get().address in page
    assert "Backups made before." in page


def test_what_is_left_of_a_forgotten_entry_is_its_commits(desk: Client, ana: Account) -> None:
    entry = saved(ana, PORT)
    desk.post(f"{LIST}{entry.pk}/delete/", {"sure": "on", "number": entry.pk})

    page = page_of(desk, entry, "history")

    assert "This entry is forgotten" in page
    assert "8080" not in page
    assert "Forgotten" in page


def test_ones_own_message_goes_only_where_it_is_ticked(desk: Client, ana: Account) -> None:
    talk = Conversation.objects.create(owner=ana, title="Where things run")
    texts = (PORT, "The choir meets on Tuesdays")
    messages = [Message.objects.create(owner=ana, conversation=talk, role=Role.USER, content=text) for text in texts]
    kept, taken = (
        saved(ana, text, conversation=talk.pk, message=said.pk) for text, said in zip(texts, messages, strict=True)
    )
    assert "My message too" in desk.get(f"{LIST}{kept.pk}/delete/?goes=1").content.decode()

    desk.post(f"{LIST}{kept.pk}/delete/", {"sure": "on", "number": kept.pk})
    desk.post(f"{LIST}{taken.pk}/delete/", {"sure": "on", "number": taken.pk, "my_message": "on"})

    assert list(Message.objects.values_list("pk", flat=True)) == [messages[0].pk]


def test_a_certificate_says_whether_it_is_as_it_was_made(desk: Client, ana: Account) -> None:
    entry = saved(ana, PORT)
    desk.post(f"{LIST}{entry.pk}/delete/", {"sure": "on", "number": entry.pk})
    kept = Erasure.objects.get()
    place = f"/admin/memory/erasure/{kept.pk}/change/"
    assert "matches its content" in desk.get(place).content.decode()
    assert f"#{entry.pk}" in desk.get("/admin/memory/erasure/").content.decode()

    Erasure.objects.update(report=kept.report | {"texts": 99})

    assert "does not match its content" in desk.get(place).content.decode()


def test_a_time_of_midnight_is_a_day(desk: Client, ana: Account) -> None:
    day = timezone.localtime().replace(year=2026, month=3, day=4, hour=0, minute=0, second=0, microsecond=0)
    entry = saved(ana, "The dentist", kind="event", event_at=day)

    assert "<dd>4 March 2026</dd>" in page_of(desk, entry)


def test_every_commit_of_the_desk_says_so(desk: Client, ana: Account) -> None:
    entry = saved(ana, PORT)
    press(desk, entry, "archive")

    assert Commit.objects.latest("tick").cause == "admin"
