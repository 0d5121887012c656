"""Whether a model's reply is an answer: one judgement, made when the run ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from memory.domain.non_answers import is_non_answer


@dataclass(frozen=True)
class Verdict:
    """`state` as the answer's row keeps it. `not_answered`: why it is no answer, or empty."""

    state: Literal["complete", "cut"] = "complete"
    not_answered: str = ""


#: How a stream ended that did not end by itself.
CUT = {"length": "cut off", "lost": "broken off"}


def verdict(text: str, finish: str, *, thought: bool = False, in_thought: bool = False) -> Verdict:
    """`text`: the whole reply. `thought`: the model thought; `in_thought`: and its thinking was never closed.

    A reply that was cut keeps its text, which is part of an answer. One without text has nothing to go on with.
    """
    if not text.strip():
        return Verdict(not_answered=_why_blank(finish, thought or in_thought))
    if finish in CUT or in_thought:
        return Verdict("cut", CUT.get(finish, CUT["lost"]))
    return Verdict(not_answered="non-answer" if is_non_answer(text) else "")


def _why_blank(finish: str, thought: bool) -> str:
    if thought:
        return "only thought"
    return CUT["lost"] if finish == "lost" else "empty"
