"""Whether a model's reply is an answer, and whether it may enter memory: one judgement, made when the run ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from chat.domain.leaked import is_leaked
from chat.domain.loops import goes_in_circles
from chat.domain.machinery import is_machinery
from chat.domain.stand_ins import is_error_body, is_placeholder
from memory.domain.non_answers import is_non_answer
from memory.domain.refusals import is_refusal


@dataclass(frozen=True)
class Verdict:
    """`state` as the answer's row keeps it. `not_answered`: why it is no answer; `not_indexable`: why it may not enter
    memory. Empty: it is one, it may. What is no answer may not, and an answer that memory gave may not either.
    """

    state: Literal["complete", "cut"] = "complete"
    not_answered: str = ""
    not_indexable: str = ""


#: How a stream ended that did not end by itself.
CUT = {"length": "cut off", "lost": "broken off"}
#: Cut at the token limit with nothing to show for it: no word, or half a call of a tool.
EARLY = "cut early"

#: What a text by itself may turn out to be.
BY_TEXT: dict[str, Callable[[str], bool]] = {
    "non-answer": is_non_answer,
    "placeholder": is_placeholder,
    "error body": is_error_body,
    "leaked call": is_machinery,
    "refusal": is_refusal,
    "repeats itself": goes_in_circles,
}


def none(why: str, *, state: Literal["complete", "cut"] = "complete") -> Verdict:
    """What is no answer enters no memory."""
    return Verdict(state, why, why)


def verdict(
    text: str, finish: str, *, thought: bool = False, in_thought: bool = False, said: Sequence[str] = ()
) -> Verdict:
    """`text`: the whole reply. `thought`: the model thought; `in_thought`: and its thinking was never closed. `said`:
    what the model was told as instructions.

    A reply that was cut keeps its text, which is part of an answer. One without text has nothing to go on with, and one
    that goes in circles would go on in them: it is over, however it ended.
    """
    if not text.strip():
        return none(_why_blank(finish, thought, in_thought))
    if why := _why_not(text, said):
        return none(why)
    if finish in CUT or in_thought:
        return none(CUT.get(finish, CUT["lost"]), state="cut")
    return Verdict()


def _why_not(text: str, said: Sequence[str]) -> str:
    if is_leaked(text, said):
        return "leaked prompt"
    return next((why for why, holds in BY_TEXT.items() if holds(text)), "")


def _why_blank(finish: str, thought: bool, in_thought: bool) -> str:
    if finish == "length" and not in_thought:
        return EARLY
    if thought or in_thought:
        return "only thought"
    return CUT["lost"] if finish == "lost" else "empty"
