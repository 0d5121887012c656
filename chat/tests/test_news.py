"""News that another process wrote reach the open pages of their owner, and nobody else's."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from channels.testing import WebsocketCommunicator
from django.utils import timezone

from chat.consumers import ChatConsumer
from chat.models import Notice
from chat.news import News
from chat.notices import tell
from chat.tests.sockets import Page
from forgesite.models import Account

pytestmark = pytest.mark.django_db(transaction=True)


async def opened(account: Account, news: News) -> Page:
    page = Page(account)
    page.socket = WebsocketCommunicator(ChatConsumer.as_asgi(news=news), "/ws/chat/")
    page.socket.scope["user"] = account
    return await page.open()


async def looked(news: News) -> None:
    """Until the poller has seen where the table ends."""
    await asyncio.sleep(news.every * 5)


async def test_what_is_told_reaches_the_owners_pages_alone(ana: Account, ben: Account) -> None:
    news = News(every=0.02)
    await asyncio.to_thread(tell, ana, "thread", conversation="old")
    pages = [await opened(ana, news), await opened(ana, news)]
    other = await opened(ben, news)
    await looked(news)

    await asyncio.to_thread(tell, ana, "thread", conversation="abc", removed=6)

    said = {"type": "changed", "what": "thread", "conversation": "abc", "detail": {"removed": 6}}
    assert [await page.hear() for page in pages] == [said, said]
    assert await other.socket.receive_nothing(timeout=0.1)
    for page in [*pages, other]:
        await page.close()


async def test_nobody_looks_while_no_page_is_open(ana: Account) -> None:
    news = News(every=0.02)
    page = await opened(ana, news)
    looking = news._looking
    await page.close()

    assert looking is not None
    await asyncio.wait({looking}, timeout=1)
    assert looking.cancelled()
    again = await opened(ana, news)
    await looked(news)
    await asyncio.to_thread(tell, ana, "thread")
    assert (await again.hear())["what"] == "thread"
    await again.close()


def test_news_of_an_hour_ago_are_deleted_with_the_next(ana: Account) -> None:
    tell(ana, "thread")
    Notice.objects.update(at=timezone.now() - timedelta(minutes=61))
    tell(ana, "compacting")

    assert [notice.what for notice in Notice.objects.all()] == ["compacting"]
