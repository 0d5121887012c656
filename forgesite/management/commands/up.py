"""`up`: everything that runs, by one command."""

from __future__ import annotations

import socket
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from forgesite import supervisor
from forgesite.address import DEFAULT_HOST, DEFAULT_PORT, local_url, sign_in_url
from forgesite.command import ForgeCommand
from forgesite.errors import ConflictError
from forgesite.prepare import prepare


class Command(ForgeCommand):
    help = "Prepare the data folder, then run the web server and the worker until Ctrl-C."
    requires_system_checks = "__all__"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=DEFAULT_HOST, help="address to listen on (default: %(default)s)")
        parser.add_argument("--port", type=int, default=DEFAULT_PORT, help="port to listen on (default: %(default)s)")
        parser.add_argument("--no-worker", action="store_true", help="run the web server only")

    def handle(self, *, host: str, port: int, no_worker: bool, **_options: Any) -> None:
        refuse_busy(host, port)
        prepared = prepare()
        for note in prepared.notes:
            self.stderr.write(note)
        greeting = [_("Forge is at %(url)s") % {"url": local_url(host, port)}]
        if settings.FORGE.PUBLIC_URL:
            greeting.append(_("People open it at %(url)s") % {"url": settings.FORGE.PUBLIC_URL})
        if prepared.secret:
            greeting.append(f"Sign in: {sign_in_url(prepared.secret, host, port)}")
        manage = str(settings.BASE_DIR / "manage.py")
        supervisor.become(supervisor.Plan(manage, host, port, not no_worker, tuple(greeting)))


def refuse_busy(host: str, port: int) -> None:
    """Raises ConflictError where nobody can listen: before anything is made or started."""
    try:
        family, _kind, _protocol, _name, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except (OSError, OverflowError) as error:
        raise ConflictError(
            _("Forge cannot listen on port %(port)s of %(host)s: %(why)s. Name another with --port.")
            % {"port": port, "host": host, "why": getattr(error, "strerror", None) or error}
        ) from error
