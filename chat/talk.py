"""One conversation while somebody runs or follows it: its frames in order, each with the next `seq`."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from chat.domain.frames import Accepted, Changed, Frame, Html

Listener = Callable[[str], None]
Kept = tuple[int, Frame, str]


def _clock() -> int:
    return int(time.time() * 1000)


@dataclass
class Talk:
    """`kept`: the frames of the last run, `owner`: whose it is. `floor`: the last `seq` before them.

    `seq` counts on from the clock in milliseconds, so that it grows over a restart of the server too.
    """

    conversation: str
    seq: int = field(default_factory=_clock)
    floor: int = field(default_factory=_clock)
    kept: list[Kept] = field(default_factory=list)
    listeners: dict[Listener, None] = field(default_factory=dict)
    run: str = ""
    owner: int = 0
    task: asyncio.Task[None] | None = None
    _stopping: bool = False
    _timer: asyncio.TimerHandle | None = None

    @property
    def running(self) -> bool:
        return self.task is not None and not self.task.done()

    def begin(self, accepted: Accepted, owner: int) -> None:
        self.never_mind()
        self.run, self.owner, self.floor, self.kept, self._stopping = accepted.run, owner, self.seq, [], False
        self.publish(accepted)

    def stamped(self, frame: Frame, run: str) -> Kept:
        self.seq += 1
        stamp = {"run": run, "conversation": self.conversation, "seq": self.seq}
        return self.seq, frame, json.dumps(frame.wire() | stamp, ensure_ascii=False)

    def publish(self, frame: Frame) -> None:
        """Keep a frame and let everyone hear it. A block of HTML takes the place of its former form."""
        kept = self.stamped(frame, self.run)
        if isinstance(frame, Html):
            self.kept[:] = [old for old in self.kept if not _same_block(old[1], frame)]
        self.kept.append(kept)
        for listener in list(self.listeners):
            listener(kept[2])

    def replay(self, after: int, listener: Listener) -> None:
        """The frames after `after`. Where some before them are gone, `changed` says to read the thread again.

        0 is who has just read it, and is not told to: it would read it for ever.
        """
        if 0 < after < self.floor:
            listener(json.dumps(Changed("thread", self.conversation).wire()))
        for seq, frame, text in self.kept:
            if seq > after and (after or not isinstance(frame, Changed)):
                listener(text)

    def stop(self) -> None:
        """End the run. Again, or with none running, it does nothing."""
        if self.running and self.task and not self._stopping:
            self._stopping = True
            # Not this moment: a task cancelled before its first step never runs, and its rows would stay unfinished.
            asyncio.get_running_loop().call_soon(self.task.cancel)

    def release(self) -> None:
        self.kept, self.floor = [], self.seq

    def later(self, seconds: float, do: Callable[[], None]) -> None:
        """Do that in so many seconds, and nothing that was planned before."""
        self.never_mind()
        self._timer = asyncio.get_running_loop().call_later(seconds, do)

    def never_mind(self) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = None


def _same_block(old: Frame, new: Html) -> bool:
    return isinstance(old, Html) and old.block == new.block
