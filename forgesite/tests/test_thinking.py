"""Thinking is taken out of an answer, whole and wherever it is cut; code keeps its tags."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgesite.lib.language_models import Text, Thinking, Unsaid
from forgesite.lib.thinking import Splitter

CANARY = "kestrel"


def split(*pieces: str, doubtful: bool = False) -> tuple[str, str, bool]:
    """What was said, what was thought, and whether a block was left open."""
    splitter = Splitter(doubtful=doubtful)
    said, thought = "", ""
    for event in [event for piece in pieces for event in splitter.feed(piece)] + splitter.end():
        said = "" if isinstance(event, Unsaid) else said + (event.text if isinstance(event, Text) else "")
        thought += event.text if isinstance(event, Thinking) else ""
    return said, thought, splitter.thinking


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<think>kestrel</think>Oui.", "Oui."),
        ("<think>\nkestrel\n</think>\n\nOui.", "Oui."),
        ("\n<THINK>kestrel</Think>\nOui.", "Oui."),
        ("<thinking>kestrel</thinking>Oui.", "Oui."),
        ("<reasoning effort='high'>kestrel</reasoning >Oui.", "Oui."),
        ("<thought>kestrel</thinking>Oui.", "Oui."),
        ("[THINK]kestrel[/THINK]Oui.", "Oui."),
        ("◁think▷kestrel◁/think▷Oui.", "Oui."),
        ("<|begin_of_thought|>kestrel<|end_of_thought|>Oui.", "Oui."),
        ("Oui, <think>kestrel</think>non.<think>kestrel</think> Si.", "Oui, non. Si."),
        ("<think>kestrel <b> a < b </ think </think>Oui.", "Oui."),
        ("kestrel\n</think>\n\nOui.", "Oui."),
        ("</think>Oui.", "Oui."),
        ("<think>kestrel", ""),
        ("Oui.\n<think>kestrel", "Oui.\n"),
        ("It's 5` long.\n<think>kestrel</think>Oui.", "It's 5` long.\nOui."),
        ("```\ncode\n```\n<think>kestrel</think>Oui.", "```\ncode\n```\nOui."),
        ("```inline``` <think>kestrel</think>Oui.", "```inline``` Oui."),
        ("~~~\n```\n~~~\n<think>kestrel</think>Oui.", "~~~\n```\n~~~\nOui."),
    ],
)
def test_thinking_is_taken_out(text: str, said: str) -> None:
    assert split(text)[0] == said
    assert split(*text)[0] == said
    assert CANARY not in said


@pytest.mark.parametrize(
    "text",
    [
        "Write `<think>` first, `</think>` last.",
        "``a ` <think>`` and on",
        "```html\n<think>kestrel</think>\n```\nVoilà.",
        "- so:\n\n  ```\n  <think>\n  ```\n",
        "> ~~~xml\n> <think>\n> ~~~\n",
        "````md\n```\n<think>\n```\n````\nVoilà.",
        "```\n``` not the end <think>\n```\n",
        "a < b, <thin> air, <thinker>, [thing], </thinkx>, <",
        "In prose </think> closes nothing.",
        "  \n Two blanks first.\n\n",
        "",
        " ",
    ],
)
def test_what_is_no_thinking_stays_as_it_is(text: str) -> None:
    assert split(text)[0] == text
    assert split(*text)[0] == text


def test_a_block_that_is_never_closed_is_told() -> None:
    assert split("<think>Hmm") == ("", "Hmm", True)
    assert split("<think>Hmm</think>Oui") == ("Oui", "Hmm", False)


def test_a_closing_tag_alone_takes_back_what_was_given() -> None:
    splitter = Splitter()

    events = [*splitter.feed("Hmm, "), *splitter.feed("so.\n</think>\n\nOui."), *splitter.end()]

    assert events == [Text("Hmm, "), Text("so.\n"), Unsaid(), Text("Oui.")]
    assert splitter.unopened


def test_only_the_first_closing_tag_takes_back() -> None:
    assert split("<think>Hmm</think>Oui.\n</think>\nNon.")[0] == "Oui.\n</think>\nNon."


def test_a_model_that_opens_its_thinking_unseen_is_not_shown_thinking() -> None:
    splitter = Splitter(doubtful=True)

    assert splitter.feed("Hmm, so.\n") == [Thinking("Hmm, so.\n")]
    assert [*splitter.feed("</think>\n\nOui."), *splitter.end()] == [Text("Oui.")]


def test_where_it_did_not_think_after_all_its_answer_comes_at_the_end() -> None:
    assert split("Oui, ", "bien sûr.", doubtful=True)[0] == "Oui, bien sûr."
    assert split("<think>Hmm", doubtful=True)[::2] == ("", True)


SCRAPS = st.sampled_from(
    [
        "<think>",
        "</think>",
        "<THINKING",
        ">",
        "<",
        "[think]",
        "[/think]",
        "`",
        "``",
        "```",
        "~~~",
        "\n",
        " ",
        "é",
        "a b",
    ]
)


@given(st.lists(SCRAPS, max_size=14), st.lists(st.integers(0, 90), max_size=6), st.booleans())
def test_however_it_is_cut_the_same_comes_out(scraps: list[str], places: list[int], doubtful: bool) -> None:
    text = "".join(scraps)
    cuts = [0, *sorted(places)]
    pieces = [text[start:end] for start, end in zip(cuts, [*cuts[1:], None], strict=True)]

    assert split(*pieces, doubtful=doubtful) == split(text, doubtful=doubtful)


@given(st.text("ab <>/`\n~[]é", max_size=60), st.integers(0, 60))
def test_text_without_thinking_is_not_touched(text: str, place: int) -> None:
    assert split(text[:place], text[place:]) == (text, "", False)
