"""A conversation is cut into units by one set of rules, whether it comes as messages or as text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chat.domain.transcript import Message, blocks, cut, parse, render, split, split_dropped, units

LINES = st.sampled_from(
    [
        "Le NiPoGi a 32 Go de RAM.",
        "user: ",
        "assistant: pasted from another chat",
        r"\system: escaped already",
        r"\\user: twice",
        "",
        "  ",
        "[error] no route to host",
        "[12 messages compacted: #4, searchable via !recall]",
        '{"tool": "chat", "content": "The backup runs every night at three, said the model."}',
        "user:no space",
        "\r",
        "\u2028assistant: after a line separator",
    ]
)
TEXTS = st.one_of(st.lists(LINES, max_size=4).map("\n".join), st.text(max_size=40))
SPOKEN = st.builds(Message, role=st.sampled_from(["user", "assistant", "system"]), content=TEXTS)
HEADED = st.builds(Message, role=st.just(""), content=TEXTS)
TALKS = st.tuples(st.lists(HEADED, max_size=1), st.lists(SPOKEN, max_size=8)).map(lambda parts: parts[0] + parts[1])


def user(content: str, **more: bool) -> Message:
    return Message("user", content, **more)


def assistant(content: str, **more: bool) -> Message:
    return Message("assistant", content, **more)


@given(TALKS)
def test_text_and_messages_give_the_same_units(talk: list[Message]) -> None:
    assert split(render(talk)) == blocks(talk)


@given(TALKS)
def test_parse_gives_back_what_was_rendered(talk: list[Message]) -> None:
    said = [message for message in talk if message.role or message.content.strip()]

    assert parse(render(said)) == said


@given(TALKS)
def test_a_unit_is_never_cut_again(talk: list[Message]) -> None:
    assert [split(text) for text in blocks(talk)] == [[text] for text in blocks(talk)]


@given(TALKS)
def test_every_message_is_in_one_unit_or_named_as_dropped(talk: list[Message]) -> None:
    result = cut(talk)

    assert sum(len(unit.messages) for unit in result.units) + sum(len(out.messages) for out in result.dropped) == len(
        talk
    )


def test_render_writes_one_line_a_message() -> None:
    assert render([user("Quel port ?"), assistant("8080.")]) == "user: Quel port ?\nassistant: 8080."


def test_a_message_without_a_role_gets_no_prefix() -> None:
    assert render([Message("", "Notes of March"), user("Hello there")]) == "Notes of March\nuser: Hello there"


def test_text_before_the_first_prefix_is_one_message_without_a_role() -> None:
    assert parse("Notes\nof March\nuser: Hello") == [Message("", "Notes\nof March"), user("Hello")]


def test_a_pasted_transcript_stays_inside_its_message() -> None:
    pasted = user("Look at this:\nassistant: I deleted the disk")

    assert render([pasted]) == "user: Look at this:\n\\assistant: I deleted the disk"
    assert parse(render([pasted])) == [pasted]


def test_a_unit_starts_at_every_user_message() -> None:
    talk = [assistant("Welcome back"), user("Which port?"), assistant("8080."), Message("system", "Saved."), user("Ok")]

    assert blocks(talk) == [
        "assistant: Welcome back",
        "user: Which port?\nassistant: 8080.\nsystem: Saved.",
        "user: Ok",
    ]


def test_a_unit_names_its_messages() -> None:
    [unit] = units([Message("user", "Which port?", ref=7), Message("assistant", "8080.", ref=8)])

    assert [message.ref for message in unit.messages] == [7, 8]


def test_a_marked_message_keeps_its_whole_unit_out() -> None:
    talk = [user("Which port?"), assistant("8080, as memory says.", indexable=False), user("Thanks"), assistant("Yes.")]

    assert blocks(talk) == ["user: Thanks\nassistant: Yes."]
    assert [out.reason for out in cut(talk).dropped] == ["marked"]


def test_a_unit_is_dropped_only_if_all_its_replies_answer_nothing() -> None:
    dead = [user("Which port?"), assistant("[error] timeout"), assistant("Tool error: web")]
    alive = [user("Which port?"), assistant("[error] timeout"), assistant("8080.")]

    assert blocks(dead) == []
    assert [out.reason for out in split_dropped(render(dead))] == ["not_answered"]
    assert len(blocks(alive)) == 1


def test_a_question_cut_off_before_its_reply_is_kept() -> None:
    assert blocks([user("Which port does the test server use?")]) == ["user: Which port does the test server use?"]


def test_a_pointer_is_dropped_whatever_its_role() -> None:
    pointer = "[30 messages compactés : #10-#11 (2 entrées), à chercher par !recall]"
    talk = [Message("system", pointer), assistant(pointer), user(pointer), user("Quel port ?")]

    assert blocks(talk) == ["user: Quel port ?"]


def test_an_envelope_is_unwrapped_when_it_says_enough() -> None:
    long = '{"tool": "chat", "content": "The backup runs every night at three o\'clock."}'
    short = '{"tool": "chat", "content": "Done."}'

    assert blocks([assistant(long)]) == ["assistant: The backup runs every night at three o'clock."]
    assert blocks([assistant(short)]) == [f"assistant: {short}"]


def test_an_envelope_that_a_person_typed_stays_as_typed() -> None:
    typed = '{"tool": "chat", "content": "Why does the router answer with such an object?"}'

    assert blocks([user(typed)]) == [f"user: {typed}"]


def test_an_envelope_with_half_a_character_stays_as_it_is() -> None:
    broken = '{"tool": "chat", "content": "The backup runs every night at three \\ud800 or so."}'

    assert blocks([assistant(broken)]) == [f"assistant: {broken}"]


def test_a_pointer_inside_an_envelope_is_dropped() -> None:
    wrapped = '{"tool": "chat", "content": "[35 messages compacted: #10-#24 (15 entries), searchable via !recall]"}'

    assert blocks([assistant(wrapped)]) == []
