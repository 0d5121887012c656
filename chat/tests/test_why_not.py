"""Why a run was not given something: every stage that an entry can come to, asked through the API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client, override_settings
from django.utils import timezone

from chat.models import new_id
from forgesite.models import Account
from memory import move, receipts
from memory.forget import forget
from memory.given.gathered import Found, Gathered
from memory.hot_block import hot_block
from memory.models import Entry, Receipt
from memory.recall import Query, recall
from memory.refuse import refuse
from memory.relate import relate
from memory.remember import Draft, remember, remember_many
from memory.revise import Changes, revise
from traces.models import Run

WHO: dict[str, Any] = {"actor": "person", "cause": "test"}
PORT, QUESTION = "the test server runs on port 8080", "Which port does the test server use?"
Json = dict[str, Any]


def forge(**changed: Any) -> Any:
    return override_settings(FORGE=settings.FORGE.model_copy(update=changed))


def know(owner: Account, text: str, **draft: Any) -> Entry:
    return remember(owner, Draft(text, **draft), **WHO).entry


def asked(owner: Account, question: str = QUESTION, *, block: bool = False, **query: Any) -> str:
    """A run that asked memory once; its id."""
    run = Run.objects.create(owner=owner, run_id=new_id(), started_at=timezone.now(), ok=True, total_ms=3)
    gathered = Gathered([Found("recall", recall(owner, Query(question, for_prompt=True, **query)))])
    if block:
        gathered.hot = hot_block(owner, upto=None, most_tokens=500)
    receipts.seal(owner, gathered, run_id=run.run_id)
    return run.run_id


@pytest.fixture
def ask(client: Client, filled: Account) -> Any:
    client.force_login(filled)

    def get(run: str, **query: Any) -> Json:
        answer = client.get(f"/traces/{run}/why-not", query)
        assert answer.status_code == 200, answer.json()
        found: Json = answer.json()
        return found

    return get


@pytest.fixture
def bundled(_by_words: None) -> Iterator[None]:
    """Search by meaning, too."""
    with forge(EMBEDDING_PROVIDER="bundled"):
        yield


def stage(answer: Json) -> tuple[str, str]:
    """With words and a way out, whatever it is."""
    assert answer["words"]
    assert answer["detail"]
    assert answer["remedy"]
    return answer["stage"], answer["rule"]


def test_given(filled: Account, ask: Any) -> None:
    entry = know(filled, PORT)
    found = ask(asked(filled), entry=entry.pk)
    assert stage(found) == ("given", "lexical")
    assert found["rank"] == 1


def test_held_by_the_hot_block(filled: Account, ask: Any) -> None:
    entry = know(filled, PORT)
    run = asked(filled, "What is the wifi in the office called?", block=True)
    assert stage(ask(run, entry=entry.pk)) == ("hot_block", "hot_block")


def test_never_stored(filled: Account, ask: Any) -> None:
    found = ask(asked(filled), q="My aunt Gertrude breeds alpacas in Patagonia")
    assert stage(found) == ("never_stored", "nothing_like_it")
    assert found["entry"] is None


def test_refused_with_the_rule_and_the_way_to_save_it_anyway(filled: Account, ask: Any) -> None:
    run = asked(filled)
    kept = refuse(filled, "question", "Is the shed's code 4711?", run_id=run)
    found = ask(run, q="is the shed's code 4711?")
    assert stage(found) == ("refused", "question")
    assert found["refusal"] == kept.pk
    assert "a question never writes" in found["detail"]


def test_forgotten_before_the_question_and_since(filled: Account, ask: Any) -> None:
    before, since = know(filled, "The shed is blue and old"), know(filled, "The attic is full of chairs")
    forget(filled, [before.pk], **WHO)
    run = asked(filled)
    forget(filled, [since.pk], **WHO)
    assert stage(ask(run, entry=before.pk)) == ("forgotten", "tombstone")
    assert stage(ask(run, entry=since.pk)) == ("forgotten", "since")
    assert "no words are kept" in ask(run, q="Nobody ever wrote about submarines")["detail"]


def test_stored_later(filled: Account, ask: Any) -> None:
    run = asked(filled)
    entry = know(filled, PORT)
    assert stage(ask(run, entry=entry.pk)) == ("stored_later", "tick")
    assert ask(run, q=f"{PORT.upper()}.")["entry"] == entry.pk


def test_what_it_was_then_tells_and_not_what_it_is_now(filled: Account, ask: Any) -> None:
    entry = know(filled, PORT)
    move.retract(filled, entry.pk, **WHO)
    run = asked(filled)
    move.restore(filled, entry.pk, **WHO)
    assert stage(ask(run, entry=entry.pk)) == ("retracted", "status")
    assert stage(ask(asked(filled), entry=entry.pk)) == ("given", "lexical")


def test_superseded_by_which(filled: Account, ask: Any) -> None:
    old, new = know(filled, PORT), know(filled, "the test server runs on port 9090")
    relate(filled, new.pk, "supersedes", old.pk, **WHO)
    found = ask(asked(filled), entry=old.pk)
    assert stage(found) == ("superseded", "replaced")
    assert found["superseded_by"] == new.pk
    assert f"#{new.pk}" in found["detail"]


def test_a_stale_summary_is_superseded_by_nothing(filled: Account, ask: Any) -> None:
    source = know(filled, "The boat lies in Toulon, at the third pier from the left")
    summary = know(filled, "The boat: Toulon", kind="summary", sources=(source.pk,))
    revise(filled, source.pk, Changes(text="The boat lies in Nice"), version=None, **WHO)
    assert stage(ask(asked(filled), entry=summary.pk)) == ("superseded", "stale")


def test_archived(filled: Account, ask: Any) -> None:
    entry = know(filled, "The attic is full of chairs")
    move.archive(filled, entry.pk, **WHO)
    assert stage(ask(asked(filled), entry=entry.pk)) == ("archived", "status")


@pytest.mark.parametrize("filters", [{"kind": "decision"}, {"project": "Kestrel"}])
def test_filtered(filled: Account, ask: Any, filters: Json) -> None:
    entry = know(filled, PORT)
    assert stage(ask(asked(filled, **filters), entry=entry.pk)) == ("filtered", *filters)


def test_in_no_channel_with_the_words_that_it_shares(filled: Account, ask: Any) -> None:
    far = know(filled, "Grandmother knits on Sundays")
    run = asked(filled)
    know(filled, "A later note about grandmother and her test server")
    found = ask(run, entry=far.pk)
    assert stage(found) == ("no_channel", "no_words")
    with forge(RECALL_LEXICAL_MAX_DF=0.05):
        for number in range(3):
            know(filled, f"Server number {number} hums")
        near = know(filled, "A server of the kitchen staff")
        found = ask(asked(filled), entry=near.pk)
        assert stage(found) == ("no_channel", "common")
        assert "“server” stands in 5 entries." in found["detail"]


def test_nothing_is_measured_by_a_question_that_is_erased(filled: Account, ask: Any) -> None:
    far = know(filled, "Grandmother knits on Sundays")
    run = asked(filled)
    receipts.erase_questions(Receipt.objects.of(filled))
    assert stage(ask(run, entry=far.pk)) == ("no_channel", "erased")


def test_over_budget_with_its_rank(filled: Account, ask: Any) -> None:
    entries = [know(filled, f"the test server of team {name} uses port 80") for name in ("Ana", "Ben", "Cleo")]
    with forge(RECALL_LEXICAL_MAX_DF=1.0):
        run = asked(filled, top_k=1)
    found = [ask(run, entry=entry.pk) for entry in entries]
    assert sorted(stage(each)[0] for each in found) == ["budget", "budget", "given"]
    assert sorted(each["rank"] for each in found) == [1, 2, 3]
    assert sorted(each["by"] or 0 for each in found) == [0, 1, 2]


def test_skipped_for_want_of_bytes(filled: Account, ask: Any) -> None:
    entry = know(filled, f"{PORT}, and {'so on ' * 100}")
    run = asked(filled, most_bytes=200)
    assert stage(ask(run, entry=entry.pk)) == ("skipped", "bytes")


@pytest.mark.usefixtures("bundled")
def test_cut_by_the_cutoff_by_how_much(filled: Account, ask: Any) -> None:
    with forge(RECALL_MAX_DISTANCE="0.5"):
        far = Entry.objects.get(text="Marie prefers tea without sugar")
        found = ask(asked(filled, "What does my sister drink?"), entry=far.pk)
        assert stage(found) == ("cutoff", "cutoff")
        assert found["cutoff"] == 0.5
        assert found["by"] == round(found["distance"] - 0.5, 4)
        assert "past the cutoff of 0.50" in found["detail"]


@pytest.mark.usefixtures("bundled")
def test_what_came_after_all_candidates_and_what_was_not_even_among_them(filled: Account, ask: Any) -> None:
    question = "What does my sister drink?"
    remember_many(filled, [Draft(f"My sister drinks tea number {number}") for number in range(66)], **WHO)
    far = Entry.objects.get(text="the printer needs black ink")
    with forge(RECALL_MAX_DISTANCE="off", RECALL_CANDIDATES=1):
        run = asked(filled, question, policy="vector", top_k=1)
    near = Entry.objects.get(text="My sister drinks tea number 65")
    assert stage(ask(run, entry=near.pk))[0] == "budget"
    found = ask(run, entry=far.pk)
    assert stage(found) == ("no_channel", "no_words")
    assert found["distance"] > 1
    assert f"Its distance is {found['distance']:.2f}" in found["detail"]


def test_a_text_that_no_entry_says_is_looked_up_by_the_closest(filled: Account, ask: Any) -> None:
    entry = know(filled, PORT)
    found = ask(asked(filled), q="test server port 8080")
    assert (found["entry"], found["same"], found["stage"]) == (entry.pk, False, "given")
    assert f"#{entry.pk} comes closest" in found["detail"]


def test_what_was_edited_since_is_found_by_what_it_said_then(filled: Account, ask: Any) -> None:
    entry = know(filled, PORT)
    run = asked(filled)
    revise(filled, entry.pk, Changes(text="grandmother knits on Sundays"), version=None, **WHO)
    found = ask(run, q="test server port 8080")
    assert (found["entry"], found["stage"]) == (entry.pk, "given")


def test_the_recall_in_which_it_came_farthest_tells(filled: Account, ask: Any) -> None:
    entry = know(filled, PORT)
    run = asked(filled, kind="decision")
    gathered = Gathered([Found("recall", recall(filled, Query(QUESTION, for_prompt=True)))])
    receipts.seal(filled, gathered, run_id=run, part=2)
    assert stage(ask(run, entry=entry.pk)) == ("given", "lexical")


def test_what_cannot_be_asked_is_refused(filled: Account, ben: Account, client: Client) -> None:
    client.force_login(filled)
    run, bens = asked(filled), know(ben, PORT)
    bare = Run.objects.create(owner=filled, run_id=new_id(), started_at=timezone.now(), ok=True, total_ms=3)

    def code(run_id: str, **query: Any) -> tuple[int, str]:
        answer = client.get(f"/traces/{run_id}/why-not", query)
        return answer.status_code, answer.json()["error"]["code"]

    assert code(run, entry=bens.pk) == (404, "unknown")
    assert code(run) == (400, "empty")
    assert code(run, entry=1, q="x") == (422, "invalid")
    assert code(bare.run_id, entry=1) == (404, "no_receipt")
    assert code(asked(ben), entry=1) == (404, "unknown")
    assert client.get(f"/traces/{bare.run_id}/receipt").status_code == 404


def test_the_receipt_comes_with_its_hash_and_what_was_given_before_a_write(filled: Account, client: Client) -> None:
    client.force_login(filled)
    run = asked(filled)
    [first] = receipts.receipts_of(filled, run)
    gathered = Gathered([Found("recall", recall(filled, Query("Which ink does the printer need?")))])
    receipts.seal(filled, gathered, run_id=run, part=2, before=first.address)
    told = client.get(f"/traces/{run}/receipt").json()
    assert (told["intact"], told["number"], told["parent"]) == (True, 2, first.address)
    assert [each["address"] for each in told["earlier"]] == [first.address]
    assert told["questions"] == [{"text": "Which ink does the printer need?"}]
    assert told["body"]["recalls"][0]["left_out"]["columns"][:2] == ["id", "reason"]


@pytest.mark.usefixtures("bundled")
def test_what_is_only_near_to_a_text_does_not_say_it(filled: Account, ask: Any) -> None:
    with forge(RECALL_MAX_DISTANCE="off"):
        found = ask(asked(filled), q="My aunt Gertrude breeds alpacas")
    assert stage(found) == ("never_stored", "nothing_like_it")
