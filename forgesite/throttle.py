"""How many counted requests a token or a session may make: a sliding window, kept in Django's cache.

The default cache lives in this process, and there is one web process. ninja's own throttles keep the state of a request
on an object that all requests share, so two at once could count for each other; here nothing is kept between calls.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import wraps
from math import ceil

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from ninja.throttling import BaseThrottle

from forgesite.errors import ForgeError
from forgesite.models import digest_of

_lock = threading.Lock()
View = Callable[..., HttpResponseBase]


class TooManyError(ForgeError):
    """`detail` holds `retry_after`, in seconds."""

    code, status = "too_many", 429


def too_many(seconds: float) -> TooManyError:
    wait = ceil(seconds)
    message = _("Too many requests. Try again in %(seconds)d s.") % {"seconds": wait}
    return TooManyError(message, detail={"retry_after": wait})


def seconds_to_wait(key: str) -> float:
    """Counts one request of `key`: 0 lets it in, more says when the next one may come. A refused one is not counted."""
    allowed, window = settings.FORGE.RATE_LIMIT_REQUESTS, settings.FORGE.RATE_LIMIT_WINDOW_SECONDS
    if not allowed:
        return 0
    now, name = time.time(), f"requests:{digest_of(key)}"
    with _lock:
        recent: list[float] = [at for at in cache.get(name, ()) if at > now - window]
        if len(recent) >= allowed:
            return recent[0] + window - now
        cache.set(name, [*recent, now], window)
    return 0


class PerCaller(BaseThrottle):
    """What `/chat`, `/remember` and `/search` pass, each token and each session on its own."""

    def __init__(self) -> None:
        # ninja asks `allow_request` and then, in the same thread and with nothing between, `wait`.
        self._waiting = threading.local()

    def allow_request(self, request: HttpRequest) -> bool:
        self._waiting.seconds = seconds = seconds_to_wait(caller(request))
        return seconds == 0

    def wait(self) -> float:
        return float(self._waiting.seconds)


def caller(request: HttpRequest) -> str:
    token = request.headers.get("Authorization", "")
    return f"token {token}" if token else f"session {request.session.session_key}"


def client_address(request: HttpRequest) -> str:
    """Who connected; with TRUST_PROXY, whom the proxy nearest to us names."""
    forwarded = request.headers.get("X-Forwarded-For", "") if settings.FORGE.TRUST_PROXY else ""
    return forwarded.rpartition(",")[2].strip() or request.META.get("REMOTE_ADDR", "")


def per_address(view: View) -> View:
    """A page's view, of which the POSTs are counted by the client's address: signing in."""

    @wraps(view)
    def counting(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        seconds = seconds_to_wait(f"signin:{client_address(request)}") if request.method == "POST" else 0
        if seconds:
            raise too_many(seconds)
        return view(request, *args, **kwargs)

    return counting


counted = PerCaller()
