"""Entries and refusals on the curation desk: every act has the effect of its verb, on one's own rows only."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from chat.models import Conversation, Message, Role
from forgesite.models import Account
from memory.listing import history
from memory.models import Commit, Entry, Refusal, Rule
from memory.recall import Query, recall
from memory.relate import relate
from memory.remember import Draft, Saved, remember, remember_many
from memory.revise import Changes, revise

LIST = "/admin/memory/entry/"


def saved(owner: Account, text: str, **more: object) -> Entry:
    done: Saved = remember(owner, Draft(text, **more), actor="person", cause="test")  # type: ignore[arg-type]
    return done.entry


def allow(account: Account, *names: str) -> None:
    account.is_staff = True
    account.save()
    account.user_permissions.set(Permission.objects.filter(codename__in=names))


def form_of(entry: Entry, **changed: object) -> dict[str, object]:
    form = {"text": entry.text, "kind": entry.kind, "project": entry.project, "status": entry.status}
    return form | {"event_at_0": "", "event_at_1": "", "seen": entry.version} | changed


def test_the_list_shows_ones_own_entries_and_nobody_elses(desk: Client, ana: Account, ben: Account) -> None:
    saved(ana, "The test server runs on port 8080")
    other = saved(ben, "Ben's canary sings at dawn")

    assert "port 8080" in desk.get(LIST).content.decode()
    for page in (LIST, f"{LIST}?q=canary", f"{LIST}?q={other.pk}"):
        assert "sings at dawn" not in desk.get(page).content.decode()
    for act in ("change", "delete", "history"):
        answer = desk.get(f"{LIST}{other.pk}/{act}/", follow=True)
        assert "sings at dawn" not in answer.content.decode()


def test_a_superuser_too_sees_only_their_own(desk: Client, ana: Account, ben: Account) -> None:
    saved(ben, "Ben's canary sings at dawn")
    Account.objects.filter(pk=ana.pk).update(is_superuser=True)

    assert "sings at dawn" not in desk.get(LIST).content.decode()


def test_an_edit_reaches_both_indexes_and_the_history(desk: Client, ana: Account) -> None:
    entry = saved(ana, "The test server runs on port 8000")

    answer = desk.post(f"{LIST}{entry.pk}/change/", form_of(entry, text="The test server runs on port 8080"))

    assert answer.status_code == 302
    assert recall(ana, Query("8080")).rows[0].entry.pk == entry.pk
    assert not recall(ana, Query("8000", policy="lexical")).rows
    assert [commit.actor for commit in history(entry)] == ["person", "person"]


def test_an_edit_of_what_moved_meanwhile_is_not_saved_and_not_lost(desk: Client, ana: Account) -> None:
    entry = saved(ana, "The test server runs on port 8000")
    desk.post(f"{LIST}{entry.pk}/change/", form_of(entry, text="The test server runs on port 8080"))

    answer = desk.post(f"{LIST}{entry.pk}/change/", form_of(entry, text="The test server moved to the attic"))

    page = answer.content.decode()
    assert "changed meanwhile and now reads" in page
    assert "moved to the attic" in page
    assert Entry.objects.get().text == "The test server runs on port 8080"
    assert 'name="seen" value="2"' in page


def test_an_entry_is_added_as_its_owners(desk: Client, ana: Account) -> None:
    desk.post(f"{LIST}add/", {"text": "The choir meets on Tuesdays", "kind": "fact"})

    entry = Entry.objects.get()
    assert entry.owner == ana
    assert recall(ana, Query("choir")).rows[0].entry.pk == entry.pk


def test_what_the_verb_refuses_is_an_error_of_the_form(desk: Client, db: None) -> None:
    page = desk.post(f"{LIST}add/", {"text": "boat", "kind": "fact"}).content.decode()

    assert "errornote" in page
    assert "boat</textarea>" in page
    assert not Entry.objects.exists()


def test_a_fact_that_becomes_a_todo_is_open(desk: Client, ana: Account) -> None:
    entry = saved(ana, "Renew the certificate in June")

    desk.post(f"{LIST}{entry.pk}/change/", form_of(entry, kind="todo"))

    assert Entry.objects.get().status == "open"


def test_the_box_searches_by_words_and_meaning_best_first(desk: Client, ana: Account) -> None:
    saved(ana, "The choir meets on Tuesdays")
    saved(ana, "The test server runs on port 8080")

    page = desk.get(LIST, {"q": "test server port", "rows": "1"}).content.decode()

    assert page.index("port 8080") > 0
    assert "found by" in page.lower()


def test_what_a_search_finds_comes_after_its_page(desk: Client, ana: Account) -> None:
    """By its script, which puts the part in; or by the link."""
    entry = saved(ana, "The test server runs on port 8080")
    asked = {"q": "test server port", "kind__exact": "fact"}
    page = desk.get(LIST, asked).content.decode()
    assert ("port 8080" in page, "?q=test+server+port&amp;kind__exact=fact&amp;rows=1" in page) == (False, True)
    part = desk.get(LIST, asked | {"rows": "1"}, headers={"Forge-Part": "1"}).content.decode()
    assert ("port 8080" in part, f"{LIST}{entry.pk}/change/" in part, "<html" in part) == (True, True, False)
    acted = {"action": "archive_selected", "_selected_action": entry.pk}
    desk.post(f"{LIST}?q=test+server+port", acted)
    assert Entry.objects.get().status == "archived"


def test_a_link_to_found_rows_without_their_search_is_the_whole_list(desk: Client, ana: Account) -> None:
    saved(ana, "The test server runs on port 8080")
    page = desk.get(LIST, {"q": "", "rows": "1"})
    assert (page.status_code, "port 8080" in page.content.decode()) == (200, True)


def test_a_search_within_a_filter_is_not_crowded_out(desk: Client, ana: Account) -> None:
    drafts = [Draft(f"The choir sings song {n}") for n in range(60)]
    drafts += [Draft(f"Server {n} is on shelf {n}") for n in range(600)]
    remember_many(ana, drafts, actor="person", cause="test")
    todo = saved(
        ana, "Ask who in the choir has the key to the attic, the cellar and the shed", kind="todo", project="home"
    )

    for filtered in ({"kind__exact": "todo"}, {"project": "home"}):
        page = desk.get(LIST, {"q": "choir", "rows": "1"} | filtered).content.decode()
        assert f"{LIST}{todo.pk}/change/" in page
    assert desk.get(LIST, {"q": "choir", "rows": "1", "kind__exact": "no kind"}).status_code == 200


@pytest.mark.parametrize(
    "text",
    [
        '"',
        "'",
        "C++",
        "a AND OR NOT NEAR(",
        "*",
        "^x",
        "a:b",
        "\x00",
        "🎉",
        "%",
        "\\",
        "((((",
        "-x",
        "東京",
        "x" * 8000,
    ],
)
def test_any_text_in_the_box_is_a_query(desk: Client, ana: Account, text: str) -> None:
    saved(ana, "We build it with C++ and node.js")

    assert desk.get(LIST, {"q": text, "rows": "1"}).status_code == 200


def test_whoever_may_only_look_cannot_change_by_a_made_up_post(client: Client, ana: Account) -> None:
    entry = saved(ana, "The test server runs on port 8080")
    refusal = Refusal.objects.create(owner=ana, rule=Rule.QUESTION, text="Do I own a boat in Brest")
    allow(ana, "view_entry", "view_refusal")
    client.force_login(ana)

    selected = {"_selected_action": [entry.pk]}
    for act in ("archive", "restore", "retract", "reaffirm", "pin", "unpin", "set_project", "forget"):
        client.post(LIST, {"action": f"{act}_selected", **selected})
    client.post("/admin/memory/refusal/", {"action": "save_selected_anyway", "_selected_action": [refusal.pk]})
    refused = [
        client.post(f"{LIST}{entry.pk}/change/", form_of(entry, text="Port 1")).status_code,
        client.post(f"{LIST}{entry.pk}/delete/", {"sure": "on", "number": entry.pk}).status_code,
        client.post(f"{LIST}forget/", {"sure": "on", "number": 1, "ids": entry.pk}).status_code,
        client.post(f"{LIST}retract/", {"ids": entry.pk}).status_code,
        client.post(f"{LIST}project/", {"ids": entry.pk, "project": "stolen"}).status_code,
        client.post(f"{LIST}duplicates/", {"act": f"archive {entry.pk}"}).status_code,
        client.post(f"{LIST}{entry.pk}/act/", {"act": "archive"}).status_code,
        client.post(f"{LIST}{entry.pk}/relate/", {"type": "conflicts", "other": entry.pk}).status_code,
        client.post(f"{LIST}{entry.pk}/unrelate/", {"link": 1}).status_code,
        client.post(f"{LIST}add/", {"text": "A made up fact", "kind": "fact"}).status_code,
        client.post(f"/admin/memory/refusal/{refusal.pk}/save/").status_code,
    ]

    assert refused == [403] * 11
    assert Entry.objects.get().text == "The test server runs on port 8080"
    assert Entry.objects.get().status == "active"
    assert Entry.objects.get().project == ""
    assert not Entry.objects.get().pinned


def test_a_refusal_is_saved_anyway_by_button_and_by_action(desk: Client, ana: Account) -> None:
    boat, bike = (
        Refusal.objects.create(owner=ana, rule=Rule.QUESTION, text=text)
        for text in ("I own a boat in Brest", "I own a bike in Lyon")
    )

    desk.post(f"/admin/memory/refusal/{boat.pk}/save/")
    desk.post("/admin/memory/refusal/", {"action": "save_selected_anyway", "_selected_action": [bike.pk]})

    assert set(Entry.objects.values_list("text", flat=True)) == {boat.text, bike.text}
    assert Refusal.objects.filter(saved_as=None).count() == 0


@pytest.mark.usefixtures("words_only")
@pytest.mark.parametrize("rows", [100, 5000])
def test_list_and_change_page_need_few_queries_however_many_entries(
    desk: Client, ana: Account, rows: int, django_assert_max_num_queries: object
) -> None:
    talk = Conversation.objects.create(owner=ana)
    said = Message.objects.create(owner=ana, conversation=talk, role=Role.USER, content="Remember the shelves")
    drafts = [Draft("The shelves are full", conversation=talk.pk, message=said.pk)]
    drafts += [Draft(f"Server {n} is on shelf {n}", project=f"p{n % 40}") for n in range(rows)]
    entry, other, *_rest = remember_many(ana, drafts, actor="person", cause="test").entries
    relate(ana, entry.pk, "conflicts", other.pk, actor="person", cause="test")
    for n in range(30):
        revise(ana, entry.pk, Changes(project=f"moved {n}"), version=None, actor="person", cause="test")

    desk.get(f"{LIST}?q=shelf&rows=1")  # the first search brings the indexes up to date
    desk.get(f"{LIST}{entry.pk}/change/")  # a process asks once which number a model has

    pages = {LIST: 15, f"{LIST}?q=shelf": 15, f"{LIST}{entry.pk}/change/": 15, f"{LIST}{entry.pk}/delete/": 15}
    pages |= {f"{LIST}{entry.pk}/panel/answers/": 15, f"{LIST}{entry.pk}/panel/questions/": 15}
    pages |= {f"{LIST}?used=0": 15, f"{LIST}duplicates/": 15, f"{LIST}duplicates/?near=1": 15}
    pages |= {f"{LIST}{entry.pk}/history/": 15, "/admin/memory/commit/": 15}
    pages |= {f"/admin/memory/commit/{Commit.objects.of(ana).earliest('tick').pk}/change/": 20}
    for page, most in pages.items():
        with django_assert_max_num_queries(most):  # type: ignore[operator]
            assert desk.get(page).status_code == 200
