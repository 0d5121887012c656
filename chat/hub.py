"""Who runs which turn, and who follows it.

A run belongs to its conversation and not to the socket that began it, so that a reload or a second tab misses nothing
and sees nothing twice. One process has one hub, and all of it runs on one event loop.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from django.utils.translation import gettext as _

from chat.domain.frames import Accepted, Failed, Frame
from chat.errors import BusyError
from chat.talk import Kept, Listener, Talk
from chat.turn import turn
from chat.turn_request import TurnRequest

log = logging.getLogger(__name__)
#: Seconds that a run goes on with nobody listening after the connection was lost: it comes back within them.
GRACE = 10.0
#: The same after a page went away: a reload, or another page of ours, is back by then; a closed page's work ends within
#: a second.
LEAVING = 0.9
#: Seconds that the frames of a finished run are kept for whoever lost the connection before its end.
KEPT = 60.0


@dataclass(frozen=True)
class Opened:
    """A run that was begun, with the frames of it; `repeated`: one that was over before this process knew of it."""

    talk: Talk
    accepted: Accepted
    frames: list[Kept]
    repeated: bool = False

    @property
    def at_hand(self) -> bool:
        return self.frames is self.talk.kept and bool(self.frames)


class Hub:
    """`grace`, `leaving` and `kept` in seconds."""

    def __init__(self, *, grace: float = GRACE, leaving: float = LEAVING, kept: float = KEPT) -> None:
        self.grace, self.leaving, self._kept = grace, leaving, kept
        self._talks: dict[str, Talk] = {}
        self._opening: set[str] = set()
        self._sent: dict[tuple[int, str], asyncio.Task[Opened]] = {}
        self._present: Counter[int] = Counter()

    def come(self, owner: int) -> None:
        """A page of this account is open, whatever it shows: what it asked for elsewhere goes on."""
        self._present[owner] += 1

    def go(self, owner: int, *, within: float | None = None) -> None:
        """It closed. After an account's last page, its runs that nobody hears are stopped `within` so many seconds."""
        self._present[owner] -= 1
        for talk in self._talks.values():
            if talk.owner == owner and talk.running and not talk.listeners:
                self._end_later(talk, within)

    async def start(self, request: TurnRequest, listener: Listener) -> Opened:
        """Begin the run, or join the one that the same `client_id` began, and hear it from its first frame.

        Raises ForgeError where none begins: blank, too large, unknown, busy.
        """
        key = (request.owner.pk, request.client_id)
        opening = self._sent.get(key)
        begins = opening is None or (opening.done() and bool(opening.exception() or not opening.result().at_hand))
        if opening is None or begins:
            opening = asyncio.create_task(self._open(request))
            if request.client_id:
                self._sent[key] = opening
                opening.add_done_callback(lambda task: self._forget_failed(key, task))
        # A socket that closes meanwhile takes nothing with it: the message is stored, and its run goes on.
        opened = await asyncio.shield(opening)
        if begins and not opened.repeated and listener in opened.talk.listeners:
            return opened  # it follows this conversation, and heard the run from its first frame
        if not opened.repeated:
            self._join(opened.talk, listener)
        for _seq, _frame, text in opened.frames:
            listener(text)
        return opened

    async def drain(self, request: TurnRequest) -> list[Frame]:
        """The frames of the whole run. Left before its end, the run has its grace."""

        def nothing(_text: str) -> None:
            return None

        opened = await self.start(request, nothing)
        try:
            if not opened.repeated and opened.talk.task:
                await asyncio.wait({opened.talk.task})
        finally:
            self.leave(opened.talk, nothing)
        return [frame for _seq, frame, _text in opened.frames]

    def follow(self, conversation: str, listener: Listener, *, after: int) -> Talk:
        """Hear a conversation from now on, and first what was missed. The caller has seen whose it is."""
        talk = self._talk(conversation)
        self._join(talk, listener)
        talk.replay(after, listener)
        return talk

    def leave(self, talk: Talk, listener: Listener, *, within: float | None = None) -> None:
        """Hear no more. A run that nobody hears is stopped `within` so many seconds, or when its grace is over."""
        talk.listeners.pop(listener, None)
        if talk.listeners:
            return
        if talk.running:
            self._end_later(talk, within)
        elif not talk.kept:
            self._talks.pop(talk.conversation, None)

    def _end_later(self, talk: Talk, within: float | None) -> None:
        talk.later(self.grace if within is None else within, talk.stop if within == 0 else lambda: self._end(talk))

    def _end(self, talk: Talk) -> None:
        if not self._present[talk.owner]:
            talk.stop()

    async def _open(self, request: TurnRequest) -> Opened:
        self._claim(request.conversation)
        try:
            frames = turn(request)
            accepted = await anext(frames)
        finally:
            self._opening.discard(request.conversation)
        if not isinstance(accepted, Accepted):
            raise TypeError(f"A turn begins with `accepted`, not with {accepted!r}.")
        talk = self._talk(accepted.conversation)
        if accepted.repeated:
            run = [accepted, *[frame async for frame in frames]]
            return Opened(talk, accepted, [talk.stamped(frame, accepted.run) for frame in run], repeated=True)
        talk.begin(accepted, request.owner.pk)
        talk.task = asyncio.create_task(_pump(talk, frames))
        talk.task.add_done_callback(lambda task: self._over(talk, task))
        return Opened(talk, accepted, talk.kept)

    def _claim(self, conversation: str) -> None:
        talk = self._talks.get(conversation)
        if conversation and (conversation in self._opening or (talk and talk.running)):
            raise BusyError(_("This conversation is still answering. Wait for its end, or stop it."))
        self._opening.add(conversation)

    def _talk(self, conversation: str) -> Talk:
        return self._talks.setdefault(conversation, Talk(conversation))

    def _join(self, talk: Talk, listener: Listener) -> None:
        talk.listeners[listener] = None
        if talk.running:
            talk.never_mind()

    def _over(self, talk: Talk, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.error("turn's exit failed conversation=%s", talk.conversation, exc_info=error)
            talk.publish(Failed("internal", _("The answer could not be stored; the server's log says why.")))
        talk.later(self._kept, lambda: self._expire(talk))

    def _expire(self, talk: Talk) -> None:
        talk.release()
        if not talk.listeners:
            self._talks.pop(talk.conversation, None)
        self._sent = {key: task for key, task in self._sent.items() if not task.done() or task.result().at_hand}

    def _forget_failed(self, key: tuple[int, str], task: asyncio.Task[Opened]) -> None:
        if task.cancelled() or task.exception() is not None:
            self._sent.pop(key, None)


async def _pump(talk: Talk, frames: AsyncGenerator[Frame, None]) -> None:
    async with aclosing(frames):
        async for frame in frames:
            talk.publish(frame)


hub = Hub()
