"""Why a model did not answer, in plain words, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from forgesite.lib.language_models import Failure, ModelFailedError

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

SAID = 200
WORDS: dict[Failure, _StrPromise] = {
    "unreachable": gettext_lazy(
        "No model server answers at %(url)s. Start it, or set LLM_URL to where it is, and send the message again."
    ),
    "denied": gettext_lazy("The model server at %(url)s did not accept the key. Check LLM_API_KEY."),
    "rate_limited": gettext_lazy("The model server at %(url)s takes no more requests for now. Try again %(when)s."),
    "too_long": gettext_lazy(
        "The prompt is longer than the model at %(url)s can read. Set LLM_CONTEXT to its window in tokens, or begin a "
        "new conversation."
    ),
    "unknown_model": gettext_lazy(
        "The model server at %(url)s does not have the model that was asked for. Choose another, or set LLM_MODEL."
    ),
    "timeout": gettext_lazy(
        "The model at %(url)s said nothing for %(timeout)g seconds. Try again, or set LLM_TIMEOUT higher if it is slow."
    ),
    "server_error": gettext_lazy("The model server at %(url)s reported an error. Its own log says more; try again."),
    "not_a_model": gettext_lazy("What answers at %(url)s is no model server. Set LLM_URL to where one is."),
    "refused": gettext_lazy("The model server at %(url)s refused the request."),
    "dropped": gettext_lazy("The connection to the model server at %(url)s broke before the answer ended. Try again."),
}

#: The same in a few words, for a list of servers.
BRIEFLY: dict[str, _StrPromise] = {
    "unreachable": gettext_lazy("nothing answers there"),
    "denied": gettext_lazy("it did not accept the key"),
    "rate_limited": gettext_lazy("it takes no more requests for now"),
    "too_long": gettext_lazy("it found the request too long"),
    "unknown_model": gettext_lazy("it does not have the model"),
    "timeout": gettext_lazy("it said nothing in time"),
    "server_error": gettext_lazy("it reported an error"),
    "not_a_model": gettext_lazy("what answers there is no model server"),
    "refused": gettext_lazy("it refused the request"),
    "dropped": gettext_lazy("the connection broke"),
}


def in_brief(detail: str) -> str:
    """What a server's health says, `code: its own words`, in words. Anything else as it is."""
    code, _colon, own = detail.partition(": ")
    if code not in BRIEFLY:
        return detail
    return str(BRIEFLY[code]) + (f" ({own})" if own else "")


def code_of(error: ModelFailedError) -> str:
    return f"model_{error.failure}"


def words_for(error: ModelFailedError) -> str:
    """Fit to show as text. The server's own words come last, shortened, marked as its own."""
    values = {"url": error.url, "timeout": settings.FORGE.LLM_TIMEOUT, "when": _when(error.retry_after)}
    said = str(WORDS[error.failure]) % values
    cause = " ".join(error.cause.split())
    if not cause:
        return said
    return said + " " + _("It said: “%(cause)s”") % {"cause": cause[: SAID - 1] + "…" if len(cause) > SAID else cause}


def _when(seconds: float | None) -> str:
    return _("later") if seconds is None else _("in %(seconds)d s") % {"seconds": -(-seconds // 1)}
