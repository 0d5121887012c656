"""The ASGI application: static files, Django over HTTP, consumers over sockets."""

import os

import django
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.db import connections

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "forgesite.settings")
django.setup(set_prefix=False)

# Only after Django is set up may models be imported.
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import WebsocketDenier  # noqa: E402
from django.urls import re_path  # noqa: E402

from chat.routing import websocket_urlpatterns  # noqa: E402
from forgesite.socket_door import SocketDoor  # noqa: E402
from forgesite.static_files import Receive, Scope, Send, StaticFiles  # noqa: E402


class Pages(ASGIHandler):
    """Django over HTTP. Each request has a thread of its own, and the connection opened there ends with it.

    Left to the garbage collector, with connections kept for good, they pile up: 25 files open in 800 requests.
    """

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().handle(scope, receive, send)
        finally:
            await sync_to_async(connections.close_all)()


static, pages = StaticFiles(), Pages()


async def http(scope: Scope, receive: Receive, send: Send) -> None:
    await (static if static.holds(scope) else pages)(scope, receive, send)


# An address that no consumer has is refused like a foreign one, without a traceback in the log.
sockets = URLRouter([*websocket_urlpatterns, re_path(r"", WebsocketDenier.as_asgi())])
application = ProtocolTypeRouter({"http": http, "websocket": SocketDoor(sockets)})
