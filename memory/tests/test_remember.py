"""What may be remembered, once, and what is refused."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from forgesite.errors import EmptyError, InvalidError, TooLargeError, UnknownError
from forgesite.lib.embeddings import EmbeddingFailedError
from forgesite.lib.vectors import Vector as UnitVector
from forgesite.models import Account
from memory import ledger
from memory.domain.chain import entry_address
from memory.errors import AlreadySavedError, DegenerateError, EmbeddingError, StaleVersionError
from memory.models import Commit, Entry, Refusal, TextVersion, Vector
from memory.refuse import refuse, save_anyway
from memory.remember import Draft, remember, remember_many
from memory.revise import Changes, revise
from memory.tests.entries import by_words, count_of, found, saved


class Broken:
    """An embedder that cannot be reached."""

    name, wrapper, dim = "broken", "", 8

    def embed_documents(self, texts: object) -> list[UnitVector]:
        raise EmbeddingFailedError("The embedding server at http://127.0.0.1:8082 did not answer")

    def embed_query(self, text: str) -> UnitVector:
        return self.embed_documents([text])[0]


class Watching(Broken):
    """An embedder that looks whether a transaction is open while it works."""

    open: bool | None = None

    def embed_documents(self, texts: object) -> list[UnitVector]:
        self.open = connection.in_atomic_block
        return super().embed_documents(texts)


def test_a_fact_is_saved_word_for_word_with_its_kind_counted(ana: Account) -> None:
    saved(ana, "The cat is called Mia", kind="preference")
    again = remember(ana, Draft("  Le NiPoGi a 32 Go de RAM\n"), actor="person", cause="said so")
    assert again.entry.text == "  Le NiPoGi a 32 Go de RAM\n"
    assert (again.created, again.count_of_kind, again.entry.status) == (True, 1, "active")
    assert len(again.entry.address) == 64


@pytest.mark.parametrize(
    "text",
    ["the test server runs on port 8080", "The  test server\nruns on port 8080", "The test server runs on port 8080"],
)
def test_a_fact_said_again_is_one_entry_newly_confirmed(ana: Account, text: str) -> None:
    first = saved(ana, "The test server runs on port 8080.")
    again = remember(ana, Draft(text), actor="person", cause="test")
    assert (again.created, again.entry.pk) == (False, first.pk)
    assert again.entry.last_reviewed_at is not None
    assert (Entry.objects.count(), again.entry.updated_at) == (1, first.updated_at)


def test_quotes_are_the_same_in_every_style(ana: Account) -> None:
    saved(ana, "Ana said “it's done”.")
    saved(ana, 'Ana said "it’s done"')
    saved(ana, "Ana said « it's done »")
    assert Entry.objects.count() == 1


def test_another_kind_project_date_or_a_negation_is_another_entry(ana: Account) -> None:
    saved(ana, "Deploys on Fridays are allowed")
    saved(ana, "Deploys on Fridays are not allowed")
    saved(ana, "Deploys on Fridays are allowed", kind="decision")
    saved(ana, "Deploys on Fridays are allowed", project="forge")
    saved(ana, "Deploys on Fridays are allowed", event_at=datetime(2026, 12, 4, tzinfo=UTC))
    assert Entry.objects.count() == 5


def test_a_closed_todo_said_again_is_a_new_one(ana: Account) -> None:
    saved(ana, "Buy milk and bread", kind="task", status="closed")
    again = saved(ana, "Buy milk and bread", kind="todo")
    assert (again.kind, again.status, Entry.objects.count()) == ("todo", "open", 2)


@pytest.mark.parametrize("text", ["", "  \n\t", "\0"])
def test_a_blank_text_is_refused(ana: Account, text: str) -> None:
    with pytest.raises(EmptyError):
        saved(ana, text)


@pytest.mark.parametrize("text", ["Bonjour", "東", "…", "🎉 🎉", "8080!"])
def test_one_word_is_refused(ana: Account, text: str) -> None:
    with pytest.raises(DegenerateError):
        saved(ana, text)
    assert count_of("memory_words") == 0


@pytest.mark.parametrize("text", ["東京", "ข้าวผัด", "Port 8080"])
def test_two_characters_of_a_script_without_spaces_are_enough(ana: Account, text: str) -> None:
    assert saved(ana, text).text == text


def test_a_text_past_the_limit_is_refused_with_both_sizes(ana: Account) -> None:
    with pytest.raises(TooLargeError) as refused:
        saved(ana, "é " * 400_000)
    assert refused.value.detail == {"size": 1_200_000, "limit": 1_048_576}


def test_a_kind_or_state_that_does_not_exist_is_refused(ana: Account) -> None:
    with pytest.raises(InvalidError, match="rumour"):
        saved(ana, "The cat is called Mia", kind="rumour")
    with pytest.raises(InvalidError, match="open"):
        saved(ana, "The cat is called Mia", status="open")


def test_nul_and_half_pairs_are_taken_out_and_said(ana: Account) -> None:
    answer = remember(ana, Draft("The key\0 is under \ud83d the mat"), actor="person", cause="test")
    assert answer.entry.text == "The key is under \ufffd the mat"
    assert len(answer.notes) == 2


def test_a_failing_embedder_stores_nothing(ana: Account) -> None:
    with pytest.raises(EmbeddingError, match="did not answer"):
        remember(ana, Draft("The cat is called Mia"), actor="person", cause="test", door=Broken())
    assert (Entry.objects.count(), Commit.objects.count(), count_of("memory_words")) == (0, 0, 0)


@pytest.mark.django_db(transaction=True)
def test_no_transaction_is_open_while_the_embedder_works(ana: Account) -> None:
    watching = Watching()
    entry = saved(ana, "The dog is called Rex")
    for call in (
        lambda: remember(ana, Draft("The cat is called Mia"), actor="person", cause="test", door=watching),
        lambda: remember_many(ana, [Draft("The cat is called Mia")], actor="person", cause="test", door=watching),
        lambda: revise(
            ana, entry.pk, Changes(text="The dog is Rex"), version=1, actor="person", cause="test", door=watching
        ),
    ):
        watching.open = None
        with pytest.raises(EmbeddingError):
            call()
        assert watching.open is False


def test_a_long_text_has_several_vectors_and_is_found_by_its_end(ana: Account) -> None:
    story = "We talked about the garden and the weather for an hour.\n" * 52
    long = saved(ana, story + "The boat in the harbour of Brest is called Aurora.")
    assert Vector.objects.filter(entry=long).count() > 2
    assert found(ana, "What is the boat in Brest called?", policy="vector") == [long.text]


def test_a_tail_past_the_last_part_is_said(ana: Account) -> None:
    answer = remember(ana, Draft("Ten green bottles on the wall. " * 1000), actor="person", cause="test")
    assert any("found by words" in note for note in answer.notes)


def test_a_batch_is_one_commit_without_its_duplicates(ana: Account) -> None:
    saved(ana, "user: hello there\nassistant: hi", kind="exchange")
    texts = ["user: hello there\nassistant: hi", "user: my cat is Mia", "user: my cat is Mia", "hm"]
    batch = remember_many(ana, [Draft(text, kind="exchange") for text in texts], actor="import", cause="test")
    assert ([entry.text for entry in batch.entries], batch.duplicates, batch.degenerate) == (
        ["user: my cat is Mia"],
        2,
        1,
    )
    assert Commit.objects.count() == 2


def test_an_import_is_known_by_its_source(ana: Account, ben: Account) -> None:
    draft = Draft("user: my cat is Mia", kind="exchange", source="chatgpt:1:2")
    changed = Draft("user: my cat is Mia!", kind="exchange", source="chatgpt:1:2")
    assert len(remember_many(ana, [draft], actor="import", cause="test").entries) == 1
    assert remember_many(ana, [changed], actor="import", cause="test").duplicates == 1
    assert len(remember_many(ben, [draft], actor="import", cause="test").entries) == 1


def test_a_batch_is_all_or_nothing(ana: Account) -> None:
    drafts = [Draft("The cat is called Mia"), Draft("A second thing", kind="rumour")]
    with pytest.raises(InvalidError):
        remember_many(ana, drafts, actor="import", cause="test")
    with pytest.raises(EmbeddingError):
        remember_many(ana, drafts[:1], actor="import", cause="test", door=Broken())
    assert Entry.objects.count() == 0


def test_an_edit_is_found_by_its_new_words_and_meaning(ana: Account) -> None:
    entry = saved(ana, "The test server runs on port 8080")
    revise(ana, entry.pk, Changes(text="The test server listens at 9443"), version=1, actor="person", cause="test")
    assert by_words(ana, "8080") == []
    assert by_words(ana, "9443") == ["The test server listens at 9443"]
    vector = Vector.objects.get(entry=entry)
    assert vector.version == 2
    fresh = saved(ana, "The test server listens at 9443", kind="note")
    assert bytes(vector.vector) == bytes(Vector.objects.get(entry=fresh).vector)


def test_a_stale_edit_changes_nothing(ana: Account) -> None:
    entry = saved(ana, "The test server runs on port 8080")
    revise(ana, entry.pk, Changes(pinned=True), version=1, actor="person", cause="test")
    with pytest.raises(StaleVersionError) as stale:
        revise(ana, entry.pk, Changes(text="The port is 9443"), version=1, actor="job", cause="test")
    assert stale.value.detail == {"version": 2}
    assert Entry.objects.get().text == "The test server runs on port 8080"


def test_an_edit_of_the_kind_alone_embeds_nothing(ana: Account) -> None:
    entry = saved(ana, "Buy milk and bread")
    before = Vector.objects.get().pk
    edited = revise(ana, entry.pk, Changes(kind="todo"), version=1, actor="person", cause="test", door=Broken())
    assert (edited.status, Vector.objects.get().pk) == ("open", before)
    assert found(ana, "milk bread", kind="todo", policy="vector") == ["Buy milk and bread"]


def test_the_same_values_again_make_no_commit(ana: Account) -> None:
    entry = saved(ana, "Buy milk and bread")
    revise(ana, entry.pk, Changes(text=entry.text, kind="fact"), version=1, actor="person", cause="test")
    assert (Commit.objects.count(), Entry.objects.get().version) == (1, 1)


def test_nobody_edits_what_is_not_theirs(ana: Account, ben: Account) -> None:
    entry = saved(ana, "Buy milk and bread")
    with pytest.raises(UnknownError):
        revise(ben, entry.pk, Changes(pinned=True), version=1, actor="person", cause="test")


def test_a_refused_write_is_kept_and_saved_once(ana: Account, ben: Account) -> None:
    refusal = refuse(ana, "question", "Do I own a server?", project="home")
    with pytest.raises(UnknownError):
        save_anyway(ben, refusal.pk, actor="person")
    saved_ = save_anyway(ana, refusal.pk, actor="person")
    assert (saved_.entry.text, saved_.entry.project) == ("Do I own a server?", "home")
    with pytest.raises(AlreadySavedError):
        save_anyway(ana, refusal.pk, actor="person")
    assert (Entry.objects.count(), Refusal.objects.get().saved_as) == (1, saved_.entry)


def test_commits_are_chained_and_name_texts_by_salted_digest(ana: Account) -> None:
    first = saved(ana, "The cat is called Mia", project="home")
    revise(ana, first.pk, Changes(text="The cat is called Ada"), version=1, actor="person", cause="test")
    one, two = Commit.objects.order_by("tick")
    assert (one.tick, two.tick, two.parent) == (1, 2, one.address)
    assert first.address == entry_address(one.address, 0)
    one.refresh_from_db()
    assert ledger.address_of(one) == one.address
    assert "Mia" not in str(one.changes)
    assert "home" not in str(one.changes)
    texts = {row.digest: row.text for row in TextVersion.objects.all()}
    assert (texts[one.changes[0]["words"]], texts[two.changes[0]["words"]]) == (
        "The cat is called Mia",
        "The cat is called Ada",
    )


def test_a_batch_of_many_takes_few_statements(ana: Account, words_only: None) -> None:
    drafts = [Draft(f"user: note number {number} of the day", kind="exchange") for number in range(400)]
    with CaptureQueriesContext(
        connection,
    ) as queries:
        remember_many(ana, drafts, actor="import", cause="test")
    assert len(queries) < 40
