"""The row that answers a question across languages: it is shown though it is past the cutoff, and it tells."""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext as _

from forgesite.lib.embeddings import Door
from forgesite.lib.vectors import Vector, unit
from memory import embedding
from memory.domain.across import across, in_reach, may_be_meant, naming, stands_out, told_anyhow
from memory.domain.nothing import Subject, subject
from memory.errors import EmbeddingError
from memory.finding.by_meaning import ByMeaning
from memory.finding.by_words import ByWords
from memory.past.searched import Searched


def placed(text: str, near: ByMeaning, words: ByWords, searched: Searched, door: Door | None) -> ByMeaning:
    """Whether the nearest row is in another language than the question, and whether it stands out.

    Left as it is where distances were not measured with this embedder, and where words tell in any language.
    """
    row = min(near.rows, key=lambda each: (each.distance or 0.0, each.id), default=None)
    about = subject(text, words.frequencies, words.total)
    covered = shares(about, words)
    if row is None or near.near.fact is None or told_anyhow(about, covered):
        return near
    entry = searched.entries([row.id]).get(row.id)
    if entry is None or not across(text, entry.text):
        return near
    near = replace(near, across=True)
    if not in_reach(row.distance or 0.0, near.cutoff) or not may_be_meant(about, covered, row.id):
        return near
    return _standing(row.id, text, near, searched, door)


def _standing(row: int, text: str, near: ByMeaning, searched: Searched, door: Door | None) -> ByMeaning:
    """With the row, where it stands out; says so where it is past the cutoff."""
    weighed = _weighed(text, near.question, door)
    measured = {} if weighed is None else searched.vectors.distances(weighed, [each.id for each in near.rows])
    if not stands_out(row, measured):
        return near
    near = replace(near, standing=row)
    return near if near.reach == near.cutoff else replace(near, notices=(*near.notices, _past_the_cutoff()))


def shares(about: Subject, words: ByWords) -> dict[int, float]:
    """Of each row that words found, how much of the question it covers."""
    return {row.id: about.share(row.matched) for row in words.rows}


def _past_the_cutoff() -> str:
    return _("A row past the cutoff is shown: it is in another language than the question, and stands out.")


def _weighed(text: str, question: Vector | None, door: Door | None) -> Vector | None:
    """Between the question and its naming words alone; None where the embedder has gone down since."""
    if question is None or door is None:
        return None
    try:
        return unit(question + embedding.embedded_query(door, naming(text)).vector)
    except EmbeddingError:
        return None
