"""A proxy that ends TLS, as nginx or Caddy would stand before Forge, without the TLS."""

from __future__ import annotations

import socket
from contextlib import suppress
from threading import Thread
from types import TracebackType
from typing import Self


class Proxy:
    """Passes each connection on, with `X-Forwarded-Proto: https` in its first request. The Host stays as it came."""

    def __init__(self, port: int) -> None:
        self.upstream = ("127.0.0.1", port)
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.listening.getsockname()[1])

    def __enter__(self) -> Self:
        Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.listening.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _address = self.listening.accept()
                Thread(target=self._pass_on, args=[client], daemon=True).start()

    def _pass_on(self, client: socket.socket) -> None:
        with client, socket.create_connection(self.upstream) as server:
            head = b""
            while b"\r\n" not in head:
                head += client.recv(65536)
            line, rest = head.split(b"\r\n", 1)
            server.sendall(line + b"\r\nX-Forwarded-Proto: https\r\n" + rest)
            back = Thread(target=_pump, args=[server, client], daemon=True)
            back.start()
            _pump(client, server)
            back.join(10)


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
