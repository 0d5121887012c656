"""The socket of the chat page: parses a frame, calls the hub, passes on what it hears."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer
from django.utils import translation

from chat import history
from chat.domain import wire
from chat.domain.frames import Failed, Frame, Pong, Ready
from chat.hub import Hub, hub
from chat.news import News, news
from chat.talk import Talk
from chat.threads import short
from chat.turn_request import TurnRequest
from forgesite.errors import ForgeError, TooLargeError
from forgesite.models import Account

NOT_SIGNED_IN = 4401
#: A program's own goodbye; a page that closes or reloads. A lost connection says neither.
GOODBYE, GOING_AWAY = 1000, 1001


class ChatConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    def __init__(self, *, hub: Hub = hub, news: News = news) -> None:
        super().__init__()
        self.hub, self.news = hub, news

    async def connect(self) -> None:
        self.talks: dict[str, Talk] = {}
        self.at = ""
        self.outbox: asyncio.Queue[str] = asyncio.Queue()
        self.sender: asyncio.Task[None] | None = None
        self.account: Account = self.scope.get("user")
        if isinstance(self.account, Account) and self.account.is_active:
            await self._open()
        else:
            await self.close(NOT_SIGNED_IN)

    async def _open(self) -> None:
        await self.accept()
        self.hub.come(self.account.pk)
        self.news.come(self.account.pk, self.hear)
        self.sender = asyncio.create_task(self._send())
        latest = await short(history.latest, self.account)
        self.say(Ready(self.account.get_username(), latest.id if latest else None))

    async def disconnect(self, code: int) -> None:
        within = {GOODBYE: 0.0, GOING_AWAY: self.hub.leaving}.get(code)
        for talk in self.talks.values():
            self.hub.leave(talk, self.hear, within=within)
        if self.sender:
            self.hub.go(self.account.pk, within=within)
            self.news.go(self.hear)
            self.sender.cancel()
            await asyncio.wait({self.sender})

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Never waits for an answer: a stop must be read while one streams."""
        with translation.override(self.account.language):
            try:
                request = wire.parse(text_data)
            except ValueError as error:
                return self.say(Failed("bad_frame", str(error)))
            client_id = request.client_id if isinstance(request, wire.Send) else ""
            try:
                await DOES[type(request)](self, request)
            except ForgeError as error:
                limit = error.detail["limit"] if isinstance(error, TooLargeError) else None
                self.say(Failed(error.code, error.message, client_id=client_id, limit=limit))

    async def send_turn(self, sent: wire.Send) -> None:
        opened = await self.hub.start(TurnRequest(self.account, **asdict(sent)), self.hear)
        self._follow(opened.talk)

    async def stop(self, stop: wire.Stop) -> None:
        talk = self.talks.get(stop.conversation or self.at)
        if talk:
            talk.stop()

    async def resume(self, resume: wire.Resume) -> None:
        talk = await short(history.conversation_of, self.account, resume.conversation)
        self._follow(self.hub.follow(talk.id, self.hear, after=resume.after))

    async def ping(self, _ping: wire.Ping) -> None:
        self.say(Pong())

    def _follow(self, talk: Talk) -> None:
        self.at = talk.conversation
        self.talks[talk.conversation] = talk

    def say(self, frame: Frame) -> None:
        self.hear(json.dumps(frame.wire(), ensure_ascii=False))

    def hear(self, text: str) -> None:
        self.outbox.put_nowait(text)

    async def _send(self) -> None:
        while True:
            await self.send(text_data=await self.outbox.get())


DOES: dict[type, Any] = {
    wire.Send: ChatConsumer.send_turn,
    wire.Stop: ChatConsumer.stop,
    wire.Resume: ChatConsumer.resume,
    wire.Ping: ChatConsumer.ping,
}
