import asyncio
from collections.abc import AsyncGenerator

import pytest

from chat.coalesce import coalesced, merged
from chat.domain.frames import Delta, Frame, Step


async def source(*frames: Frame, then: BaseException | None = None) -> AsyncGenerator[Frame, None]:
    for frame in frames:
        yield frame
    if then:
        raise then


def test_neighbouring_deltas_become_one() -> None:
    step = Step("recall", "done")
    assert merged([Delta("a"), Delta("b"), step, Delta("c")]) == [Delta("ab"), step, Delta("c")]


async def test_what_came_at_once_goes_out_at_once() -> None:
    batches = [batch async for batch in coalesced(source(Delta("port "), Delta("8080")))]
    assert batches == [[Delta("port 8080")]]


async def test_a_slow_stream_is_not_held_until_its_end() -> None:
    more = asyncio.Event()

    async def slow() -> AsyncGenerator[Frame, None]:
        yield Delta("first")
        await more.wait()
        yield Delta("second")

    batches = coalesced(slow(), every=0.01)
    assert await anext(batches) == [Delta("first")]
    more.set()
    assert [batch async for batch in batches] == [[Delta("second")]]


async def test_an_error_comes_after_what_was_said_before_it() -> None:
    batches = coalesced(source(Delta("partial"), then=ValueError("cut")))
    assert await anext(batches) == [Delta("partial")]
    with pytest.raises(ValueError, match="cut"):
        await anext(batches)


async def test_closing_it_closes_the_source() -> None:
    closed = asyncio.Event()

    async def endless() -> AsyncGenerator[Frame, None]:
        try:
            yield Delta("first")
            await asyncio.Event().wait()
        finally:
            closed.set()

    batches = coalesced(endless())
    await anext(batches)
    await batches.aclose()
    assert closed.is_set()
