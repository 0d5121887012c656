"""Which entries a pass looks at."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

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
from retention.domain.candidates import MOST_PAIRS, MOST_SINGLES, Candidates, Decided, Likeness, candidates
from retention.domain.items import Row
from retention.domain.neighbours import content, neighbours
from retention.models import Form, Proposal
from retention.tests.entries import said

NOW = datetime(2026, 11, 30, tzinfo=UTC)
NOTHING = Decided({}, {})


def row(pk: int, *, days: int = 0, kind: str = "fact", project: str = "") -> Row:
    at = NOW - timedelta(days=days)
    return Row(pk, kind, project, f"text {pk}", at, at, at)


def looked_at(
    rows: list[Row],
    likenesses: Iterable[Likeness] = (),
    decided: Decided = NOTHING,
    linked: frozenset[frozenset[int]] = frozenset(),
) -> Candidates:
    return candidates(rows, likenesses, decided=decided, linked=linked, now=NOW, window=timedelta(days=30))


def singles(owner: Account) -> set[int]:
    return {item.entry.id for item in found(owner, timezone.now()).candidates.singles}


def pairs(owner: Account) -> list[tuple[int, int]]:
    """Older and newer."""
    return [(item.entry.id, item.newer[0].id) for item in found(owner, timezone.now()).candidates.pairs]


def test_of_single_entries_those_are_looked_at_that_nobody_touched_for_thirty_days() -> None:
    rows = [row(1, days=31), row(2, days=30), row(3, days=400), row(4, days=31, kind="blocker")]

    assert [item.entry.id for item in looked_at(rows).singles] == [3, 1, 4]


def test_events_notes_and_todos_are_never_looked_at() -> None:
    kinds = ("event", "note", "todo", "procedure", "prospective", "summary", "exchange")
    rows = [row(pk, days=99, kind=kind) for pk, kind in enumerate(kinds)]
    alike = [Likeness(0, 1, cosine=1.0), Likeness(1, 2, words=1.0)]

    assert looked_at(rows, alike).items == ()


def test_a_pair_is_of_one_kind_and_project_with_the_older_one_first() -> None:
    rows = [row(1, days=2), row(2, days=9), row(3, kind="decision"), row(4, project="shed"), row(5, kind="blocker")]
    alike = [Likeness(1, other, cosine=0.9) for other in (2, 3, 4, 5)]

    assert [(item.entry.id, item.newer[0].id) for item in looked_at(rows, alike).pairs] == [(2, 1)]


def test_pairs_with_a_stale_older_side_come_first_then_the_likest() -> None:
    rows = [row(1, days=3), row(2, days=2), row(3, days=99), row(4, days=1)]
    alike = [Likeness(1, 2, cosine=0.95), Likeness(1, 4, cosine=0.99), Likeness(3, 4, words=0.2)]

    assert [item.entry.id for item in looked_at(rows, alike).pairs] == [3, 1, 1]
    assert looked_at(rows, alike).pairs[1].newer[0].id == 4


def test_no_more_than_the_caps_are_looked_at_and_the_rest_is_counted() -> None:
    rows = [row(pk, days=99) for pk in range(70)]
    alike = [Likeness(pk, pk + 1, cosine=0.9) for pk in range(50)]

    seen = looked_at(rows, alike)

    assert (len(seen.singles), len(seen.pairs), seen.left) == (MOST_SINGLES, MOST_PAIRS, (10, 10))


def test_what_was_decided_stays_so_until_one_of_them_moves() -> None:
    rows = [row(1, days=50), row(2, days=40)]
    alike, two = [Likeness(1, 2, cosine=0.9)], frozenset((1, 2))
    later, earlier = NOW - timedelta(days=39), NOW - timedelta(days=41)

    assert looked_at(rows, alike, Decided({1: later, 2: later}, {two: later})).items == ()
    again = looked_at(rows, alike, Decided({1: earlier, 2: earlier}, {two: earlier}))
    assert [item.entry.id for item in again.items] == [2, 1]


def test_what_is_linked_is_settled() -> None:
    rows = [row(1), row(2)]

    assert looked_at(rows, [Likeness(1, 2, cosine=0.9)], linked=frozenset({frozenset((1, 2))})).pairs == ()


def test_beside_a_single_one_stand_up_to_three_newer_ones_of_its_project() -> None:
    rows = [row(1, days=50), *(row(pk, days=9) for pk in range(2, 7)), row(7, days=60), row(8, project="shed")]
    alike = [Likeness(1, pk, cosine=0.8 + pk / 100) for pk in range(2, 9)]

    [old, single] = looked_at(rows, alike).singles

    assert [one.id for one in single.newer] == [6, 5, 4]
    assert [one.id for one in old.newer] == [1]


def test_two_that_share_rare_words_are_neighbours_whatever_their_vectors_say() -> None:
    texts = [f"The {word} stands in the {room} room" for word in ("lamp", "clock", "desk") for room in ("red", "blue")]
    texts += ["The staging server listens on port 8080", "We moved the staging server to 9090"]

    found_two = {like.two for like in neighbours([content(pk, text) for pk, text in enumerate(texts)])}

    assert frozenset((6, 7)) in found_two
    assert not any(6 in two and two != frozenset((6, 7)) for two in found_two)


def test_words_of_scripts_without_spaces_count_in_pairs() -> None:
    texts = ["東京のサーバーは古い", "東京のサーバーは新しい", "猫が好きです", "朝は早く起きる"]

    assert [like.two for like in neighbours([content(pk, text) for pk, text in enumerate(texts)])] == [
        frozenset((0, 1))
    ]


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
