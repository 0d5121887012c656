"""Deleted is deleted, by every path, in every index, in the same act."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from forgesite.erasing import Plan
from forgesite.errors import UnknownError
from forgesite.lib.masking import Gone, Texts
from forgesite.models import Account
from memory.forget import _erasers, forget, register_eraser
from memory.listing import entry_of, history, listing
from memory.models import Commit, Entry, Refusal, TextVersion, Vector
from memory.refuse import refuse
from memory.revise import Changes, revise
from memory.tests.entries import by_words, count_of, found, index_is_whole, saved

PATHS: dict[str, Callable[[Account, Entry], object]] = {
    "verb": lambda owner, entry: forget(owner, [entry.pk], actor="person", cause="test"),
    "object": lambda _owner, entry: Entry.objects.get(pk=entry.pk).delete(),
    "bulk": lambda owner, entry: Entry.objects.of(owner).filter(pk=entry.pk).delete(),
    "account": lambda owner, _entry: owner.delete(),
}


@pytest.mark.parametrize("path", PATHS)
def test_a_deleted_entry_leaves_words_and_vectors_in_the_same_act(ana: Account, path: str) -> None:
    entry = saved(ana, "The test server runs on port 8080")
    assert found(ana, "Which port does the test server use?", top_k=1) == [entry.text]
    PATHS[path](ana, entry)
    assert (count_of("memory_words"), count_of("memory_vector"), count_of("memory_vec_pending")) == (0, 0, 0)
    if path != "account":
        assert found(ana, "Which port does the test server use?") == []
        assert count_of("memory_vec") == 0
    assert index_is_whole()


def test_a_forgotten_vector_waits_for_no_search(ana: Account) -> None:
    entry = saved(ana, "The test server runs on port 8080")
    assert found(ana, "Which port does the test server use?") == [entry.text]
    forget(ana, [entry.pk], actor="person", cause="test")
    assert (count_of("memory_vec"), count_of("memory_vec_queue")) == (0, 0)


def test_the_next_best_takes_its_place_at_once(ana: Account) -> None:
    best = saved(ana, "The test server runs on port 8080")
    saved(ana, "The test server is in the cellar, beside port and wine")
    question = "Which port does the test server use?"
    assert found(ana, question, policy="vector", top_k=1) == [best.text]
    forget(ana, [best.pk], actor="person", cause="test")
    assert found(ana, question, policy="vector", top_k=1) == ["The test server is in the cellar, beside port and wine"]


def test_every_text_it_ever_had_goes_and_the_chain_stays(ana: Account) -> None:
    entry = saved(ana, "The cat is called Mia")
    revise(ana, entry.pk, Changes(text="The cat is called Ada"), version=1, actor="person", cause="test")
    refuse(ana, "question", "the cat is called mia")
    refuse(ana, "question", "the dog is called Rex")
    forgotten = forget(ana, [entry.pk], actor="person", cause="test")
    assert forgotten.ids == (entry.pk,)
    assert (TextVersion.objects.count(), Vector.objects.count()) == (0, 0)
    assert [row.text for row in Refusal.objects.all()] == ["the dog is called Rex"]
    assert [commit.changes[0]["do"] for commit in Commit.objects.order_by("tick")] == ["create", "revise", "forget"]


def test_nobody_forgets_what_is_not_theirs(ana: Account, ben: Account) -> None:
    entry, own = saved(ana, "The cat is called Mia"), saved(ben, "The dog is called Rex")
    with pytest.raises(UnknownError):
        forget(ben, [own.pk, entry.pk], actor="person", cause="test")
    assert Entry.objects.count() == 2


def test_what_is_left_is_named(ana: Account) -> None:
    entry, other = saved(ana, "The cat is called Mia"), saved(ana, "the cat is called Mia", kind="note")
    left = forget(ana, [entry.pk], actor="person", cause="test").left
    assert any(f"#{other.pk}" in sentence for sentence in left)


@pytest.fixture
def erased() -> Iterator[list[list[Gone]]]:
    calls: list[list[Gone]] = []

    def erase(_owner: Account, texts: Texts) -> Plan:
        if "fail" in texts.each[0].text:
            raise RuntimeError("an eraser failed")
        return Plan(lambda: calls.append(list(texts)), {"notes": 2}, {"own_messages": 1})

    register_eraser(erase)
    yield calls
    _erasers.remove(erase)


def test_other_apps_erase_in_the_same_transaction(ana: Account, erased: list[list[Gone]]) -> None:
    entry, kept = saved(ana, "The cat is called Mia"), saved(ana, "this will fail at once")
    report = forget(ana, [entry.pk], actor="person", cause="test").certificate.report
    with pytest.raises(RuntimeError):
        forget(ana, [kept.pk], actor="person", cause="test")
    assert erased == [[Gone(entry.pk, "The cat is called Mia")]]
    assert (report["removed"]["notes"], report["left"]["own_messages"]) == (2, 1)
    assert by_words(ana, "fail") == ["this will fail at once"]


def test_an_entry_is_named_by_number_or_address(ana: Account, ben: Account) -> None:
    entry = saved(ana, "The cat is called Mia")
    assert entry_of(ana, entry.pk) == entry_of(ana, f"#{entry.pk}") == entry_of(ana, entry.address) == entry
    for owner, ref in ((ben, entry.pk), (ben, entry.address), (ana, "9" * 30), (ana, "mia"), (ana, "")):
        with pytest.raises(UnknownError):
            entry_of(owner, ref)


def test_a_history_is_the_commits_that_touched_the_entry(ana: Account) -> None:
    entry = saved(ana, "The cat is called Mia")
    saved(ana, "The dog is called Rex")
    saved(ana, "the cat is called Mia")
    assert [commit.changes[0]["do"] for commit in history(entry)] == ["create", "reaffirm"]


def test_a_listing_counts_what_the_filter_lets_through(ana: Account, ben: Account) -> None:
    saved(ana, "The cat is called Mia", project="home")
    saved(ana, "Buy milk and bread", kind="todo", status="closed")
    saved(ben, "The dog is called Rex")
    page = listing(ana, limit=1)
    assert ([entry.text for entry in page.entries], page.total) == (["Buy milk and bread"], 2)
    assert page.by_kind == {"fact": 1, "todo": 1}
    assert listing(ana, project="").total == 1
    assert listing(ana, project="home", kind="todo").total == 0
    assert listing(ana, status="closed").total == 1
