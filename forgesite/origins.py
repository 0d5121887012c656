"""Which addresses Forge answers under: one rule for hosts, CSRF and the socket, fed by the setting `PUBLIC_URL`."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from django.conf import settings

DEFAULT_PORTS = {"http": ":80", "ws": ":80", "https": ":443", "wss": ":443"}


def host_allowed(host: str) -> bool:
    """Whether a `Host` header may be answered: this machine's names, PUBLIC_URL's, and any literal IP address.

    A foreign page reaches this machine under a name of its own (DNS rebinding), never under an address, so an address
    is as safe as a listed name: a phone on the same network needs no setting.
    """
    name = hostname_of(host)
    return bool(name) and (_is_address(name) or name in _names())


def hostname_of(host: str) -> str:
    """`Forge.Example.org:8000` → `forge.example.org`; empty for what is no host at all."""
    try:
        split = urlsplit(f"//{host}")
        return (split.hostname or "") if split.netloc == host and split.port != 0 and "@" not in host else ""
    except ValueError:
        return ""


def same_site(origin: str, host: str) -> bool:
    """Whether a page of `origin` is one of ours: PUBLIC_URL's, or of the very host it asks. `null` never is."""
    if "://" not in origin:
        return False
    scheme, _, place = origin.lower().partition("://")
    if origin.lower() == settings.FORGE.PUBLIC_URL.lower():
        return True
    port = DEFAULT_PORTS.get(scheme)
    return port is not None and host_allowed(host) and place.removesuffix(port) == host.lower().removesuffix(port)


def _names() -> set[str]:
    return {name.lower() for name in settings.ALLOWED_HOSTS if name != "*"}


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
