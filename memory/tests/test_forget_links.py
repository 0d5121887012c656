"""What forgetting one entry means for the others: nothing stale comes back, and nothing goes on quoting it."""

from __future__ import annotations

from typing import Any

from forgesite.lib.masking import gone
from forgesite.models import Account
from memory.erasing.quotes import masked_answers
from memory.forget import Forgotten, forget, planned
from memory.models import Commit, CommitEntry, Entry, Link, Status, TextVersion, Vector
from memory.relate import relate
from memory.revise import Changes, revise
from memory.tests.entries import by_words, found, index_is_whole, saved

ACT: dict[str, Any] = {"actor": "person", "cause": "test"}


def linked(owner: Account, entry: Entry, type_: str, other: Entry) -> Link:
    return relate(owner, entry.pk, type_, other.pk, **ACT)


def forgotten(owner: Account, *entries: Entry) -> Forgotten:
    return forget(owner, [entry.pk for entry in entries], **ACT)


def test_what_it_replaced_is_archived_and_not_current_again(ana: Account) -> None:
    old, new = saved(ana, "The test server runs on port 8000"), saved(ana, "The test server runs on port 8080")
    linked(ana, new, "supersedes", old)
    done = forgotten(ana, new)
    old.refresh_from_db()
    assert (old.status, old.superseded_by, old.superseded_how, old.version) == (Status.ARCHIVED, None, "", 2)
    assert done.notes == (f"#{old.pk}, which it replaced, is archived.",)
    assert not Link.objects.standing().exists()
    assert [change["do"] for change in Commit.objects.latest("tick").changes] == ["archive", "unrelate", "forget"]


def test_in_the_middle_of_a_line_the_newest_takes_its_place(ana: Account) -> None:
    first, second, third = (saved(ana, f"The server runs on port {port}", key="port") for port in (80, 81, 82))
    forgotten(ana, second)
    first.refresh_from_db()
    assert (first.superseded_by_id, first.superseded_how, first.status) == (third.pk, "replaced", "active")
    assert [(link.type, link.entry_id, link.other_id) for link in Link.objects.standing()] == [
        ("version_of", third.pk, first.pk)
    ]


def test_the_former_version_of_a_key_holds_it_and_the_next_one_follows_it(ana: Account) -> None:
    first, second = (saved(ana, f"The server runs on port {port}", key="port") for port in (80, 81))
    forgotten(ana, second)
    first.refresh_from_db()
    assert (first.status, first.superseded_how) == (Status.ARCHIVED, "")
    third = saved(ana, "The server runs on port 82", key="port")
    first.refresh_from_db()
    assert first.superseded_by_id == third.pk


def test_a_whole_line_but_its_beginning_is_forgotten_at_once(ana: Account) -> None:
    first, second, third = (saved(ana, f"The server runs on port {port}", key="port") for port in (80, 81, 82))
    done = forgotten(ana, third, second)
    first.refresh_from_db()
    assert (first.status, first.superseded_how) == (Status.ARCHIVED, "")
    assert done.certificate.report["archived"] == [first.pk]


def test_one_whose_key_somebody_else_has_by_now_is_a_version_of_theirs(ana: Account) -> None:
    old, general = saved(ana, "The server runs on port 80", key="port"), saved(ana, "Ports are in the wiki now")
    linked(ana, general, "supersedes", old)
    other = saved(ana, "The server runs on port 81", key="port")
    forgotten(ana, general)
    old.refresh_from_db()
    assert (old.superseded_by_id, old.superseded_how) == (other.pk, "replaced")


def test_a_closed_or_retracted_one_stays_as_it_was(ana: Account) -> None:
    todo, new = saved(ana, "Buy a new disk", kind="todo", status="closed"), saved(ana, "Buy two new disks", kind="todo")
    linked(ana, new, "supersedes", todo)
    forgotten(ana, new)
    todo.refresh_from_db()
    assert (todo.status, todo.version, todo.superseded_how) == ("closed", 1, "")


def test_what_it_spoke_for_is_released(ana: Account) -> None:
    source, fold = saved(ana, "The NAS has two disks"), saved(ana, "The NAS has two disks and a fan")
    linked(ana, fold, "speaks_for", source)
    done = forgotten(ana, fold)
    source.refresh_from_db()
    assert (source.superseded_by, source.is_live) == (None, True)
    assert done.notes == (f"#{source.pk}, which it spoke for, is released.",)


def test_a_summary_of_it_is_stale_and_quotes_it_no_more(ana: Account) -> None:
    fact, other = saved(ana, "The cat is called Mia"), saved(ana, "The dog that came last winter is called Rex")
    short = f"Pets: {fact.text}."
    summary = saved(ana, short, kind="summary", sources=(fact.pk, other.pk), covers=(other.pk,), origin="import")
    done = forgotten(ana, fact)
    summary.refresh_from_db()
    assert (summary.text, summary.stale, summary.version) == (f"Pets: [forgotten #{fact.pk}].", True, 2)
    assert done.certificate.report["masked"] == [summary.pk]
    assert done.certificate.report["removed"]["summaries"] == 1
    assert {link.other_id for link in Link.objects.standing().filter(entry=summary)} == {fact.pk, other.pk}
    assert not TextVersion.objects.filter(text__contains="Mia").exists()
    assert not Vector.objects.filter(entry=summary).exists()
    assert by_words(ana, "Mia") == []
    [mask] = [change for change in Commit.objects.latest("tick").changes if change["do"] == "mask"]
    assert (mask["id"], mask["stale"], len(mask["erased"])) == (summary.pk, True, 1)
    assert index_is_whole()


def test_an_older_version_of_a_summary_that_quotes_it_goes_too(ana: Account) -> None:
    fact = saved(ana, "The cat is called Mia and sleeps all day long, every day")
    summary = saved(ana, f"In short: {fact.text[:54]}…", kind="summary", sources=(fact.pk,), origin="import")
    revise(ana, summary.pk, Changes(text="One pet sleeps"), version=1, **ACT)
    forgotten(ana, fact)
    summary.refresh_from_db()
    assert (summary.text, summary.version) == ("One pet sleeps", 2)
    assert list(TextVersion.objects.values_list("text", flat=True)) == ["One pet sleeps"]


def test_an_exchange_keeps_what_the_person_typed_and_the_reply_is_told_so(ana: Account) -> None:
    fact = saved(ana, "The cat is called Mia")
    said = f"user: Remember that {fact.text}\nassistant: Saved: {fact.text}"
    exchange = saved(ana, said, kind="exchange", origin="import")
    done = forgotten(ana, fact)
    exchange.refresh_from_db()
    assert exchange.text == f"user: Remember that {fact.text}\nassistant: Saved: [forgotten #{fact.pk}]"
    assert f"Entries of yours that quote it: #{exchange.pk}." in done.left


def test_only_the_assistants_lines_of_an_exchange_are_masked() -> None:
    texts = gone([(7, "The cat is called Mia")])
    said = "user: The cat is called Mia\nassistant: Noted:\nThe cat is called Mia\nuser: The cat is called Mia"
    assert masked_answers(said, texts) == said.replace("Noted:\nThe cat is called Mia", "Noted:\n[forgotten #7]")
    assert masked_answers("no sides: The cat is called Mia", texts) == "no sides: The cat is called Mia"


def test_a_persons_own_entry_that_quotes_it_is_named_and_left_alone(ana: Account) -> None:
    fact = saved(ana, "The cat is called Mia")
    note = saved(ana, "Told the vet that the cat is old. The cat is called Mia, he wrote", kind="note")
    done = forgotten(ana, fact)
    note.refresh_from_db()
    assert note.text.endswith("The cat is called Mia, he wrote")
    assert f"Entries of yours that quote it: #{note.pk}." in done.left


def test_other_words_with_the_same_letters_stay(ana: Account) -> None:
    fact = saved(ana, "an idea", kind="note")
    summary = saved(ana, "Japan ideas", kind="summary", sources=(fact.pk,), origin="import")
    forgotten(ana, fact)
    assert found(ana, "Japan", everything=True) == ["Japan ideas"]
    assert Entry.objects.get().pk == summary.pk


def test_a_projects_name_that_an_old_commit_kept_as_a_text_is_masked_nowhere(ana: Account) -> None:
    fact = saved(ana, "The cat is called Mia", project="our home")
    summary = saved(ana, "Mostly about our home", kind="summary", sources=(fact.pk,), origin="import")
    change = {"do": "create", "text": "1" * 64, "project": "2" * 64}
    old = Commit.objects.create(
        owner=ana, tick=99, address="3" * 64, at=fact.said_at, actor="person", cause="test", changes=[change], form=1
    )
    CommitEntry.objects.create(commit=old, position=0, entry=fact.pk)
    kept = {"owner": ana, "salt": "4" * 32, "entry": fact.pk, "form": 1}
    TextVersion.objects.create(digest="1" * 64, text="The cat is called Ada", **kept)
    TextVersion.objects.create(digest="2" * 64, text="our home", **kept)
    assert {text.text for text in planned(ana, [fact.pk]).texts} == {"The cat is called Mia", "The cat is called Ada"}
    forgotten(ana, fact)
    summary.refresh_from_db()
    assert summary.text == "Mostly about our home"
