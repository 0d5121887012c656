"""Which entries a pass looks at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from types import MappingProxyType

import numpy as np
import pytest
from django.conf import settings
from django.test import override_settings
from django.utils import timezone

from forgesite.models import Account
from forgesite.testing_embedders import ScriptedEmbedder, served_by
from memory.models import Entry
from memory.move import archive, reaffirm
from memory.relate import relate
from memory.revise import Changes, revise
from retention.candidates import found
from retention.domain.candidates import MOST_PAIRS, MOST_SINGLES, Chosen, chosen
from retention.domain.columns import FOREVER, Alike, Stamp, micros, settled, stamps
from retention.domain.neighbours import content
from retention.domain.neighbours import neighbours as by_words
from retention.models import Form, Proposal
from retention.tests.entries import said

NOW = datetime(2026, 11, 30, tzinfo=UTC)
Two = tuple[int, int]
NOTHING: tuple[tuple[int, int, int], ...] = ()


def stamp(pk: int, *, days: int = 0, kind: str = "fact", project: str = "") -> Stamp:
    at = NOW - timedelta(days=days)
    return Stamp(pk, kind, project, at, at)


def looked_at(
    rows: list[Stamp],
    cosines: Mapping[Two, float] = MappingProxyType({}),
    words: Mapping[Two, float] = MappingProxyType({}),
    decided: Iterable[tuple[int, int, int]] = NOTHING,
) -> Chosen:
    """`cosines` and `words`: of two ids. `decided`: of one id and another or 0, and when."""
    of = stamps(rows)
    twos = np.array([*cosines, *words], np.int64).reshape(-1, 2)
    known = np.isin(twos, of.ids).all(axis=1)  # the others are of no kind that is looked at
    by_words = np.array([0.0] * len(cosines) + list(words.values()))
    by_meaning = np.array(list(cosines.values()) + [0.0] * len(words))
    ones, others = of.places(twos[known].T)
    alike = Alike(ones, others, by_meaning[known], by_words[known])
    return chosen(of, [alike], settled=settled(decided), now=NOW, window=timedelta(days=30))


def singles(owner: Account) -> set[int]:
    return {item.entry.id for item in found(owner, timezone.now()).candidates.singles}


def pairs(owner: Account) -> list[tuple[int, int]]:
    """Older and newer."""
    return [(item.entry.id, item.newer[0].id) for item in found(owner, timezone.now()).candidates.pairs]


def newer(seen: Chosen) -> dict[int, tuple[int, ...]]:
    return dict(seen.singles)


def test_of_single_entries_those_are_looked_at_that_nobody_touched_for_thirty_days() -> None:
    rows = [stamp(1, days=31), stamp(2, days=30), stamp(3, days=400), stamp(4, days=31, kind="blocker")]

    assert list(newer(looked_at(rows))) == [3, 1, 4]


def test_events_notes_and_todos_are_never_looked_at() -> None:
    kinds = ("event", "note", "todo", "procedure", "prospective", "summary", "exchange")
    rows = [stamp(pk, days=99, kind=kind) for pk, kind in enumerate(kinds, 1)]

    assert looked_at(rows, {(1, 2): 1.0}, {(2, 3): 1.0}) == Chosen((), ())


def test_a_pair_is_of_one_kind_and_project_with_the_older_one_first() -> None:
    rows = [stamp(1, days=2), stamp(2, days=9), stamp(3, kind="decision"), stamp(4, project="shed")]
    rows += [stamp(5, kind="blocker"), stamp(6, kind="blocker")]
    alike = {(1, other): 0.9 for other in (2, 3, 4, 5)} | {(5, 6): 0.9}

    assert looked_at(rows, alike).pairs == ((2, 1, 0.9),)


def test_pairs_with_a_stale_older_side_come_first_then_the_likest() -> None:
    rows = [stamp(1, days=3), stamp(2, days=2), stamp(3, days=99), stamp(4, days=1)]

    seen = looked_at(rows, {(1, 2): 0.95, (1, 4): 0.99}, {(3, 4): 0.2})

    assert seen.pairs == ((3, 4, 0.0), (1, 4, 0.99), (1, 2, 0.95))


def test_no_more_than_the_caps_are_looked_at_and_the_rest_is_counted() -> None:
    rows = [stamp(pk, days=99) for pk in range(1, 71)]

    seen = looked_at(rows, {(pk, pk + 1): 0.9 for pk in range(1, 51)})

    assert (len(seen.singles), len(seen.pairs), seen.left) == (MOST_SINGLES, MOST_PAIRS, (10, 10))


def test_what_was_decided_stays_so_until_one_of_them_moves() -> None:
    rows = [stamp(1, days=50), stamp(2, days=40)]

    def again(days: int) -> Chosen:
        at = micros(NOW - timedelta(days=days))
        return looked_at(rows, {(1, 2): 0.9}, decided=[(1, 0, at), (2, 0, at), (2, 1, at)])

    assert again(39) == Chosen((), ())
    assert again(41) == Chosen(((2, ()),), ((1, 2, 0.9),))
    assert list(newer(again(60))) == [1, 2]


def test_what_is_linked_is_settled() -> None:
    rows = [stamp(1), stamp(2)]

    assert looked_at(rows, {(1, 2): 0.9}, decided=[(2, 1, FOREVER)]).pairs == ()


def test_beside_a_single_one_stand_up_to_three_newer_ones_of_its_project() -> None:
    rows = [stamp(1, days=50), *(stamp(pk, days=9) for pk in range(2, 7)), stamp(7, days=60), stamp(8, project="shed")]

    seen = looked_at(rows, {(1, pk): 0.8 + pk / 100 for pk in range(2, 9)})

    assert newer(seen) == {7: (1,), 1: (6, 5, 4)}


def neighbours(texts: list[str]) -> set[frozenset[int]]:
    """Two places each."""
    found_some = by_words(map(content, texts), len(texts))
    return {frozenset(two) for some in found_some for two in zip(*(one.tolist() for one in some[:2]), strict=True)}


def test_two_that_share_rare_words_are_neighbours_whatever_their_vectors_say() -> None:
    texts = [f"The {word} stands in the {room} room" for word in ("lamp", "clock", "desk") for room in ("red", "blue")]
    texts += ["The staging server listens on port 8080", "We moved the staging server to 9090"]

    found_two = neighbours(texts)

    assert frozenset((6, 7)) in found_two
    assert not any(6 in two and two != frozenset((6, 7)) for two in found_two)


def test_words_of_scripts_without_spaces_count_in_pairs() -> None:
    texts = ["東京のサーバーは古い", "東京のサーバーは新しい", "猫が好きです", "朝は早く起きる"]

    assert neighbours(texts) == {frozenset((0, 1))}


def test_a_store_is_read_as_it_stands(words_only: None, ana: Account, ben: Account) -> None:
    old = said(ana, "The staging server listens on port 8080", days=40)
    new = said(ana, "We moved the staging server to port 9090", days=3)
    said(ana, "The staging server burned down", days=40, kind="event")
    said(ben, "The staging server listens on port 7070", days=40)

    assert singles(ana) == {old.pk}
    assert pairs(ana) == [(old.pk, new.pk)]


def test_what_was_confirmed_edited_or_put_away_is_not_stale(words_only: None, ana: Account) -> None:
    confirmed, edited, away = (said(ana, f"The {word} is green", days=40) for word in ("door", "roof", "gate"))
    reaffirm(ana, confirmed.pk, actor="person", cause="test")
    revise(ana, edited.pk, Changes(text="The roof is brown"), version=None, actor="person", cause="test")
    archive(ana, away.pk, actor="person", cause="test")

    assert singles(ana) == set()


def test_an_edit_makes_an_entry_the_newer_one(words_only: None, ana: Account) -> None:
    first = said(ana, "The staging server listens on port 8080", days=40)
    second = said(ana, "The staging server listens on port 9090", days=20)
    revise(ana, first.pk, Changes(text="The staging server is on port 7070"), version=None, actor="person", cause="t")

    assert pairs(ana) == [(second.pk, first.pk)]


@pytest.mark.parametrize("link", ["conflicts", "supersedes"])
def test_a_link_between_two_settles_them(words_only: None, ana: Account, link: str) -> None:
    old = said(ana, "The staging server listens on port 8080", days=9)
    new = said(ana, "The staging server listens on port 9090", days=3)
    relate(ana, new.pk, link, old.pk, actor="person", cause="test")

    assert pairs(ana) == []


def test_an_earlier_proposal_in_whatever_state_settles_two(words_only: None, ana: Account) -> None:
    old = said(ana, "The staging server listens on port 8080", days=40)
    new = said(ana, "The staging server listens on port 9090", days=35)
    judged = Proposal(owner=ana, memory=old, related=new, form=Form.PAIR, action="keep", probability=0.9)
    judged.save()

    assert pairs(ana) == []
    assert singles(ana) == {old.pk, new.pk}
    Proposal.objects.update(created_at=timezone.now() - timedelta(days=36))
    assert pairs(ana) == [(old.pk, new.pk)]


class SameForAll(ScriptedEmbedder):
    """One vector for every text."""

    def _raw(self, text: str) -> list[float]:
        return [1.0, *([0.0] * (self.dim - 1))]


def test_two_with_close_vectors_are_a_pair_whatever_their_words(ana: Account) -> None:
    with SameForAll() as server, served_by(server):
        old, new = said(ana, "Porridge every morning", days=9), said(ana, "Oats for breakfast", days=3)
        from memory.recall import Query, recall

        recall(ana, Query("breakfast"))  # the index is made by the first search
        assert pairs(ana) == [(old.pk, new.pk)]
        [item] = found(ana, timezone.now()).candidates.pairs
        assert item.likeness == pytest.approx(1.0)
        with override_settings(FORGE=settings.FORGE.model_copy(update={"CONFLICT_FLOOR": 1.0})):
            Entry.objects.filter(pk=new.pk).update(project="kitchen")
            assert pairs(ana) == []
