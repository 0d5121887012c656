"""News from whichever process, for the pages that are open in this one.

One look a second at the end of one table, by one task a process and only while a page is open: .2 ms each. What a page
missed heals with the next news, as it reads its thread again.
"""

from __future__ import annotations

import asyncio
import json
import logging

from django.db import DatabaseError

from chat import notices
from chat.domain.frames import Changed
from chat.models import Notice
from chat.talk import Listener
from chat.threads import short

log = logging.getLogger(__name__)
EVERY = 1.0


class News:
    """`every`: seconds between two looks."""

    def __init__(self, *, every: float = EVERY) -> None:
        self.every = every
        self._pages: dict[Listener, int] = {}
        self._looking: asyncio.Task[None] | None = None

    def come(self, owner: int, listener: Listener) -> None:
        """A page of this account is open: it hears what is told from now on."""
        self._pages[listener] = owner
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())

    def go(self, listener: Listener) -> None:
        """It closed. After the last one nobody looks any more."""
        self._pages.pop(listener, None)
        if not self._pages and self._looking:
            self._looking.cancel()
            self._looking = None

    async def _look(self) -> None:
        last: int | None = None
        while True:
            try:
                last = await self._passed_on(last)
            except DatabaseError as error:
                log.warning("news not read, and looked for again: %s", error)
            await asyncio.sleep(self.every)

    async def _passed_on(self, last: int | None) -> int:
        """The id of the newest. At the first look it is only noted: a page that opens has read what there is."""
        if last is None:
            return await short(notices.newest)
        for notice in await short(notices.after, last):
            self._tell(notice)
            last = notice.pk
        return last

    def _tell(self, notice: Notice) -> None:
        frame = json.dumps(Changed(notice.what, notice.conversation, notice.detail).wire(), ensure_ascii=False)
        for listener, owner in list(self._pages.items()):
            if owner == notice.owner_id:
                listener(frame)


news = News()
