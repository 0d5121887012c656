"""The stream of an answer, wherever its bytes are cut and however its server writes them."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Sequence

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgesite.lib.chat_chunks import Chunks, GarbledError, RefusedWithinError
from forgesite.lib.chat_response import source
from forgesite.lib.language_models import Ended, Event, Text, Thinking
from forgesite.testing_models import chunk, stream, usage

PIECES = ["Le caf", "é à 東", "京 ", "🎉 : 👨‍", "👩‍👧, `a", " < b`\n", "\n- ok"]
SAID = "".join(PIECES)
#: Characters as `\u` and four digits, as most servers in Python write them.
ESCAPED = b"".join(stream(PIECES))
#: Characters as their bytes, so that a cut may fall into one.
BODY = b"".join(
    b"data: " + json.dumps(json.loads(event[6:]), ensure_ascii=False).encode() + b"\n\n"
    for event in ESCAPED.split(b"\n\n")
    if event.startswith(b"data: {")
)
WRITTEN = {
    "lf": BODY + b"data: [DONE]\n\n",
    "crlf": BODY.replace(b"\n", b"\r\n"),
    "cr": BODY.replace(b"\n", b"\r"),
    "no space": BODY.replace(b"data: ", b"data:"),
    "comments": BODY.replace(b"data: ", b": ping\n\n:\ndata: "),
    "named": BODY.replace(b"data: ", b"event: message\nid: 7\nretry: 3000\ndata: "),
    "many lines": BODY.replace(b', "object"', b',\ndata: "object"'),
    "escaped": ESCAPED,
}


class Replayed(httpx.AsyncByteStream):
    """These pieces, as they are."""

    def __init__(self, pieces: Sequence[bytes]) -> None:
        self.pieces = pieces

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            yield piece


async def replayed(pieces: Sequence[bytes], **headers: str) -> list[Event]:
    chunks, response = Chunks(), httpx.Response(200, headers=headers, stream=Replayed(pieces))
    said = [event async for sse in source(response).aiter_sse() for event in chunks.feed(sse.data)]
    return said + chunks.end()


def read(*pieces: bytes, **headers: str) -> list[Event]:
    return asyncio.run(replayed(pieces, **headers))


def text(events: Sequence[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, Text))


def ended(events: Sequence[Event]) -> Ended:
    assert isinstance(events[-1], Ended)
    return events[-1]


@pytest.mark.parametrize("body", WRITTEN.values(), ids=WRITTEN)
def test_the_text_is_the_same_wherever_the_bytes_are_cut(body: bytes) -> None:
    async def at_every_place() -> list[list[Event]]:
        return [await replayed([body[:place], body[place:]]) for place in range(len(body))]

    every = asyncio.run(at_every_place())

    assert {text(events) for events in every} == {SAID}
    assert {ended(events) for events in every} == {Ended("stop", "scripted-1", 7, len(PIECES))}


@given(st.sampled_from(sorted(WRITTEN)), st.lists(st.integers(0, 2500), max_size=12))
def test_the_text_is_the_same_in_any_number_of_pieces(written: str, places: list[int]) -> None:
    body, cuts = WRITTEN[written], [0, *sorted(places)]

    events = read(*(body[start:end] for start, end in zip(cuts, [*cuts[1:], None], strict=True)))

    assert text(events) == SAID


def test_a_compressed_stream_is_read_as_it_comes() -> None:
    body = gzip.compress(WRITTEN["lf"])

    events = read(*(body[place : place + 7] for place in range(0, len(body), 7)), **{"content-encoding": "gzip"})

    assert text(events) == SAID


@given(st.text(st.characters(codec="utf-8"), min_size=1), st.data())
def test_any_text_comes_through_as_it_was_said(said: str, data: st.DataObject) -> None:
    plain = said.replace("<", "").replace("[", "").replace("◁", "")
    place = data.draw(st.integers(0, len(plain)))

    assert text(read(*stream([plain[:place], plain[place:]]))) == plain


def test_a_mark_at_the_start_hides_no_word() -> None:
    assert text(read(b"\xef\xbb\xbf" + chunk({"content": "Oui"}))) == "Oui"


def test_a_character_that_the_server_cut_in_two_is_whole_again() -> None:
    halves = [b'data: {"choices": [{"delta": {"content": "\\ud83c"}}]}\n\n']
    halves += [b'data: {"choices": [{"delta": {"content": "\\udf89"}}]}\n\n']

    assert text(read(*halves)) == "🎉"


def test_chunks_without_text_say_nothing() -> None:
    empty = [chunk({"role": "assistant"}), chunk({"content": None}), chunk({"content": ""}), chunk(None)]
    bare = b'data: {"choices": [{"index": 0, "finish_reason": null}]}\n\n'

    assert read(*empty, bare, chunk({"content": "Oui"}), *empty)[:-1] == [Text("Oui")]


def test_token_counts_may_come_with_the_last_words() -> None:
    events = read(chunk({"content": "Oui"}, finish="stop", usage=usage(41, 1)))

    assert ended(events) == Ended("stop", "scripted-1", 41, 1)


def test_counts_that_are_none_are_none() -> None:
    assert ended(read(chunk({"content": "Oui"}, usage=None), b"data: [DONE]\n\n")).prompt_tokens is None


def test_a_stream_that_ends_without_a_word_of_why_is_lost() -> None:
    assert ended(read(chunk({"content": "Il faut d’abord"}))).finish == "lost"
    assert ended(read(chunk({"content": "Il faut d’abord"}), b"data: [DONE]\n\n")).finish == "stop"
    assert ended(read(chunk({"content": "Il faut d’abord"}, finish="stop"))).finish == "stop"


@pytest.mark.parametrize("word", ["length", "MAX_TOKENS", "model_length"])
def test_an_answer_cut_at_the_limit_says_so(word: str) -> None:
    assert ended(read(chunk({"content": "Il faut"}, finish=word))).finish == "length"


def test_an_answer_cut_by_a_filter_is_a_refusal() -> None:
    with pytest.raises(RefusedWithinError):
        read(chunk({"content": "Il faut"}, finish="content_filter"))


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        ({"message": "the slot crashed"}, "server_error"),
        ("out of memory", "server_error"),
        ({"message": "no", "code": 429}, "rate_limited"),
        ({"message": "no", "code": "429", "status": "RESOURCE_EXHAUSTED"}, "rate_limited"),
        ({"message": "maximum context length is 4096 tokens", "code": "context_length_exceeded"}, "too_long"),
        ({"message": "model 'x' not found", "code": None}, "unknown_model"),
        ({"message": "Invalid API key"}, "denied"),
    ],
)
def test_an_error_inside_a_stream_is_one(error: object, failure: str) -> None:
    with pytest.raises(RefusedWithinError) as raised:
        read(chunk({"content": "Il"}), b"data: " + json.dumps({"error": error}).encode() + b"\n\n")

    assert raised.value.refusal.failure == failure


@pytest.mark.parametrize("data", ["hello", "[1]", '"x"', "12", '{"choices": 3}', '{"choices": ["x"]}', "{"])
def test_what_is_no_chunk_is_named(data: str) -> None:
    with pytest.raises(GarbledError):
        read(f"data: {data}\n\n".encode())


def test_fields_of_thinking_are_thinking() -> None:
    for field in ("reasoning_content", "reasoning"):
        events = read(chunk({field: "Hmm."}), chunk({"content": "Oui", field: None}), chunk({}, finish="stop"))
        assert events[:2] == [Thinking("Hmm."), Text("Oui")]
        assert not ended(events).in_thought


def test_thinking_in_a_field_that_no_answer_follows_is_unclosed() -> None:
    assert ended(read(chunk({"reasoning_content": "Hmm."}), chunk({}, finish="length"))).in_thought


def test_a_tag_that_is_never_closed_is_said_at_the_end() -> None:
    events = read(chunk({"content": "<think>Hmm"}), chunk({}, finish="stop"))

    assert events == [Thinking("Hmm"), Ended("stop", "scripted-1", in_thought=True)]


def test_parts_of_a_list_are_told_apart() -> None:
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "Hmm."}]}

    assert read(chunk({"content": [thought, {"type": "text", "text": "Oui"}]}))[:2] == [Thinking("Hmm."), Text("Oui")]


def test_a_whole_answer_is_read_like_a_stream() -> None:
    chunks = Chunks()
    message = {"role": "assistant", "content": "<think>Hmm.</think>Oui", "reasoning_content": None}

    said = chunks.whole({"model": "/m/q.gguf", "choices": [{"message": message}], "usage": usage(9, 4)})

    assert [*said, *chunks.end()] == [Thinking("Hmm."), Text("Oui"), Ended("stop", "q", 9, 4)]
