"""The outermost middleware: is the host one of ours, and does an error have our shape?"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware
from django.utils.translation import gettext as _

from forgesite.error_shape import tell, tell_ours, tell_status, wants_json
from forgesite.errors import ForgeError
from forgesite.origins import host_allowed

log = logging.getLogger(__name__)


@sync_and_async_middleware
def one_shape(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """What Django or a library answered with an error is said again in our shape, to programs.

    A ForgeError out of a page's view becomes an error page with its words.
    """

    async def answering(request: HttpRequest) -> HttpResponseBase:
        return _reshaped(request, _foreign_host(request) or await get_response(request))

    def answering_in_line(request: HttpRequest) -> HttpResponseBase:
        return _reshaped(request, _foreign_host(request) or get_response(request))

    chosen: Any = answering if iscoroutinefunction(get_response) else answering_in_line
    chosen.process_exception = _raised
    return chosen  # type: ignore[no-any-return]


def _raised(request: HttpRequest, error: Exception) -> HttpResponse | None:
    return tell_ours(request, error) if isinstance(error, ForgeError) else None


def _reshaped(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    spoken = response.get("Content-Type", "").startswith("application/json")
    if response.status_code < 400 or spoken or not wants_json(request):
        return response
    shape = tell_status(request, response.status_code)
    for name in ("Allow", "Retry-After"):
        if name in response:
            shape[name] = response[name]
    return shape


def _foreign_host(request: HttpRequest) -> HttpResponse | None:
    host = request.META.get("HTTP_HOST") or request.META.get("SERVER_NAME", "")
    if host_allowed(host):
        return None
    shown = host[:200].encode("ascii", "replace").decode()
    log.warning("refused host=%s: set PUBLIC_URL to the address people open", shown)
    message = _("Forge is not known as %(host)s. If people open it there, set PUBLIC_URL to that address.")
    return tell(request, "unknown_host", message % {"host": shown}, 400)
