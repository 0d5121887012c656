"""The web server that `up` starts. Its process prepares the data folder first: Django is loaded once for both."""

from __future__ import annotations

import gc
import os
import sys
from argparse import SUPPRESS, ArgumentParser
from typing import Any

from django.conf import settings
from django.db import connections
from django.utils.translation import gettext

from chat.history import interrupt_orphans
from chat.start_line import looking, start_line
from forgesite.address import DEFAULT_HOST, DEFAULT_PORT, local_url, sign_in_url
from forgesite.child import end_with_parent
from forgesite.command import ForgeCommand
from forgesite.loop_watch import watch
from forgesite.prepare import prepare

#: A message of 1 MiB can be four times as long in JSON; the consumer says what is too large, in words.
SOCKET_MESSAGE = 4 * 1024 * 1024
#: A query may hold 256 KiB, and each of its bytes takes three in an address.
ADDRESS_LINE = 1024 * 1024
#: An upload is read in pieces of this size. The server's own 8 KiB makes an export of 100 MB 12,000 queue items.
BODY_PIECE = 256 * 1024


class Command(ForgeCommand):
    help = SUPPRESS
    requires_system_checks = "__all__"
    needs_store = False  # made below, with a word about it

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=DEFAULT_HOST)
        parser.add_argument("--port", type=int, default=DEFAULT_PORT)
        parser.add_argument("--supervised", action="store_true", help="end when standard input closes")
        parser.add_argument("--greeting", type=int, help="file descriptor that takes the lines for the person")

    def handle(self, *, host: str, port: int, supervised: bool, greeting: int | None, **_: Any) -> None:
        # The server first: it installs its event loop, which whatever imports Twisted would otherwise choose.
        from daphne.endpoints import build_endpoint_description_strings
        from daphne.server import Server
        from twisted.internet import reactor
        from twisted.web.http import HTTPChannel

        from forgesite.asgi import application

        HTTPChannel.totalHeadersSize = ADDRESS_LINE
        HTTPChannel.MAX_LENGTH = ADDRESS_LINE + 1024  # so that the longer line is answered and not cut off
        proxied = settings.FORGE.TRUST_PROXY
        server = Server(
            application,
            endpoints=build_endpoint_description_strings(host=host, port=port),
            # No access log: an address may hold a token.
            action_logger=None,
            request_buffer_size=BODY_PIECE,
            websocket_max_message_size=SOCKET_MESSAGE,
            websocket_max_frame_size=SOCKET_MESSAGE,
            proxy_forwarded_address_header="X-Forwarded-For" if proxied else None,
            proxy_forwarded_proto_header="X-Forwarded-Proto" if proxied else None,
            server_name="",
        )
        if supervised:
            end_with_parent()
        self.prepare(host, port, greeting)
        # A full collection reads every object there is, 120 to 170 ms, and the loop stands still meanwhile: what is
        # loaded by now stays, and need not be looked at again.
        gc.freeze()
        watch(reactor)
        server.run()
        if not server.listening_addresses:
            sys.exit(1)

    def prepare(self, host: str, port: int, greeting: int | None) -> None:
        looked = looking()
        prepared = prepare()
        interrupt_orphans()
        looked()
        connections.close_all()
        for note in prepared.notes:
            self.stderr.write(note)
        lines = "\n".join(_greeting(prepared.secret, host, port))
        if greeting is None:
            self.stdout.write(lines)
        else:
            with os.fdopen(greeting, "w") as supervisor:
                supervisor.write(lines)


def _greeting(secret: str, host: str, port: int) -> list[str]:
    lines = [gettext("Forge is at %(url)s") % {"url": local_url(host, port)}]
    if settings.FORGE.PUBLIC_URL:
        lines.append(gettext("People open it at %(url)s") % {"url": settings.FORGE.PUBLIC_URL})
    lines.append(start_line())
    if secret:
        lines.append(f"Sign in: {sign_in_url(secret, host, port)}")
    return lines
