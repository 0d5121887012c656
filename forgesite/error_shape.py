"""Every error in one shape, whoever raised it: `{"error": {"code", "message", "detail"}}`. The table error → status.

A browser that asked for a page gets the same words as a page.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, Throttled, ValidationError

from forgesite.errors import ForgeError, TooLargeError
from forgesite.throttle import too_many

log = logging.getLogger(__name__)
Handler = Callable[[HttpRequest, Any], HttpResponse]

#: Of errors that are not ours: the code and what is said, by status.
TABLE: dict[int, tuple[str, Any]] = {
    400: ("bad_request", gettext_lazy("This request cannot be understood.")),
    401: ("unauthorized", gettext_lazy("Sign in, or send a token: `Authorization: Bearer TOKEN`.")),
    403: ("forbidden", gettext_lazy("This is not allowed.")),
    404: ("unknown", gettext_lazy("There is nothing at this address.")),
    405: ("method_not_allowed", gettext_lazy("This address does not take that method.")),
    413: ("too_large", gettext_lazy("This is too large.")),
    422: ("invalid", gettext_lazy("The body is not JSON.")),
    500: ("internal", gettext_lazy("Something went wrong here; the server's log says what.")),
}


def tell(request: HttpRequest, code: str, message: object, status: int, detail: Any = None) -> HttpResponse:
    """The error as JSON to programs, as a page to browsers."""
    if wants_json(request):
        body = {"error": {"code": code, "message": str(message), "detail": detail}}
        response: HttpResponse = JsonResponse(body, status=status)
    else:
        response = HttpResponse(render_to_string("error.html", {"message": message, "status": status}), status=status)
    if status == 401:
        response["WWW-Authenticate"] = "Bearer"
    if status == 429:
        response["Retry-After"] = str(detail["retry_after"])
    return response


def wants_json(request: HttpRequest) -> bool:
    """Whether this is the API, or somebody who did not ask for HTML."""
    match = request.resolver_match
    return (match is not None and "api" in match.namespaces) or "text/html" not in request.headers.get("Accept", "")


def tell_ours(request: HttpRequest, error: ForgeError) -> HttpResponse:
    return tell(request, error.code, error.message, error.status, error.detail)


def tell_status(request: HttpRequest, status: int) -> HttpResponse:
    code, message = TABLE.get(status, TABLE[500 if status >= 500 else 400])
    return tell(request, code, message, status)


def install(api: NinjaAPI) -> None:
    """Tell the API what each exception becomes."""
    for kind, answer in ANSWERS.items():
        api.add_exception_handler(kind, answer)


def _not_valid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    problems = [{"loc": [str(part) for part in one["loc"]], "msg": one["msg"]} for one in error.errors]
    where = problems[0]["loc"][-1]
    return tell(request, "invalid", f"{where}: {problems[0]['msg']}"[:500], 422, problems[:50])


def _by_ninja(request: HttpRequest, error: HttpError) -> HttpResponse:
    # What ninja calls 400 is a body that is no JSON: a matter of shape, as an unknown field is.
    return tell_status(request, 422 if error.status_code == 400 else error.status_code)


def _throttled(request: HttpRequest, error: Throttled) -> HttpResponse:
    return tell_ours(request, too_many(error.wait or 1))


def _too_big(request: HttpRequest, error: Exception) -> HttpResponse:
    limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    size = int(request.headers.get("Content-Length") or limit + 1)
    message = _("The request is %(size)d bytes long; %(limit)d are allowed.") % {"size": size, "limit": limit}
    return tell_ours(request, TooLargeError(message, detail={"size": size, "limit": limit}))


def _unforeseen(request: HttpRequest, error: Exception) -> HttpResponse:
    log.error("request failed method=%s path=%s", request.method, request.path, exc_info=error)
    return tell_status(request, 500)


ANSWERS: dict[type[Exception], Handler] = {
    ForgeError: tell_ours,
    ValidationError: _not_valid,
    AuthenticationError: lambda request, error: tell_status(request, 401),
    Throttled: _throttled,
    HttpError: _by_ninja,
    RequestDataTooBig: _too_big,
    PermissionDenied: lambda request, error: tell_status(request, 403),
    Http404: lambda request, error: tell_status(request, 404),
    Exception: _unforeseen,
}


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return tell_status(request, 400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return tell_status(request, 403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return tell_status(request, 404)


def failed(request: HttpRequest) -> HttpResponse:
    return tell_status(request, 500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Mostly an address that Forge does not know: behind a proxy, PUBLIC_URL has to name it."""
    log.warning("refused a form origin=%s: %s", request.headers.get("Origin", "-")[:200], reason)
    message = _(
        "This form came from another page or is too old. Reload the page and send it again. "
        "If Forge is reached through another address, set PUBLIC_URL to it."
    )
    return tell(request, "forbidden", message, 403)
