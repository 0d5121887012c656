"""The copies of vectors in memory give what vec0 gives, whoever wrote, and whatever was undone."""

from __future__ import annotations

from itertools import count
from threading import Thread

import numpy as np
import pytest
from django.db import connection, transaction
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from forgesite.lib.vectors import Vector
from forgesite.models import Account
from forgesite.sqlite3_vec.driver import Database
from forgesite.testing import EXAMPLES
from memory import vector_channel
from memory.domain.quantised import bounds, quantised
from memory.domain.scope import CURRENT, LATER, REPLACED, Scope
from memory.finding import by_meaning, vector_cache, vector_copy
from memory.finding.vector_cache import Copies, Limits
from memory.finding.vector_copy import Copy, Key
from memory.models import Entry
from memory.tests.entries import by_sql
from memory.vector_channel import Kept, Near

committed = pytest.mark.django_db(transaction=True)
DIM, REGIME = 8, "wrapped.model"
VECTORS = np.random.default_rng(7).standard_normal((40, DIM)).astype(np.float32)
VECTORS /= np.linalg.norm(VECTORS, axis=1)[:, None]
AT_ONCE = Limits(fewest=0, scans=0)
NUMBERS = count(1)


def written(owner: Account, *parts: int, kind: str = "fact", project: str = "") -> Entry:
    """An entry of which each part has one of the vectors."""
    of_its_own = {"address": str(next(NUMBERS)), "text": "A text", "kind": kind, "project": project}
    entry = Entry.objects.create(owner=owner, **of_its_own)
    vector_channel.keep(Kept(entry.pk, 1, number, REGIME, VECTORS[part]) for number, part in enumerate(parts))
    return entry


def looked_for(copies: Copies, owner: Account, vector: int = 0, scope: Scope | None = None) -> list[Near]:
    """By the copies; vec0 gives the same."""
    vector_channel.sync(REGIME, DIM)
    where = scope or Scope(owner.pk)
    found = copies.nearest(VECTORS[vector], where, where.tiers[0], 5)
    assert found == vector_channel.nearest(VECTORS[vector], where, where.tiers[0], 5)
    return found


def held(copies: Copies, owner: Account) -> Copy | None:
    """What is searched where nothing moved since; nothing is read by asking."""
    return copies.copy(Key(str(connection.settings_dict["NAME"]), owner.pk, REGIME, DIM), False)


PICK, PARTS = st.integers(0, 100), st.lists(st.integers(0, len(VECTORS) - 1), min_size=1, max_size=3)
KINDS, PROJECTS = st.sampled_from(["fact", "note"]), st.sampled_from(["", "Lyon"])


class Searching(RuleBasedStateMachine):
    """Any sequence of writes. One of two processes looks after each, the other now and then."""

    def __init__(self) -> None:
        super().__init__()
        self.owners = [Account.objects.create_user(f"owner{Account.objects.count()}") for _each in range(2)]
        self.often, self.seldom = Copies(AT_ONCE), Copies(AT_ONCE)

    def one(self, pick: int) -> Entry | None:
        rows = list(Entry.objects.filter(owner__in=self.owners).order_by("id"))
        return rows[pick % len(rows)] if rows else None

    @rule(parts=PARTS, pick=PICK, kind=KINDS, project=PROJECTS)
    def write(self, parts: list[int], pick: int, kind: str, project: str) -> None:
        written(self.owners[pick % 2], *parts, kind=kind, project=project)

    @rule(pick=PICK, parts=PARTS)
    def embed_anew(self, pick: int, parts: list[int]) -> None:
        if entry := self.one(pick):
            vector_channel.drop([entry.pk])
            vector_channel.keep(Kept(entry.pk, 2, number, REGIME, VECTORS[part]) for number, part in enumerate(parts))

    @rule(pick=PICK, part=st.integers(0, len(VECTORS) - 1))
    def edit_a_vector(self, pick: int, part: int) -> None:
        if entry := self.one(pick):
            by_sql("UPDATE memory_vector SET vector = %s WHERE entry_id = %s", VECTORS[part].tobytes(), entry.pk)

    @rule(pick=PICK)
    def delete(self, pick: int) -> None:
        if entry := self.one(pick):
            by_sql("DELETE FROM memory_entry WHERE id = %s", entry.pk)

    @rule(pick=PICK, status=st.sampled_from(["active", "archived", "retracted"]), kind=KINDS, project=PROJECTS)
    def move(self, pick: int, status: str, kind: str, project: str) -> None:
        if entry := self.one(pick):
            Entry.objects.filter(pk=entry.pk).update(status=status, kind=kind, project=project)

    @rule(pick=PICK, replaced=st.booleans())
    def replace(self, pick: int, replaced: bool) -> None:
        one, other = self.one(pick), self.one(pick + 1)
        if one and other and one.pk != other.pk:
            by, how = (other.pk, REPLACED) if replaced else (None, "")
            Entry.objects.filter(pk=one.pk).update(superseded_by=by, superseded_how=how)

    @rule(pick=PICK)
    def give_away(self, pick: int) -> None:
        if entry := self.one(pick):
            Entry.objects.filter(pk=entry.pk).update(owner=self.owners[pick // 2 % 2])

    @rule()
    def make_anew(self) -> None:
        vector_channel.remake()

    @rule()
    def forget_what_moved(self) -> None:
        by_sql("DELETE FROM memory_vec_moved WHERE id < (SELECT MAX(id) FROM memory_vec_moved)")

    @rule(parts=PARTS, pick=PICK, undone=st.booleans())
    def write_and_look_in_a_transaction(self, parts: list[int], pick: int, undone: bool) -> None:
        with transaction.atomic():
            written(self.owners[pick % 2], *parts)
            self.alike(self.often)
            transaction.set_rollback(undone)

    @rule()
    def look_from_elsewhere(self) -> None:
        self.alike(self.seldom)

    @invariant()
    def look(self) -> None:
        self.alike(self.often)

    def alike(self, copies: Copies) -> None:
        vector_channel.sync(REGIME, DIM)
        for owner in self.owners:
            for scope in (Scope(owner.pk), Scope(owner.pk, kind="note"), Scope(owner.pk, project="Lyon")):
                for states in (CURRENT, LATER, (*CURRENT, REPLACED, "nothing")):
                    found = copies.nearest(VECTORS[0], scope, states, 3)
                    assert found == vector_channel.nearest(VECTORS[0], scope, states, 3)


@committed
def test_any_sequence_of_writes_leaves_copies_and_index_alike() -> None:
    few = settings(max_examples=max(EXAMPLES // 20, 5), stateful_step_count=12)
    run_state_machine_as_test(Searching, settings=few)


@committed
def test_a_write_is_taken_in_without_reading_the_rest_again(ana: Account) -> None:
    copies = Copies(AT_ONCE)
    one = written(ana, 1)
    looked_for(copies, ana)
    before = held(copies, ana)
    two = written(ana, 2)
    assert {near.id for near in looked_for(copies, ana)} == {one.pk, two.pk}
    after = held(copies, ana)
    assert before
    assert after
    assert after.rows is before.rows
    assert (before.count, after.count) == (1, 2)


@committed
def test_what_is_undone_was_never_there_for_others(ana: Account) -> None:
    copies = Copies(AT_ONCE)
    kept = written(ana, 1)
    looked_for(copies, ana)
    with transaction.atomic():
        undone = written(ana, 0)
        assert [near.id for near in looked_for(copies, ana)] == [undone.pk, kept.pk]
        transaction.set_rollback(True)
    assert [near.id for near in looked_for(copies, ana)] == [kept.pk]
    again = written(ana, 3)  # of the same number, and so are its lines
    assert again.pk == undone.pk
    assert {near.id for near in looked_for(copies, ana)} == {kept.pk, again.pk}


def test_nothing_is_read_inside_a_transaction(ana: Account) -> None:
    copies = Copies(AT_ONCE)
    written(ana, 1)
    assert looked_for(copies, ana)
    assert held(copies, ana) is None


@committed
def test_a_file_that_was_put_back_is_read_anew(ana: Account) -> None:
    copies, file = Copies(AT_ONCE), Database.connect(":memory:")
    kept = written(ana, 1)
    looked_for(copies, ana)
    connection.connection.backup(file)
    for part in (0, 2, 3):
        written(ana, part)
    assert len(looked_for(copies, ana)) == 4
    file.backup(connection.connection)
    file.close()
    others = [written(ana, part, kind="note") for part in (4, 5, 6)]  # as many, and of the same numbers
    notes = looked_for(copies, ana, scope=Scope(ana.pk, kind="note"))
    assert {near.id for near in notes} == {other.pk for other in others}
    assert kept.pk in {near.id for near in looked_for(copies, ana)}


@committed
def test_vectors_that_do_not_fit_are_left_to_the_index(ana: Account) -> None:
    eve = Account.objects.create_user("eve")
    for owner in (ana, eve):
        written(owner, 1, 2)
    size = vector_copy.size(1, DIM)
    copies = Copies(Limits(fewest=0, scans=0, bytes=size + size // 2))
    for owner in (ana, eve, ana):
        assert looked_for(copies, owner)
    assert held(copies, ana) is not None
    assert held(copies, eve) is None
    takes_turns = Copies(Limits(fewest=0, scans=0, bytes=size + size // 2, seconds=0.0))
    for owner in (ana, eve):
        assert looked_for(takes_turns, owner)
    assert held(takes_turns, ana) is None
    assert held(takes_turns, eve) is not None


@committed
def test_first_scans_and_few_entries_are_left_to_the_index(ana: Account) -> None:
    later, larger = Copies(Limits(fewest=1, scans=1)), Copies(Limits(fewest=2, scans=0))
    written(ana, 1)
    for copies, due in ((later, [False, True]), (larger, [False, False])):
        found = []
        for _time in range(2):
            looked_for(copies, ana)
            found.append(held(copies, ana) is not None)
        assert found == due


@committed
def test_threads_that_search_while_one_writes_find_what_is_there(ana: Account) -> None:
    copies, failed = Copies(AT_ONCE), list[object]()
    first = written(ana, 0)
    looked_for(copies, ana)

    def search() -> None:
        for _time in range(40):
            near = copies.nearest(VECTORS[0], Scope(ana.pk), CURRENT, 5)
            failed.extend(near[:1] if not near or near[0] != Near(first.pk, 0.0) else [])
        connection.close()

    threads = [Thread(target=search) for _each in range(2)]
    for thread in threads:
        thread.start()
    for part in range(1, 20):
        written(ana, part)
        vector_channel.sync(REGIME, DIM)
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(looked_for(copies, ana)) == 5


@committed
def test_a_search_by_meaning_reads_the_copies_of_a_large_memory(ana: Account) -> None:
    some = Limits().fewest
    Entry.objects.bulk_create(Entry(owner=ana, address=f"a{n}", text=f"Text {n}") for n in range(some))
    ids = Entry.objects.of(ana).order_by("id").values_list("pk", flat=True)
    vector_channel.keep(Kept(pk, 1, 0, REGIME, VECTORS[pk % len(VECTORS)]) for pk in ids)
    vector_channel.sync(REGIME, DIM)
    for _time in range(Limits().scans + 1):
        assert by_meaning.NOW.nearest(VECTORS[0], Scope(ana.pk), CURRENT, 3)[0].distance == 0
    copy = held(vector_cache.COPIES, ana)
    assert copy
    assert copy.count == some


@st.composite
def matrices(draw: st.DrawFn) -> Vector:
    rows, seed = draw(st.integers(1, 60)), draw(st.integers(0, 10**6))
    random = np.random.default_rng(seed)
    vectors = random.standard_normal((rows, DIM)) * draw(st.sampled_from([1e-3, 1.0, 30.0]))
    vectors[random.integers(0, rows, rows // 2)] = vectors[0]
    vectors[: rows // 3] += random.standard_normal((rows // 3, DIM)) * 1e-3
    return vectors.astype(np.float32)


@given(vectors=matrices(), asked=st.integers(0, len(VECTORS) - 1), most=st.integers(1, 20), step=st.integers(1, 3))
def test_none_of_the_nearest_is_passed_over(vectors: Vector, asked: int, most: int, step: int) -> None:
    places = np.arange(0, len(vectors), step)
    among = bounds(quantised(vectors), places, VECTORS[asked]).among(most)
    distances = np.linalg.norm(vectors[places].astype(np.float64) - VECTORS[asked], axis=1)
    nearest = places[distances <= np.sort(distances)[:most][-1]]
    assert set(nearest.tolist()) <= set(among.tolist())


def test_few_more_than_the_nearest_are_measured() -> None:
    random = np.random.default_rng(1)
    vectors = random.standard_normal((5000, 256)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1)[:, None]
    assert len(bounds(quantised(vectors), np.arange(5000), vectors[0]).among(64)) < 200
