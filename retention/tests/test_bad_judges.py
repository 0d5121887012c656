"""A judge that answers badly, through the whole pass: nothing comes of it, the reason is kept, the rest goes on."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable, Iterable
from threading import Timer
from typing import Any

import pytest
from django.conf import settings
from django.db import connections
from django.test import override_settings

from forgesite.models import Account
from forgesite.testing_models import MODEL, ScriptedModel, weighed_stream
from forgesite.testing_wire import Request, Wire
from memory.models import Entry
from memory.revise import Changes, revise
from retention import forgetting_pass
from retention.domain.asking import FORM, MOST_ITEMS
from retention.forgetting_pass import Passed
from retention.models import Measured, Pass, Proposal, Status
from retention.tests.entries import said
from retention.tests.judging import calls, counts

pytestmark = pytest.mark.django_db
#: One batch is full, and two entries are left for another.
FIRST, LAST = [f"s{place}" for place in range(MOST_ITEMS)], ["s12", "s13"]
PASSWORD = "birch-71"


@pytest.fixture
def entries(willing: Account, model: ScriptedModel) -> list[Entry]:
    """By place in the pass, each in a project of its own; and a judge that may propose what it is sure of."""
    Measured.objects.create(owner=willing, judge=f"{MODEL}@{FORM}", thresholds={"archive": 0.8})
    every = range(len(FIRST) + len(LAST))
    return [said(willing, f"Door code {PASSWORD}{place}", days=90 - place, project=f"p{place}") for place in every]


def sure(refs: Iterable[str], **odd: tuple[str, dict[str, float]]) -> list[bytes]:
    """An answer that archives each of them with 0.9; `odd`: what it says of one instead, and how likely that is."""
    usual = ("archive", {"archive": 0.9, "keep": 0.1})
    pieces: list[tuple[str, dict[str, float]]] = []
    for ref in refs:
        option, likely = odd.get(ref, usual)
        before = f'", "{ref}": "' if pieces else f'{{"{ref}": "'
        pieces += [(before, {before: 1.0}), (option, likely)]
    return weighed_stream([*pieces, ('"}', {'"}': 1.0})])


def run(owner: Account, model: ScriptedModel) -> Passed:
    """A pass whose last batch is answered as it should be."""
    model.will_send(sure(LAST))
    with override_settings(FORGE=settings.FORGE.model_copy(update={"LLM_TIMEOUT": 0.5})):
        return forgetting_pass.run(owner)


def proposed(entries: list[Entry]) -> list[str]:
    pks = set(Proposal.objects.filter(status=Status.PROPOSED).values_list("memory_id", flat=True))
    return [f"s{place}" for place, entry in enumerate(entries) if entry.pk in pks]


def told(owner: Account, done: Passed) -> list[str]:
    """The codes of what is kept of the reasons, in which no word of an entry is."""
    kept = Pass.objects.of(owner).get().trouble
    assert kept == done.trouble
    assert PASSWORD not in str(kept)
    return [why.rpartition("[")[2].rstrip("]") for why in kept]


OVERFLOW = {
    "code": 400,
    "message": "request (9032 tokens) exceeds the available context size (8192 tokens), try increasing it",
    "type": "exceed_context_size_error",
    "n_prompt_tokens": 9032,
    "n_ctx": 8192,
}
FULL = {"code": 500, "message": "Context size has been exceeded.", "type": "server_error"}
BATCH: dict[str, tuple[Callable[[ScriptedModel], None], str]] = {
    "garbage": (lambda model: model.will_answer(f"I would archive {PASSWORD}0 first."), "garbled"),
    "silence": (lambda model: model.will_hang(), "timeout"),
    "too long for it": (lambda model: model.will_fail(400, {"error": OVERFLOW}), "too_long"),
    "full half way": (
        lambda model: model.will_send([*sure(FIRST)[:5], f"data: {json.dumps({'error': FULL})}\n\n".encode()]),
        "too_long",
    ),
}


@pytest.mark.parametrize("bad", BATCH)
def test_a_batch_that_is_answered_badly_is_not_judged_and_the_next_one_is(
    willing: Account, model: ScriptedModel, entries: list[Entry], bad: str
) -> None:
    script, code = BATCH[bad]
    script(model)

    done = run(willing, model)

    assert told(willing, done) == [code]
    assert proposed(entries) == LAST
    assert (done.judged, Proposal.objects.count(), len(calls(model))) == (2, 2, 2)


def test_an_entry_that_is_answered_badly_is_not_judged_and_the_others_are(
    willing: Account, model: ScriptedModel, entries: list[Entry]
) -> None:
    """Options that there are not, or not of this entry; weights beyond one, or of nothing; no answer at all."""
    bad = {
        "s1": ("delete_all", {"delete_all": 1.0}),
        "s2": ("conflict", {"conflict": 1.0}),
        "s3": ("archive", {"archive": 0.9, "keep": 0.9}),
        "s4": ("archive", {"archive": 0.7}),
    }
    pieces = sure([ref for ref in FIRST if ref != "s5"], **bad)
    model.will_send([piece.replace(json.dumps(math.log(0.7)).encode(), b"0.7") for piece in pieces])

    done = run(willing, model)

    left = ["s1", "s2", "s3", "s4", "s5"]
    assert set(told(willing, done)) == {"missing", "no_option", "probabilities"}
    assert proposed(entries) == [ref for ref in (*FIRST, *LAST) if ref not in left]
    assert (done.judged, len(calls(model))) == (9, 2)

    model.will_send(sure([f"s{place}" for place in range(len(left))]))  # asked of again, by new names
    assert forgetting_pass.run(willing).judged == len(left)


def test_a_server_without_structured_output_is_asked_once_and_judges_nothing(
    willing: Account, model: ScriptedModel, entries: list[Entry]
) -> None:
    model.will_fail(400, {"error": {"message": "unknown field response_format"}})

    done = run(willing, model)

    assert told(willing, done) == ["no_schema"]
    assert (proposed(entries), Proposal.objects.count(), len(calls(model))) == ([], 0, 1)
    assert counts(willing)[:2] == (0, 0)


def test_for_a_server_that_goes_on_loading_no_entry_is_read(willing: Account, model: ScriptedModel) -> None:
    said(willing, f"Door code {PASSWORD}", days=90)
    model.loads()

    done = run(willing, model)

    assert told(willing, done) == ["loading"]
    assert (done.candidates, calls(model), Proposal.objects.count()) == (0, [], 0)


def test_a_server_that_is_loading_is_waited_for(willing: Account, model: ScriptedModel) -> None:
    said(willing, f"Door code {PASSWORD}", days=90)
    model.loads()
    model.will_send(sure(["s0"]))
    loaded = Timer(0.3, model.loaded)
    loaded.start()

    done = forgetting_pass.run(willing)

    loaded.join()
    assert (told(willing, done), done.judged) == ([], 1)


def test_a_server_that_is_not_there_is_told_by_what_it_is(willing: Account, model: ScriptedModel) -> None:
    with override_settings(FORGE=settings.FORGE.model_copy(update={"JUDGE_URL": "http://127.0.0.1:1"})):
        assert told(willing, forgetting_pass.run(willing)) == ["unreachable"]


def test_a_model_that_is_exchanged_half_way_ends_the_pass(
    willing: Account, model: ScriptedModel, entries: list[Entry]
) -> None:
    model.will_send(sure(FIRST))
    model.will_send([piece.replace(MODEL.encode(), b"heron-2") for piece in sure(LAST)])

    done = run(willing, model)

    assert told(willing, done) == ["judge_changed"]
    assert proposed(entries) == FIRST


def meanwhile(model: ScriptedModel, act: Callable[[], Any]) -> None:
    """While it answers the first batch, somebody acts."""

    def acts() -> None:
        try:
            act()
        finally:
            connections.close_all()

    async def script(_request: Request, wire: Wire) -> None:
        await asyncio.to_thread(acts)
        await wire.head(content_type="text/event-stream")
        for piece in sure(FIRST):
            await wire.write(piece)
        await wire.end()

    model._script.append(script)


@pytest.mark.django_db(transaction=True)
def test_an_opt_in_that_is_withdrawn_between_two_batches_ends_the_pass(
    willing: Account, model: ScriptedModel, entries: list[Entry]
) -> None:
    meanwhile(model, lambda: Account.objects.filter(pk=willing.pk).update(judge_opt_in=False))

    done = run(willing, model)

    assert told(willing, done) == ["judge_opt_in"]
    assert (proposed(entries), len(calls(model)), counts(willing)[:2]) == (FIRST, 1, (0, 1))


@pytest.mark.django_db(transaction=True)
def test_an_entry_that_is_edited_while_it_is_judged_is_left_alone(
    willing: Account, model: ScriptedModel, entries: list[Entry]
) -> None:
    change = Changes(text="Door code heron-86")
    meanwhile(model, lambda: revise(willing, entries[3].pk, change, version=None, actor="person", cause="test"))

    done = run(willing, model)

    assert proposed(entries) == [ref for ref in (*FIRST, *LAST) if ref != "s3"]
    assert told(willing, done) == ["What moved while it was judged was left alone."]
    assert not Proposal.objects.filter(memory=entries[3]).exists()
