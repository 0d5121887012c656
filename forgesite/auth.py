"""Who asks the API: a bearer token, which needs no CSRF token, or the session, which always does.

The two look at different requests, so their order means nothing: with `Authorization: Bearer` only the token counts,
and a bad one never falls back to the session.
"""

from __future__ import annotations

from django.http import HttpRequest
from ninja.security import HttpBearer, SessionAuth

from forgesite.accounts import account_of_token
from forgesite.models import Account

READ_ONLY = ("GET", "HEAD", "OPTIONS")


class Request(HttpRequest):
    """A request that an authenticator let in."""

    auth: Account


class TokenAuth(HttpBearer):
    def authenticate(self, request: HttpRequest, token: str) -> Account | None:
        found = account_of_token(token.strip())
        return found[0] if found else None


class OwnSession(SessionAuth):
    def __call__(self, request: HttpRequest) -> Account | None:
        if bearer_of(request) is not None:
            return None
        return super().__call__(request)

    def authenticate(self, request: HttpRequest, key: str | None) -> Account | None:
        return request.user if isinstance(request.user, Account) and request.user.is_active else None


def bearer_of(request: HttpRequest) -> str | None:
    """The token of the `Authorization` header; None where there is no bearer header at all."""
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if scheme.lower() == TokenAuth.openapi_scheme else None
