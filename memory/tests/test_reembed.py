"""Another model is served: nothing is lost, search goes on by words, and all is embedded anew before the swap (B2)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django_q.models import OrmQ

from forgesite.models import Account
from forgesite.testing_embedders import ScriptedEmbedder, digest_vector, served_by
from memory import embedding, jobs, reembed, vector_channel
from memory.errors import BusyError, EmbeddingError
from memory.health import embedding_health, start_line, store_health
from memory.models import Commit, Entry, Vector
from memory.recall import Query, Recalled, recall
from memory.regime import pending
from memory.regime import states as regimes
from memory.regime.states import Behind
from memory.remember import Draft, remember, remember_many
from memory.revise import Changes, revise
from memory.tests.entries import saved
from memory.verify import verify

pytestmark = pytest.mark.django_db(transaction=True)
TEXTS = [f"Box number {number} stands on shelf {number % 7}" for number in range(40)]
NEW: dict[str, Any] = {"EMBEDDING_MODEL": "another"}


def other_model(text: str, dim: int) -> Any:
    return digest_vector(f"another model: {text}", dim)


@pytest.fixture
def store(ana: Account, embedder: ScriptedEmbedder) -> Account:
    """Forty entries with vectors of 384 numbers, which a search has indexed."""
    embedder.dim = 384
    with served_by(embedder):
        remember_many(ana, [Draft(text) for text in TEXTS], actor="import", cause="test")
        asked(ana)
    return ana


def asked(owner: Account, text: str = TEXTS[3]) -> Recalled:
    return recall(owner, Query(text, policy="vector", top_k=3, explicit=True))


def served() -> Any:
    return embedding.served()


def dims() -> set[int]:
    return set(Vector.objects.values_list("dim", flat=True))


def ok() -> bool:
    return verify().findings == ()


def stop_after(steps: int) -> Callable[[Behind], None]:
    """Interrupts, as a person would, after so many steps."""
    left = iter(range(steps - 1))

    def said(_behind: Behind) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt

    return said


def test_until_the_swap_words_are_searched_and_every_door_says_so(
    store: Account, embedder: ScriptedEmbedder, desk: Client
) -> None:
    embedder.dim = 768
    with served_by(embedder, **NEW):
        answer = recall(store, Query("Where is box number 3?", explicit=True))
        assert {row.channel for row in answer.rows} == {"lexical"}
        assert answer.degraded == "embedding"
        assert "0 of 40 entries are re-embedded" in answer.notices[0]
        health, whole = embedding_health(), store_health()
        assert (health.dim, health.stored_dim, health.ready) == (768, 384, True)
        assert health.stored != health.regime
        assert (whole.pending, "384 numbers" in str(whole.vector)) == (40, True)
        assert "0 of 40" in start_line()
        assert "0 of 40 entries are re-embedded" in desk.get("/admin/memory/entry/").content.decode()
    assert (dims(), ok()) == ({384}, True)
    assert OrmQ.objects.count() == 1


def test_what_is_saved_meanwhile_waits_and_is_found_by_its_words(store: Account, embedder: ScriptedEmbedder) -> None:
    embedder.dim = 768
    with served_by(embedder, **NEW):
        done = remember(store, Draft("The heron nests at the pond"), actor="person", cause="test")
        assert (done.indexed, done.entry.vectors.count()) == (False, 0)
        assert "0 of 40 entries are re-embedded" in " ".join(done.notes)
        assert recall(store, Query("heron", explicit=True)).rows[0].entry == done.entry
        assert pending.count() == 41
        reembed.reembed(served())
        assert asked(store, "The heron nests at the pond").rows[0].distance == 0.0
        assert (pending.count(), ok()) == (0, True)


def test_interrupted_it_goes_on_and_swaps_at_the_end(store: Account, embedder: ScriptedEmbedder) -> None:
    embedder.dim = 768
    with served_by(embedder, **NEW):
        with pytest.raises(KeyboardInterrupt):
            reembed.reembed(served(), stop_after(1))
        assert (dims(), ok()) == ({384, 768}, True)
        assert "32 of 40 entries are re-embedded" in asked(store).notices[0]
        before = len(embedder.asked)
        assert reembed.reembed(served()) == reembed.Done(8, 0, True)
        texts = [text for request in embedder.asked[before:] for text in request if text not in embedding.PROBES]
        assert texts == TEXTS[32:]
        assert (dims(), Vector.objects.count(), ok()) == ({768}, 40, True)
        assert (asked(store).degraded, asked(store).rows[0].distance) == ("", 0.0)
        assert reembed.reembed(served()) == reembed.Done(0, 0, False)


def test_the_swap_is_one_commit_that_names_the_new_vectors(store: Account, embedder: ScriptedEmbedder) -> None:
    embedder.vector = other_model
    with served_by(embedder, **NEW):
        reembed.reembed(served())
        regime = embedding.regime(served())
    [commit] = Commit.objects.filter(cause=reembed.CAUSE)
    assert {(change["do"], change["vectors"].split("/")[0]) for change in commit.changes} == {("embed", regime)}
    assert len(commit.changes) == 40


def test_back_to_the_old_model_before_the_swap_costs_nothing(store: Account, embedder: ScriptedEmbedder) -> None:
    embedder.dim = 768
    with served_by(embedder, **NEW):
        remember(store, Draft("The heron nests at the pond"), actor="person", cause="test")
        with pytest.raises(KeyboardInterrupt):
            reembed.reembed(served(), stop_after(2))
        assert Vector.objects.filter(dim=768).count() == 41
    embedder.dim, before = 384, len(embedder.asked)
    with served_by(embedder):
        assert asked(store).rows[0].distance == 0.0
        assert len(embedder.asked) - before <= 2
        assert pending.count() == 1
        jobs.embed_pending(asked=True)
        assert asked(store, "The heron nests at the pond").rows[0].distance == 0.0
        assert reembed.reembed(served()) == reembed.Done(0, 0, False)
    assert ok()


class Killed(Exception):
    pass


def killed_before(statement: int) -> Callable[..., Any]:
    """Of those that are sent to the database. What SQLite takes back then, it takes back after a kill too."""
    left = iter(range(statement - 1))

    def execute(run: Callable[..., Any], *given: Any) -> Any:
        if next(left, None) is None:
            raise Killed
        return run(*given)

    return execute


@pytest.mark.parametrize("back", [False, True])
def test_killed_amid_the_swap_it_is_proved_and_goes_on_with_either_model(
    store: Account, embedder: ScriptedEmbedder, monkeypatch: pytest.MonkeyPatch, back: bool
) -> None:
    monkeypatch.setattr(reembed, "SWAPPED_AT_ONCE", 6)
    embedder.dim = 768
    with served_by(embedder, **NEW):
        with pytest.raises(KeyboardInterrupt):
            reembed.reembed(served(), stop_after(2))
        for statement in range(9, 500, 9):
            with suppress(Killed), connection.execute_wrapper(killed_before(statement)):
                reembed.reembed(served())
            assert ok(), statement
            if regimes.behind(served()) is None or (back and Vector.objects.filter(dim=384).count() < 20):
                break
            assert asked(store).degraded == "embedding"
            assert reembed.due_by_itself()
        assert Commit.objects.filter(cause__startswith=reembed.CAUSE).count() == (4 if back else 7)
    embedder.dim = 384 if back else 768
    with served_by(embedder, **({} if back else NEW)):
        jobs.embed_pending(asked=True)
        assert [asked(store, text).rows[0].distance for text in (TEXTS[0], TEXTS[39])] == [0.0, 0.0]
        assert (pending.count(), ok()) == (0, True)


def test_another_model_of_the_same_length_is_another_model(store: Account, embedder: ScriptedEmbedder) -> None:
    embedder.vector = other_model
    with served_by(embedder, **NEW):
        assert "0 of 40" in asked(store).notices[0]
        jobs.embed_pending(asked=True)
        assert (asked(store).degraded, asked(store).rows[0].distance) == ("", 0.0)
    assert (dims(), Vector.objects.count(), ok()) == ({384}, 40, True)


def test_what_is_written_edited_and_forgotten_meanwhile_is_in_the_swap_as_it_is_then(
    store: Account, embedder: ScriptedEmbedder
) -> None:
    embedder.dim = 768
    entries = list(Entry.objects.order_by("pk"))
    with served_by(embedder, **NEW):
        with pytest.raises(KeyboardInterrupt):
            reembed.reembed(served(), stop_after(1))
        edited = revise(store, entries[0].pk, Changes(text="The heron nests"), version=None, actor="person", cause="t")
        Entry.objects.filter(pk=entries[1].pk).delete()
        saved(store, "The boat lies at pier 9")
        assert edited.vectors.count() == 0
        assert reembed.reembed(served()).embedded == 10
        assert asked(store, "The heron nests").rows[0].distance == 0.0
        assert asked(store, "The boat lies at pier 9").rows[0].distance == 0.0
        assert (Vector.objects.count(), pending.count()) == (40, 0)


def test_a_vector_that_another_program_changed_is_made_again_before_it_is_named(
    store: Account, embedder: ScriptedEmbedder
) -> None:
    embedder.dim = 768
    with served_by(embedder, **NEW):
        with pytest.raises(KeyboardInterrupt):
            reembed.reembed(served(), stop_after(1))
        wrong = Vector.objects.filter(dim=768).order_by("pk")[0]
        Vector.objects.filter(pk=wrong.pk).update(vector=bytes(4 * 768))
        assert reembed.reembed(served()).embedded == 9
        assert asked(store, wrong.entry.text).rows[0].distance == 0.0


def test_what_the_new_model_does_not_take_waits_and_holds_up_no_other(
    store: Account, embedder: ScriptedEmbedder
) -> None:
    embedder.dim, embedder.bad["number 7 "] = 768, None
    with served_by(embedder, **NEW):
        assert reembed.reembed(served()) == reembed.Done(39, 1, True)
        assert (pending.count(), Vector.objects.count(), ok()) == (1, 39, True)
        embedder.bad.clear()
        jobs.embed_pending(asked=True)
        assert (pending.count(), ok()) == (0, True)


def test_a_model_that_changes_on_the_way_leaves_nothing_under_a_wrong_name(
    store: Account, embedder: ScriptedEmbedder
) -> None:
    embedder.dim = 768

    def change(_behind: Behind) -> None:
        embedder.vector = other_model

    with served_by(embedder, **NEW):
        assert reembed.reembed(served(), change).swapped
        assert (asked(store).rows[0].distance, Vector.objects.count()) == (0.0, 40)
    assert ok()


def test_while_the_server_is_down_it_ends_and_keeps_what_it_has(store: Account, embedder: ScriptedEmbedder) -> None:
    embedder.dim = 768

    def down(_behind: Behind) -> None:
        embedder.mode = "fail"

    with served_by(embedder, **NEW):
        with pytest.raises(EmbeddingError):
            reembed.reembed(served(), down)
        embedder.mode = ""
        assert reembed.reembed(served()).embedded == 8


def test_two_processes_with_two_models_do_not_embed_in_turn(store: Account, embedder: ScriptedEmbedder) -> None:
    embedder.vector = other_model
    with served_by(embedder, **NEW):
        assert jobs.embed_pending(asked=True) == 40
    embedder.vector = digest_vector
    with served_by(embedder):
        assert "0 of 40" in asked(store).notices[0]
        assert jobs.embed_pending(asked=True) == 0
        assert reembed.reembed(served()).embedded == 40


def test_another_instruction_costs_nothing_since_texts_have_none(store: Account, embedder: ScriptedEmbedder) -> None:
    with served_by(embedder, EMBEDDING_QUERY_INSTRUCT="Find facts"):
        before = len(embedder.asked)
        assert asked(store).degraded == ""
        assert len(embedder.asked) - before == 2
        saved(store, "The heron nests at the pond")
        assert (pending.count(), regimes.behind(served())) == (0, None)
    assert asked(store, "The heron nests at the pond").rows[0].distance == 0.0
    assert (Vector.objects.values("regime").distinct().count(), ok()) == (1, True)


def test_one_process_at_a_time(store: Account, embedder: ScriptedEmbedder) -> None:
    embedder.dim = 768
    with served_by(embedder, **NEW), reembed._alone(), pytest.raises(BusyError, match="Another process"):
        reembed.reembed(served())


def test_a_small_store_the_bundled_embedder_embeds_in_the_search(ana: Account, embedder: ScriptedEmbedder) -> None:
    saved(ana, TEXTS[3])
    asked(ana)
    with served_by(embedder, EMBEDDING_PROVIDER="bundled", RECALL_MAX_DISTANCE="off"):
        assert (asked(ana).degraded, asked(ana).rows[0].distance) == ("", 0.0)
        assert vector_channel.made_for() == (embedding.regime(served()), 512)
    assert ok()
    with served_by(embedder):
        assert regimes.behind(served()) is not None


def test_a_larger_one_is_the_workers(store: Account, embedder: ScriptedEmbedder) -> None:
    with served_by(embedder, EMBEDDING_PROVIDER="bundled", RECALL_MAX_DISTANCE="off"):
        assert "0 of 40" in asked(store).notices[0]
        assert (OrmQ.objects.count(), jobs.embed_pending(asked=True)) == (1, 40)
        assert (asked(store).degraded, ok()) == ("", True)


def test_the_command_counts_then_does_it(
    store: Account, embedder: ScriptedEmbedder, capsys: pytest.CaptureFixture[str]
) -> None:
    embedder.dim = 768
    with served_by(embedder, **NEW):
        call_command("reembed", dry_run=True)
        assert "0 of 40 entries" in capsys.readouterr().out
        assert dims() == {384}
        call_command("reembed")
        said = capsys.readouterr().out
        assert "40 of 40 entries are embedded" in said
        assert "Search by meaning is on" in said
        call_command("reembed")
        assert "nothing to re-embed" in capsys.readouterr().out


def test_the_queue_of_the_index_is_empty_after_the_swap(store: Account, embedder: ScriptedEmbedder) -> None:
    embedder.dim = 768
    with served_by(embedder, **NEW):
        reembed.reembed(served())
    with connection.cursor() as cursor:
        assert cursor.execute("SELECT COUNT(*) FROM memory_vec_queue").fetchone() == (0,)
