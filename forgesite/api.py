"""The API at the root of the site: routers, auth, and the one table error → status."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import NinjaAPI, Schema

from forgesite import __version__
from forgesite.auth import OwnSession, TokenAuth

api = NinjaAPI(title="Forge", version=__version__, urls_namespace="api", auth=[TokenAuth(), OwnSession()])


class HealthOut(Schema):
    status: str
    version: str


@api.get("/health", auth=None, response=HealthOut)
def health(request: HttpRequest) -> HealthOut:
    """Whether Forge runs. Open to all, without private data."""
    return HealthOut(status="ok", version=__version__)
