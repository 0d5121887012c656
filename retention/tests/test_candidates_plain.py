"""On made-up stores the choice that holds only numbers is the plain one; and it holds no texts."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from django.conf import settings
from django.test import override_settings
from django.utils import timezone

from forgesite.lib.vectors import Vector
from forgesite.models import Account
from forgesite.testing import EXAMPLES
from memory import change_log, vector_channel
from memory.models import Entry
from memory.remember import Draft, remember_many
from retention import vectors
from retention.candidates import found
from retention.domain import neighbours as by_words
from retention.domain.alike import Close, merged
from retention.domain.candidates import Chosen, chosen
from retention.domain.columns import FOREVER, Alike, Settled, Stamp, micros, settled, stamps
from retention.domain.neighbours import Neighbours, content
from retention.models import Form, Proposal
from retention.tests import plain

NOW = datetime(2026, 11, 30, tzinfo=UTC)
WINDOW = timedelta(days=30)
KINDS = ("fact", "fact", "preference", "decision", "blocker")
REGIME, DIM = "made-up", 6
#: More of them in `python -m bench.full`.
STORES = range(EXAMPLES // 10)


def contents(draw: random.Random, count: int) -> list[frozenset[str]]:
    """A few words are everywhere, most are rare, and some entries have hardly any."""
    words = [f"w{number}" for number in range(max(6, count))]
    weights = [1 / (1 + place) for place in range(len(words))]
    return [frozenset(draw.choices(words, weights, k=draw.choice((0, 1, 2, 3, 5, 8)))) for _entry in range(count)]


def flat(near: Iterator[Neighbours]) -> list[tuple[frozenset[int], float]]:
    return [
        (frozenset((one, other)), score)
        for some in near
        for one, other, score in zip(*(column.tolist() for column in some), strict=True)
    ]


@pytest.mark.parametrize("seed", STORES)
def test_neighbours_by_words_are_the_plain_ones_each_once(seed: int) -> None:
    draw = random.Random(seed)
    some = contents(draw, draw.choice((1, 2, 30, 90)))

    near = flat(by_words.neighbours(iter(some), len(some)))

    assert len(dict(near)) == len(near)
    assert dict(near) == pytest.approx(plain.by_words(some), abs=2e-6)


def test_neighbours_are_the_same_however_few_are_looked_at_together(monkeypatch: pytest.MonkeyPatch) -> None:
    some = contents(random.Random(1), 90)
    whole = flat(by_words.neighbours(some, len(some)))
    monkeypatch.setattr(by_words, "AT_ONCE", 7)
    monkeypatch.setattr("retention.domain.postings.AT_ONCE", 11)

    assert sorted(flat(by_words.neighbours(some, len(some))), key=str) == sorted(whole, key=str)


def some_stamps(draw: random.Random, count: int) -> list[Stamp]:
    at = [NOW - timedelta(days=draw.randint(0, 60)) for _entry in range(count)]
    ids = draw.sample(range(1, 5 * count), count)
    return [
        Stamp(pk, draw.choice(KINDS), draw.choice(("", "shed")), told, told + timedelta(days=draw.choice((0, 0, 5))))
        for pk, told in zip(ids, at, strict=True)
    ]


@pytest.mark.parametrize("seed", STORES)
def test_the_choice_is_the_plain_one(seed: int) -> None:
    draw = random.Random(seed)
    rows = some_stamps(draw, draw.choice((2, 40, 300)))
    ids = [row.id for row in rows]
    twos = {frozenset(draw.sample(ids, 2)) for _pair in range(4 * len(rows))}
    alike = {two: (draw.choice((0.0, 0.9, 0.95)), draw.choice((0.1, 0.5, 0.93))) for two in sorted(twos, key=sorted)}
    linked = set(draw.sample(sorted(twos, key=sorted), len(twos) // 8))
    times = [
        (two, NOW - timedelta(days=draw.randint(0, 60))) for two in sorted(twos, key=sorted) if draw.random() < 0.4
    ]
    times += [(frozenset((pk,)), NOW - timedelta(days=draw.randint(0, 60))) for pk in ids if draw.random() < 0.4]
    times += [(two, at - timedelta(days=9)) for two, at in times if draw.random() < 0.3]  # and an earlier time

    expected = plain.chosen(rows, alike, _last(times), linked, NOW - WINDOW)

    place = {pk: at for at, pk in enumerate(ids)}
    ends = [[place[pk] for pk in two] for two in alike]
    columns = np.array(ends).T, np.array(list(alike.values())).T
    blocks = [Alike(*columns[0][:, at : at + 50], *columns[1][:, at : at + 50]) for at in range(0, len(ends), 50)]
    assert chosen(stamps(rows), blocks, settled=_settled(times, linked), now=NOW, window=WINDOW) == expected


def _last(times: list[tuple[frozenset[int], datetime]]) -> dict[frozenset[int], datetime]:
    return {two: max(at for other, at in times if other == two) for two, _at in times}


def _settled(times: list[tuple[frozenset[int], datetime]], linked: set[frozenset[int]]) -> Settled:
    judged = [(min(two), max(two) if len(two) > 1 else 0, micros(at)) for two, at in times]
    return settled([*judged, *((max(two), min(two), FOREVER) for two in linked)])


def test_what_is_alike_by_both_keys_comes_once_with_both() -> None:
    near = Neighbours(np.array([0, 3]), np.array([2, 1]), np.array([0.4, 0.3]))
    close = Close(np.array([2, 7]), np.array([0.5, 0.75], np.float32))  # 0 with 2, and 1 with 3 of four: 1 × 4 + 3

    both = [tuple(column.tolist() for column in some) for some in merged([near], close, 4)]
    alone = [tuple(column.tolist() for column in some) for some in merged([], close, 4)]

    assert both[0] == ([0, 3], [2, 1], [0.5, 0.75], [0.4, 0.3])
    assert alone == [([0, 1], [2, 3], [0.5, 0.75], [0.0, 0.0])]


@pytest.fixture
def indexed(words_only: None, db: None) -> None:
    """Vectors are kept for an index of six numbers each."""
    vector_channel.sync(REGIME, DIM)


def fill(owner: Account, draw: random.Random, count: int) -> list[Entry]:
    """Of two projects; a third of them old; vectors of one or two parts, of few values, so that sums are exact."""
    drafts = [
        Draft(f"Entry {number}: {' '.join(contents(draw, 40)[0])}", kind=draw.choice(KINDS), project=project)
        for number in range(count)
        for project in (draw.choice(("", "shed")),)
    ]
    remember_many(owner, drafts, actor="person", cause="test")
    entries = list(Entry.objects.of(owner).order_by("project", "-id"))
    with change_log.ours():
        for entry in entries:
            at = timezone.now() - timedelta(days=draw.randint(0, 45))
            Entry.objects.filter(pk=entry.pk).update(said_at=at, recorded_at=at, updated_at=at)
    vector_channel.keep(
        vector_channel.Kept(entry.pk, 1, part, REGIME, made(draw))
        for entry in entries
        for part in range(draw.choice((1, 1, 2)))
    )
    return list(Entry.objects.of(owner).order_by("project", "-id"))


def made(draw: random.Random) -> Vector:
    """Of length one: four halves of either sign, and two noughts."""
    places = draw.sample(range(DIM), 4)
    return np.array([draw.choice((-0.5, 0.5)) if at in places else 0 for at in range(DIM)], np.float32)


@pytest.mark.parametrize("seed", range(3))
def test_of_a_whole_store_the_choice_is_the_plain_one(
    indexed: None, ana: Account, ben: Account, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(seed)
    fill(ben, draw, 10)
    entries = fill(ana, draw, 70)
    monkeypatch.setattr(vectors, "AT_ONCE", 16)
    monkeypatch.setattr(vectors, "BLOCK", 500)
    judged = Proposal.objects.create(owner=ana, memory=entries[0], form=Form.SINGLE, action="keep", probability=0.9)

    now = timezone.now()
    with override_settings(FORGE=settings.FORGE.model_copy(update={"CONFLICT_FLOOR": 0.7})):
        seen = found(ana, now).candidates

    assert {bool(item.likeness) for item in seen.pairs} == {True, False}  # by meaning, and by words alone
    decided = {frozenset((entries[0].pk,)): judged.created_at}
    expected = plain.chosen(_stamps(entries), _plainly_alike(entries), decided, (), now - WINDOW)
    assert (
        Chosen(
            tuple((item.entry.id, item.ids[1:]) for item in seen.singles),
            tuple((item.entry.id, item.newer[0].id, item.likeness) for item in seen.pairs),
            seen.left,
        )
        == expected
    )


def _stamps(entries: list[Entry]) -> list[Stamp]:
    return [Stamp(entry.pk, entry.kind, entry.project, entry.said_at, entry.updated_at) for entry in entries]


def _plainly_alike(entries: list[Entry]) -> dict[frozenset[int], tuple[float, float]]:
    alike: dict[frozenset[int], tuple[float, float]] = {}
    for project in ("", "shed"):
        own = [entry for entry in entries if entry.project == project]
        parts = [(entry.pk, blob) for entry in own for _regime, blob in vector_channel.parts_of([entry.pk])[entry.pk]]
        matrix = np.stack([np.frombuffer(blob, np.float32) for _pk, blob in parts])
        close = plain.by_meaning([pk for pk, _blob in parts], matrix, 0.7, vectors.MOST)
        words = plain.by_words([content(entry.text) for entry in own])
        near = {frozenset(own[place].pk for place in two): score for two, score in words.items()}
        alike |= {two: (close.get(two, 0.0), near.get(two, 0.0)) for two in [*close, *near]}
    return alike


def peak(owner: Account) -> int:
    """Bytes that Python and numpy held at once."""
    found(owner, timezone.now())
    tracemalloc.start()
    try:
        found(owner, timezone.now())
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_of_more_entries_no_more_than_numbers_are_held(
    indexed: None, ana: Account, ben: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To hold their texts would take 1,400 bytes for each."""
    monkeypatch.setattr("retention.candidates.AT_ONCE", 20)
    few, many = 50, 200
    for owner, count in ((ana, few), (ben, many)):
        long = [f"Box {number} {'- ' * 700}" for number in range(count)]
        remember_many(owner, [Draft(text, kind="fact") for text in long], actor="person", cause="test")

    assert peak(ben) - peak(ana) < (many - few) * 600
