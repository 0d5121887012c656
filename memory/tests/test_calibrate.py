"""A cutoff from one's own questions: measured, shown, kept with its regime, taken back."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.test import Client, override_settings
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from forgesite.errors import InvalidError, UnknownError
from forgesite.lib.vectors import Vector, unit
from forgesite.models import Account
from forgesite.testing_embedders import ScriptedEmbedder, digest_vector, served_by
from memory import calibrate, embedding
from memory.domain.calibration import LEAN, Fit, Measured, Question, is_placeholder, verdict
from memory.domain.chain import moment
from memory.domain.receipt import Asked, Given, Place, Said, body_of, salted
from memory.forget import forget
from memory.models import Calibration, Entry, Receipt
from memory.recall import Query, recall
from memory.regime.words import sentences
from memory.remember import Draft, remember_many

pytestmark = pytest.mark.django_db
TEXTS = ("The dog is called Rex", "The boat lies at pier 9", "The server runs on port 8080")
HITS = ("What is the dog called?", "Where does the boat lie?", "Which port has the server?")
MISSES = ("Who won the cup in 1954?", "How deep is the lake?", "When does the train to Rome leave?")
#: How near a question is to the entry of the same number; the misses are near to nothing.
NEAR = (0.6, 0.7, 0.8)
LIST = "/admin/memory/calibration/"


def placed(text: str, dim: int) -> Vector:
    """An entry has an axis of its own; a question stands at its distance from it; a miss at 1.1 from the first."""
    axes = np.eye(dim, dtype=np.float32)
    if text in TEXTS:
        axis: Vector = axes[TEXTS.index(text)]
        return axis
    if text in HITS:
        return at(NEAR[HITS.index(text)], axes[HITS.index(text)], axes[6])
    if text in MISSES:
        return at(1.1 + MISSES.index(text) / 10, axes[0], axes[7])
    return digest_vector(text, dim)


def at(distance: float, one: Vector, other: Vector) -> Vector:
    cosine = 1 - distance**2 / 2
    return unit(cosine * one + float(np.sqrt(1 - cosine**2)) * other, len(one))


@pytest.fixture
def entries(ana: Account, embedder: ScriptedEmbedder) -> list[Entry]:
    embedder.vector = placed
    return list(remember_many(ana, [Draft(text) for text in TEXTS], actor="import", cause="test").entries)


def questions(entries: Sequence[Entry]) -> list[Question]:
    hits = [Question(text, (entry.pk,)) for text, entry in zip(HITS, entries, strict=True)]
    return [*hits, *map(Question, MISSES)]


def measured(*distances: float, miss: bool = False) -> list[Measured]:
    return [Measured(f"question {d}", miss, 1, d, 1) for d in distances]


@pytest.mark.parametrize(
    ("hits", "misses", "gap", "fit", "midpoint", "suggestion"),
    [
        ((0.7289, 0.6640, 0.6469), (0.9495, 1.0451, 1.1578), 0.2206, Fit.FITS, 0.8392, 0.87),
        ((0.4498, 0.671, 0.7695), (1.0619, 0.8337, 1.0369), 0.0642, Fit.FITS, 0.8016, 0.81),
        ((0.8934, 0.671, 0.9386), (0.9891, 0.9356, 1.098), -0.003, Fit.NO_GAP, None, None),
        ((0.6, 0.7, 0.9), (0.9, 1.0, 1.1), 0.0, Fit.NO_GAP, None, None),
        ((0.6, 0.7, 0.9), (0.9499, 1.0, 1.1), 0.0499, Fit.TIGHT, None, None),
        ((0.6, 0.7, 0.9), (0.95, 1.0, 1.1), 0.05, Fit.FITS, 0.925, 0.93),
    ],
)
def test_the_gap_decides(hits: Any, misses: Any, gap: float, fit: Fit, midpoint: Any, suggestion: Any) -> None:
    found = verdict([*measured(*hits), *measured(*misses, miss=True)])
    assert (found.gap, found.fit, found.midpoint, found.suggestion) == (gap, fit, midpoint, suggestion)


SIDE = st.lists(st.floats(0, 2).map(lambda value: round(value, 4)), min_size=1, max_size=8)


@given(SIDE, SIDE)
def test_a_suggestion_lets_every_hit_through_and_no_miss(hits: list[float], misses: list[float]) -> None:
    found = verdict([*measured(*hits), *measured(*misses, miss=True)])
    assert (found.suggestion is None) == (found.gap < 0.05)
    if found.suggestion is not None:
        assert max(hits) < found.suggestion < min(misses)
        assert abs(found.suggestion - (max(hits) + LEAN * found.gap)) <= 0.00501


@pytest.mark.parametrize("text", ["", "  ", "What is <this>?", "Is it ...", "Is it …", "TODO", "Where is XXX?"])
def test_what_nobody_filled_in_is_refused(ana: Account, text: str) -> None:
    assert is_placeholder(text)
    with pytest.raises(InvalidError, match="no question yet"):
        calibrate.measure(ana, [Question(text)])


def test_too_few_on_a_side_are_refused(ana: Account, entries: list[Entry]) -> None:
    with pytest.raises(InvalidError, match="3 questions with an answer and 2 without"):
        calibrate.measure(ana, questions(entries)[:-1])


def test_somebody_elses_entry_is_unknown(ana: Account, ben: Account, entries: list[Entry]) -> None:
    with pytest.raises(UnknownError):
        calibrate.measure(ben, questions(entries))


def test_a_hit_is_read_by_the_entry_that_was_named(ana: Account, entries: list[Entry]) -> None:
    asked = questions(entries)
    swapped = [Question(asked[0].text, (entries[1].pk,)), *asked[1:]]
    found = calibrate.measure(ana, swapped)
    assert found.measured[0].distance > 1.0
    assert found.measured[0].rank != 1
    assert "is not the first row" in list(sentences(found.verdict))[-1]


def test_what_was_measured_is_in_force_until_it_is_taken_back(ana: Account, ben: Account, entries: list[Entry]) -> None:
    found = calibrate.measure(ana, questions(entries))
    regime = embedding.regime(served())
    assert [each.distance for each in found.measured] == [0.6, 0.7, 0.8, 1.1, 1.2, 1.3]
    assert (found.verdict.gap, found.cutoff) == (0.3, f"1.00@{regime}")
    assert cut(ana) == []
    first = calibrate.keep(ana, found)
    assert cut(ana) == [1.1]
    assert embedding.cutoff_in_force(served(), ana.pk).named == found.cutoff
    assert embedding.cutoff_in_force(served(), ben.pk).value is None
    second = calibrate.keep(ana, found)
    assert calibrate.former(ana) == first
    calibrate.use(ana, first.pk)
    assert (calibrate.in_use(ana), Calibration.objects.get(pk=second.pk).used) == (first, False)
    calibrate.use(ana, None)
    assert (calibrate.in_use(ana), cut(ana)) == (None, [])


def cut(owner: Account) -> list[float]:
    """The distances of what the cutoff left out for a question that memory cannot answer, the nearest of them."""
    left = recall(owner, Query(MISSES[0], policy="vector", top_k=1, explicit=True)).left_out
    return [row.distance for row in left if row.reason == "cutoff" and row.distance][:1]


def served() -> Any:
    return embedding.served()


def test_the_setting_comes_first_and_another_model_takes_it_out_of_force(
    ana: Account, entries: list[Entry], embedder: ScriptedEmbedder
) -> None:
    calibrate.keep(ana, calibrate.measure(ana, questions(entries)))
    with served_by(embedder, RECALL_MAX_DISTANCE="off"):
        assert embedding.cutoff_in_force(served(), ana.pk).named == "off"
    embedder.dim = 12
    with served_by(embedder, EMBEDDING_MODEL="another"):
        stale = embedding.cutoff_in_force(served(), ana.pk)
        assert (stale.value, stale.state.value) == (None, "stale")


def test_without_a_gap_it_is_kept_and_nothing_is_in_force(ana: Account, entries: list[Entry]) -> None:
    swapped = [Question(each.text, (entries[0].pk,)) for each in questions(entries)[:3]]
    found = calibrate.measure(ana, [*swapped, *map(Question, MISSES)])
    assert found.verdict.fit is Fit.NO_GAP
    made = calibrate.keep(ana, found)
    assert (made.cutoff, made.used, calibrate.in_use(ana)) == ("", False, None)
    with pytest.raises(InvalidError, match="found no gap"):
        calibrate.use(ana, made.pk)


def seal(owner: Account, number: int, text: str, entries: Sequence[Entry]) -> None:
    salt = "5" * 32
    given_ = tuple(Given(entry.pk, 1, "") for entry in entries)
    asked = Asked("recall", salted(salt, text), 1, "", "hybrid", given=given_, nothing=not entries)
    now = timezone.now()
    place = Place(owner=owner.pk, number=number, parent="", at=moment(now) or "", run=f"r{number}", tick=1, head="")
    body = body_of(place, Said(recalls=(asked,)))
    Receipt.objects.create(
        owner=owner, number=number, address=f"{number:064}", at=now, run_id=f"r{number}", tick=1, salt=salt, body=body,
        questions=[{"text": text}],
    )  # fmt: skip


@pytest.fixture
def asked(ana: Account, entries: list[Entry]) -> None:
    for number, text in enumerate(HITS, start=1):
        seal(ana, number, text, [entries[number - 1], entries[0]])
    for number, text in enumerate((*MISSES, MISSES[0], "Is it ..."), start=11):
        seal(ana, number, text, [])


def test_questions_of_ones_own_history_are_proposed(ana: Account, ben: Account, asked: None) -> None:
    hits, misses = calibrate.proposed(ana)
    assert [each.text for each in hits] == [*reversed(HITS)]
    assert [entry.text for entry in hits[0].entries] == [TEXTS[2], TEXTS[0]]
    assert [each.text for each in misses] == [MISSES[0], MISSES[2], MISSES[1]]
    assert calibrate.proposed(ben) == ([], [])


def test_the_desk_proposes_measures_and_takes_back(
    desk: Client, ana: Account, entries: list[Entry], asked: None
) -> None:
    page = desk.get(f"{LIST}measure/").content.decode()
    assert HITS[0] in page
    assert MISSES[0] in page
    form = {f"hit{place}": str(entry.pk) for place, entry in enumerate(reversed(entries))} | {"miss0": "1"}
    assert "1 without: it takes at least 3" in desk.post(f"{LIST}measure/", form).content.decode()
    done = desk.post(f"{LIST}measure/", form | {"miss1": "1", "none0": MISSES[1]})
    made = Calibration.objects.get()
    assert done["Location"] == f"{LIST}{made.pk}/change/"
    shown = desk.get(done["Location"])
    for words in ("gap +0.3000", "suggestion 1.00", "<svg", HITS[1], "0.6000"):
        assert words in shown.content.decode()
    assert "style=" not in shown.content.decode().partition("<figure")[2].partition("</figure")[0]
    assert made.cutoff in desk.get(LIST).content.decode()
    desk.post(f"{LIST}use/", {"use": "none"})
    assert calibrate.in_use(ana) is None
    desk.post(f"{LIST}use/", {"use": str(made.pk)})
    assert calibrate.in_use(ana) == made


def test_nobody_sees_or_uses_anothers_calibration(desk: Client, ben: Account, entries: list[Entry]) -> None:
    theirs = Calibration.objects.create(owner=ben, cutoff="1.00@e3b0c4.6fe03d", regime="e3b0c4.6fe03d")
    assert desk.get(f"{LIST}{theirs.pk}/change/").status_code == 404
    desk.post(f"{LIST}use/", {"use": str(theirs.pk)})
    theirs.refresh_from_db()
    assert theirs.used is False


def test_a_question_that_quotes_what_was_forgotten_is_masked(ana: Account, entries: list[Entry]) -> None:
    asked = [Question(f"Is it true that {TEXTS[0]}?", (entries[1].pk,)), *questions(entries)[1:]]
    made = calibrate.keep(ana, calibrate.measure(ana, asked))
    forget(ana, [entries[0].pk], actor="person", cause="test")
    made.refresh_from_db()
    assert "Rex" not in str(made.asked)


def test_the_command_measures_keeps_lists_and_takes_back(ana: Account, entries: list[Entry]) -> None:
    ids = [f"#{entry.pk}" for entry in entries]
    named = {"hit": [*HITS], "expect": ids, "miss": [*MISSES]}
    assert "suggestion 1.00" in said(dry_run=True, **named)
    assert not Calibration.objects.exists()
    assert "Calibration #" in said(**named)
    assert "* #" in said(list=True)
    assert "No calibration is in force" in said(use="none")
    with pytest.raises(CommandError, match="name the entry of each"):
        said(hit=[*HITS], expect=ids[:2], miss=[*MISSES])


def test_the_command_says_that_the_setting_comes_first(ana: Account, entries: list[Entry], embedder: Any) -> None:
    errors = StringIO()
    with served_by(embedder, RECALL_MAX_DISTANCE="off"):
        ids = [str(entry.pk) for entry in entries]
        call_command("calibrate", hit=[*HITS], expect=ids, miss=[*MISSES], user="ana", stdout=StringIO(), stderr=errors)
    assert "RECALL_MAX_DISTANCE=off is set and comes first" in errors.getvalue()


def said(**options: Any) -> str:
    out = StringIO()
    call_command("calibrate", **options, stdout=out)
    return out.getvalue()


def test_without_an_embedder_nothing_is_measured(ana: Account, entries: list[Entry], settings: Any) -> None:
    with (
        override_settings(FORGE=settings.FORGE.model_copy(update={"EMBEDDING_PROVIDER": "none"})),
        pytest.raises(Exception, match="no embedder is set"),
    ):
        calibrate.measure(ana, questions(entries))
