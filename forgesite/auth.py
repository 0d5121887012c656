"""Who asks the API: a bearer token, which needs no CSRF token, or the session, which always does.

The two look at different requests, so their order means nothing: with `Authorization: Bearer` only the token counts,
and a bad one never falls back to the session.
"""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja.security import APIKeyCookie, HttpBearer
from ninja.utils import check_csrf

from forgesite.accounts import account_of_token
from forgesite.errors import ForgeError
from forgesite.models import Account
from forgesite.throttle import client_address, seconds_to_wait, too_many

READING = ("GET", "HEAD", "OPTIONS")
#: A question asked by POST for its length: it reads.
READING_PATHS = ("/search",)


class NotAllowedError(ForgeError):
    code, status = "forbidden", 403


class Request(HttpRequest):
    """A request that an authenticator let in."""

    auth: Account


class TokenAuth(HttpBearer):
    """A token of `manage.py token create`, or the setting API_TOKEN."""

    def authenticate(self, request: HttpRequest, token: str) -> Account | None:
        """Raises NotAllowedError for a write with a token that may only read, TooManyError for a guesser."""
        found = account_of_token(token.strip())
        if found is None:
            count_bad_credentials(client_address(request))
            return None
        account, kept = found
        if kept is not None and kept.scope == "read" and not _reads(request):
            raise NotAllowedError(_("This token may only read. Make one with the scope `all`."))
        return account


class OwnSession(APIKeyCookie):
    """The cookie of whoever signed in on the page, with the CSRF token in `X-CSRFToken`."""

    param_name = "sessionid"

    def __call__(self, request: HttpRequest) -> Account | None:
        """Raises NotAllowedError without a CSRF token, where the request would change something."""
        account = request.user
        if names_a_token(request) or not isinstance(account, Account) or not account.is_active:
            return None
        if check_csrf(request) is not None:
            raise NotAllowedError(
                _("The CSRF token is missing or wrong, or the address is not the one set as PUBLIC_URL.")
            )
        return account

    def authenticate(self, request: HttpRequest, key: str | None) -> Account | None:
        return self(request)


def names_a_token(request: HttpRequest) -> bool:
    return request.headers.get("Authorization", "").lower().startswith(TokenAuth.openapi_scheme)


def _reads(request: HttpRequest) -> bool:
    return request.method in READING or request.path in READING_PATHS


def count_bad_credentials(address: str) -> None:
    """Raises TooManyError for an address that has sent too many. Good ones from there are still let in."""
    seconds = seconds_to_wait(f"bad {address}")
    if seconds:
        raise too_many(seconds)
