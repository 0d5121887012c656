"""*Forget everything about X*: found by words and meaning in every state, counted before, and gone by one act."""

from __future__ import annotations

from typing import Any

import pytest

from chat.models import Conversation, Message, Role
from forgesite.errors import UnknownError
from forgesite.models import Account
from memory.about import about, forget_about, preview
from memory.models import Commit, Entry, Erasure
from memory.move import archive, retract
from memory.revise import Changes, revise
from memory.tests.entries import found, saved

ACT: dict[str, Any] = {"actor": "person", "cause": "test"}


def texts(entries: tuple[Entry, ...]) -> set[str]:
    return {entry.text for entry in entries}


def test_what_holds_every_word_is_sure_in_any_state_and_the_rest_is_asked_about(ana: Account, ben: Account) -> None:
    names = ("Anna Meier is our dentist", "The dentist anna MEIER moved", "Anna Meiers practice is closed")
    sure = [saved(ana, name) for name in names]
    perhaps = saved(ana, "The dentist phoned Anna about the bill")
    saved(ben, "Anna Meier sings in Ben's choir")
    archive(ana, sure[0].pk, **ACT)
    retract(ana, sure[1].pk, **ACT)
    told = about(ana, "Anna Meier")
    assert texts(told.sure) == set(names)
    assert perhaps in told.perhaps
    assert not texts(told.perhaps) & texts(told.sure)


def test_an_earlier_version_that_says_it_is_asked_about(ana: Account) -> None:
    entry = saved(ana, "Zoé Krautmann is our dentist")
    revise(ana, entry.pk, Changes(text="Our dentist is somebody else now"), version=1, **ACT)
    told = about(ana, "Krautmann")
    assert (told.sure, told.perhaps) == ((), (entry,))


def test_words_are_found_as_the_index_has_them(ana: Account) -> None:
    accents, spaceless = saved(ana, "L’été à Nîmes était chaud"), saved(ana, "私は東京に住んでいます")
    dotted = saved(ana, "We build it with node.js here")
    assert about(ana, "nimes").sure == (accents,)
    assert about(ana, "東京").sure == (spaceless,)
    assert about(ana, "node.js").sure == (dotted,)


@pytest.mark.parametrize("text", ["", "   ", "\x00", "???", '"'])
def test_nothing_is_about_nothing(ana: Account, text: str) -> None:
    saved(ana, "Anna Meier is our dentist")
    assert not about(ana, text)


def test_the_preview_counts_what_the_act_then_removes(ana: Account) -> None:
    talk = Conversation.objects.create(owner=ana, title="Teeth")
    entries = [saved(ana, f"Anna Meier has {number} dentist's chairs in her practice") for number in (2, 3)]
    summary = saved(
        ana, f"In short: {entries[0].text}", kind="summary", sources=tuple(e.pk for e in entries), origin="import"
    )
    for entry in entries:
        Message.objects.create(owner=ana, conversation=talk, role=Role.ASSISTANT, content=f"> {entry.text}")
    ids = [entry.pk for entry in entries]
    before = preview(ana, ids)
    assert Entry.objects.count() == 3
    assert {name: before.removed[name] for name in ("entries", "messages", "summaries")} == {
        "entries": 2, "messages": 2, "summaries": 1,
    }  # fmt: skip
    done = forget_about(ana, ids, **ACT)
    assert done.certificate.report["removed"] == before.removed
    assert (Erasure.objects.count(), Commit.objects.latest("tick").address) == (1, done.certificate.commit)
    assert found(ana, "Anna Meier dentist") == []
    assert Entry.objects.get().pk == summary.pk


def test_nobody_previews_or_forgets_what_is_not_theirs(ana: Account, ben: Account) -> None:
    entry = saved(ben, "Anna Meier sings in Ben's choir")
    for act in (lambda: preview(ana, [entry.pk]), lambda: forget_about(ana, [entry.pk], **ACT)):
        with pytest.raises(UnknownError):
            act()
