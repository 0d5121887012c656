"""Where people open Forge, as a URL."""

from __future__ import annotations

from django.conf import settings

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8000
EVERYWHERE = {"0.0.0.0": DEFAULT_HOST, "::": "[::1]"}  # noqa: S104  listening on all: a browser needs one


def local_url(host: str = DEFAULT_HOST, port: int = DEFAULT_PORT) -> str:
    shown = EVERYWHERE.get(host) or (f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}"


def site_url(host: str = DEFAULT_HOST, port: int = DEFAULT_PORT) -> str:
    """`PUBLIC_URL` where it is set, or the local address."""
    return settings.FORGE.PUBLIC_URL or local_url(host, port)


def sign_in_url(secret: str, host: str = DEFAULT_HOST, port: int = DEFAULT_PORT) -> str:
    return f"{site_url(host, port)}/signin/{secret}/"
