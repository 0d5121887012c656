"""The words of an earlier time by what moved since: the same rows, counts and words as the ledger's own index has."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.db import connection
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from forgesite.errors import ForgeError
from forgesite.models import Account
from forgesite.testing import EXAMPLES
from forgesite.testing_embedders import ScriptedEmbedder
from memory import embedding, ledger, word_channel
from memory.domain.scope import scope
from memory.domain.words import terms
from memory.forget import forget
from memory.models import Entry
from memory.past.search import then, vectors_of
from memory.past.since import words_since
from memory.revise import Changes, revise
from memory.tests.entries import saved
from memory.tests.test_as_of import STEPS, WORDS, do

WHO: dict[str, Any] = {"actor": "person", "cause": "test"}
OUTSIDE = (
    "UPDATE memory_entry SET text = 'port and cat from outside' WHERE id = (SELECT MIN(id) FROM memory_entry)",
    "DELETE FROM memory_entry WHERE id = (SELECT MAX(id) FROM memory_entry)",
)


class AnyStory(TestCase):
    @given(STEPS, st.sampled_from(("", "forget", *OUTSIDE)))
    @settings(max_examples=EXAMPLES // 32, deadline=None)
    def test_what_holds_a_word_then_is_what_the_ledger_says(self, steps: list[Any], last: str) -> None:
        owner = Account.objects.create(username="ana")
        saved(owner, "The port of another server is green")
        for step in steps:
            do(owner, step)
        if last == "forget" and (first := Entry.objects.of(owner).order_by("id").first()):
            with suppress(ForgeError):
                forget(owner, [first.pk], **WHO)
        elif last:
            with connection.cursor() as cursor:
                cursor.execute(last)

        head = ledger.head(owner)
        for tick in range(1, (head.tick if head else 0) + 1):
            assert held(owner, str(tick), since=True) == held(owner, str(tick), since=False), tick


def held(owner: Account, as_of: str, *, since: bool) -> Any:
    """How many rows there are, which of them hold each word and of what sort they are, and all that they say."""
    where = scope(owner.pk, "", None, everything=True)
    index: Any = words_since(owner, as_of) if since else then(owner, as_of, where).words
    index.sync()
    found = {term.shown: index.holders(term, where) for term in terms(" ".join(WORDS), frozenset()).content}
    rows = {word: sorted(zip(each.ids.tolist(), each.what.tolist(), strict=True)) for word, each in found.items()}
    return index.count(owner.pk), rows, dict(sorted(index.words_of(range(1, 40)).items()))


def test_of_what_changed_since_only_the_entry_itself_is_embedded(ana: Account, embedder: ScriptedEmbedder) -> None:
    entries = [saved(ana, f"The cat number {number} sleeps on the sofa") for number in range(3)]
    for entry in entries:
        revise(ana, entry.pk, Changes(text=f"Something about a boat, {entry.pk}"), version=None, **WHO)
    door = embedding.served()
    assert door is not None
    before = len(embedder.asked)

    vectors = vectors_of(ana, "3", entries[1].pk)
    vectors.ready(door)

    assert embedder.asked[before:] == [["The cat number 1 sleeps on the sofa"]]


def test_another_owners_words_are_in_no_time(ana: Account, ben: Account) -> None:
    saved(ana, "The shed is green and dry")
    saved(ben, "The canary zanzibar is green")
    saved(ana, "The attic is blue")
    [term] = terms("green", frozenset()).content[:1]
    where = scope(ana.pk, "", None, everything=True)
    index = words_since(ana, "1")
    assert (index.count(ana.pk), len(index.holders(term, where))) == (1, 1)
    assert word_channel.count(ana.pk) == 2
