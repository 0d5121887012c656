"""The ASGI application: static files, Django over HTTP, consumers over sockets."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "forgesite.settings")
pages = get_asgi_application()

# Only after Django is set up may models be imported.
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import WebsocketDenier  # noqa: E402
from django.urls import re_path  # noqa: E402

from chat.routing import websocket_urlpatterns  # noqa: E402
from forgesite.socket_door import SocketDoor  # noqa: E402
from forgesite.static_files import Receive, Scope, Send, StaticFiles  # noqa: E402

static = StaticFiles()


async def http(scope: Scope, receive: Receive, send: Send) -> None:
    await (static if static.holds(scope) else pages)(scope, receive, send)


# An address that no consumer has is refused like a foreign one, without a traceback in the log.
sockets = URLRouter([*websocket_urlpatterns, re_path(r"", WebsocketDenier.as_asgi())])
application = ProtocolTypeRouter({"http": http, "websocket": SocketDoor(sockets)})
