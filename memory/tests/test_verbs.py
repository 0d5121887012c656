"""Any sequence of verbs: each is done or refused whole, what follows from links stands in rows, the chain proves it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings as django_settings
from django.test import override_settings
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from forgesite.errors import ForgeError
from forgesite.models import Account
from forgesite.testing import EXAMPLES
from memory import move
from memory.forget import forget
from memory.models import Entry, Kind, Link, LinkType, Status
from memory.relate import relate, unrelate
from memory.remember import Draft, remember, remember_many
from memory.revise import Changes, revise
from memory.standing import leans_on_air, speaker
from memory.tests.refused import everything
from memory.verify import verify

PICK = st.integers(0, 30)
PICKS = st.lists(PICK, max_size=3)
TEXTS = st.sampled_from(["It is so", "It was so yesterday", "It is so in all the houses of the town", "Not at all so"])
KEYS = st.sampled_from(["", "", "town", "house"])
PROJECTS = st.sampled_from(["", "atlas"])
KINDS = st.sampled_from([Kind.FACT, Kind.TODO, Kind.EVENT, Kind.SUMMARY, Kind.PROCEDURE])
ACTORS = st.sampled_from(["person", "person", "model", "import", "compaction"])
MOVES = st.sampled_from([move.archive_many, move.retract_many, move.restore_many, move.reaffirm_many])


class Verbs(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        number = Account.objects.count()
        self.owners = [Account.objects.create_user(f"owner{number + each}") for each in range(2)]

    def done_or_refused(self, act: Callable[[], object]) -> None:
        before = everything()
        try:
            act()
        except ForgeError:
            assert everything() == before

    def pk(self, pick: int) -> int:
        """Of an entry, sometimes another owner's, sometimes none's."""
        ids = list(Entry.objects.order_by("id").values_list("pk", flat=True))
        return ids[pick % len(ids)] if ids else 1

    def draft(self, text: str, actor: str, sources: list[int], covers: list[int], **given: Any) -> Draft:
        rests, stands_for = tuple(map(self.pk, sources)), tuple(map(self.pk, covers))
        return Draft(text, origin=actor, message=1, sources=rests, covers=stands_for, **given)

    @rule(who=PICK, text=TEXTS, actor=ACTORS, key=KEYS, project=PROJECTS, kind=KINDS, sources=PICKS, covers=PICKS)
    def remember(self, who: int, actor: str, **given: Any) -> None:
        draft = self.draft(actor=actor, **given)
        self.done_or_refused(lambda: remember(self.owners[who % 2], draft, actor=actor, cause="test"))

    @rule(who=PICK, texts=st.lists(TEXTS, max_size=3), actor=ACTORS, key=KEYS, kind=KINDS, sources=PICKS)
    def remember_many(self, who: int, texts: list[str], actor: str, sources: list[int], **given: Any) -> None:
        drafts = [self.draft(text, actor, sources, [], **given) for text in texts]
        self.done_or_refused(lambda: remember_many(self.owners[who % 2], drafts, actor=actor, cause="test"))

    @rule(
        who=PICK,
        pick=PICK,
        actor=ACTORS,
        text=st.none() | TEXTS,
        kind=st.none() | KINDS,
        status=st.none() | st.sampled_from(Status.values),
        project=st.none() | PROJECTS,
        pinned=st.none() | st.booleans(),
    )
    def revise(self, who: int, pick: int, actor: str, **given: Any) -> None:
        pk = self.pk(pick)
        version = Entry.objects.filter(pk=pk).values_list("version", flat=True).first()
        changes = Changes(**given)
        owner = self.owners[who % 2]
        self.done_or_refused(lambda: revise(owner, pk, changes, version=version, actor=actor, cause="test"))

    @rule(who=PICK, picks=PICKS, verb=MOVES)
    def move(self, who: int, picks: list[int], verb: Callable[..., Any]) -> None:
        ids = [self.pk(pick) for pick in picks]
        self.done_or_refused(lambda: verb(self.owners[who % 2], ids, actor="person", cause="test"))

    @rule(who=PICK, pick=PICK, other=PICK, type=st.sampled_from(LinkType.values), actor=ACTORS)
    def relate(self, who: int, pick: int, other: int, type: str, actor: str) -> None:
        one, two = self.pk(pick), self.pk(other)
        self.done_or_refused(lambda: relate(self.owners[who % 2], one, type, two, actor=actor, cause="test"))

    @rule(who=PICK, pick=PICK, actor=ACTORS)
    def unrelate(self, who: int, pick: int, actor: str) -> None:
        links = list(Link.objects.standing().order_by("id").values_list("pk", flat=True)) or [1]
        pk = links[pick % len(links)]
        self.done_or_refused(lambda: unrelate(self.owners[who % 2], pk, actor=actor, cause="test"))

    @rule(who=PICK, pick=PICK)
    def forget(self, who: int, pick: int) -> None:
        pk = self.pk(pick)
        self.done_or_refused(lambda: forget(self.owners[who % 2], [pk], actor="person", cause="test"))

    def teardown(self) -> None:
        for owner in self.owners:
            assert verify(owner).findings == ()

    @invariant()
    def follows(self) -> None:
        rows = Entry.objects.in_bulk()
        links = list(Link.objects.standing())
        for entry in rows.values():
            assert (entry.superseded_by_id, entry.superseded_how) == speaker(
                link for link in links if link.other_id == entry.pk
            )
            rests = [link for link in links if link.entry_id == entry.pk and link.type == LinkType.SOURCE]
            stale = any(leans_on_air(link, rows.get(link.other_id)) for link in rests)
            assert entry.stale == (stale and entry.kind == Kind.SUMMARY)

    @invariant()
    def rules_hold(self) -> None:
        rows = Entry.objects.in_bulk()
        for link in Link.objects.standing():
            entry, other = rows[link.entry_id], rows.get(link.other_id)
            assert other is None or entry.owner_id == other.owner_id
            if link.type == LinkType.COVERS:
                assert entry.kind == Kind.SUMMARY
            if link.type in (LinkType.COVERS, LinkType.SOURCE) and entry.kind == Kind.SUMMARY:
                assert other is None or other.kind != Kind.SUMMARY


class AnySequence(TestCase):
    def test_any_sequence_of_verbs_leaves_a_memory_that_is_proved(self) -> None:
        without = django_settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "none"})
        with override_settings(FORGE=without):
            run_state_machine_as_test(
                Verbs, settings=settings(max_examples=max(10, EXAMPLES // 10), stateful_step_count=30, deadline=None)
            )
