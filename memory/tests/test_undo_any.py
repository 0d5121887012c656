"""Any sequence of verbs and undos: each undo is whole or refused, and the undo of an undo is as if nothing was done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings as django_settings
from django.test import override_settings
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase
from hypothesis.stateful import initialize, rule, run_state_machine_as_test

from forgesite.errors import ForgeError
from forgesite.models import Account
from forgesite.testing import EXAMPLES
from memory import undo
from memory.models import Commit, Entry, Kind, LinkType, Status
from memory.relate import relate
from memory.remember import Draft, remember
from memory.revise import Changes, revise
from memory.tests.entries import saved
from memory.tests.test_undo import picture
from memory.tests.test_verbs import ACTORS, KEYS, MOVES, PICK, PROJECTS, TEXTS, Verbs
from memory.verify import verify

BEGUN = [
    ("The house by the river is old", "house"),
    ("The town has a wall around it", "town"),
    ("The shed is green and dry", ""),
    ("The house by the river was sold", "house"),
]


CHANGES = st.one_of(
    st.builds(Changes, text=TEXTS),
    st.builds(Changes, project=PROJECTS),
    st.builds(Changes, kind=st.sampled_from([Kind.FACT, Kind.NOTE, Kind.TODO, Kind.SUMMARY])),
    st.builds(Changes, status=st.sampled_from(Status.values)),
    st.builds(Changes, pinned=st.booleans(), event_at=st.none()),
)


def own(owner: Account, pick: int) -> int:
    """The id of an entry of theirs."""
    ids = list(Entry.objects.of(owner).order_by("id").values_list("pk", flat=True)) or [1]
    return ids[pick % len(ids)]


def any_of(owner: Account, pick: int) -> Commit | None:
    """Mostly one of the newest: older ones moved since."""
    found = list(Commit.objects.of(owner).order_by("-tick"))
    return found[pick % min(len(found), 8)] if found else None


class VerbsAndUndos(Verbs):
    @initialize()
    def begin(self) -> None:
        """Most verbs are refused in an empty store."""
        for owner in self.owners:
            _first, town, shed, _last = (saved(owner, text, key=key).pk for text, key in BEGUN)
            saved(owner, "A town", kind="summary", sources=(town, shed), covers=(town,))

    @rule(who=PICK, text=TEXTS, key=KEYS, kind=st.sampled_from([Kind.FACT, Kind.TODO]))
    def write(self, who: int, text: str, key: str, kind: Kind) -> None:
        draft = Draft(text, kind, key=key)
        self.done_or_refused(lambda: remember(self.owners[who % 2], draft, actor="person", cause="test"))

    @rule(who=PICK, pick=PICK, changes=CHANGES)
    def change(self, who: int, pick: int, changes: Changes) -> None:
        owner = self.owners[who % 2]
        pk = own(owner, pick)
        self.done_or_refused(lambda: revise(owner, pk, changes, version=None, actor="person", cause="test"))

    @rule(who=PICK, picks=st.lists(PICK, min_size=1, max_size=3), verb=MOVES)
    def put(self, who: int, picks: list[int], verb: Callable[..., Any]) -> None:
        owner = self.owners[who % 2]
        ids = [own(owner, pick) for pick in picks]
        self.done_or_refused(lambda: verb(owner, ids, actor="person", cause="test"))

    @rule(who=PICK, pick=PICK, other=PICK, type=st.sampled_from(LinkType.values))
    def link(self, who: int, pick: int, other: int, type: str) -> None:
        owner = self.owners[who % 2]
        one, two = own(owner, pick), own(owner, other)
        self.done_or_refused(lambda: relate(owner, one, type, two, actor="person", cause="test"))

    @rule(who=PICK, pick=PICK, actor=ACTORS)
    def undo(self, who: int, pick: int, actor: str) -> None:
        owner = self.owners[who % 2]
        if commit := any_of(owner, pick):
            reason = undo.undoable(commit)
            self.done_or_refused(lambda: undo.undo(owner, commit.address, actor=actor, cause="test"))
            assert bool(reason) <= bool(undo.undoable(commit))

    @rule(who=PICK)
    def undo_the_last(self, who: int) -> None:
        owner = self.owners[who % 2]
        if last := undo.last(owner):
            undo.undo(owner, last.address, actor="person", cause="test")
            assert undo.last(owner) != last

    @rule(who=PICK, pick=PICK)
    def undo_and_undo_that(self, who: int, pick: int) -> None:
        owner = self.owners[who % 2]
        before, commit = picture(owner), any_of(owner, pick)
        try:
            made = commit and undo.undo(owner, commit.address, actor="person", cause="test")
        except ForgeError:
            made = None
        if made:
            undo.undo(owner, made.address, actor="person", cause="test")
            assert picture(owner) == before

    def teardown(self) -> None:
        assert all(verify(owner).ok for owner in self.owners)


class AnySequence(TestCase):
    def test_undo_of_undo_is_as_if_nothing_was_done(self) -> None:
        without = django_settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "none"})
        with override_settings(FORGE=without):
            some = settings(max_examples=max(4, EXAMPLES // 20), stateful_step_count=20, deadline=None)
            run_state_machine_as_test(VerbsAndUndos, settings=some)
