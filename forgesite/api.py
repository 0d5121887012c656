"""The API at the root of the site: its routers, who may ask, and what an error looks like."""

from __future__ import annotations

from ninja import NinjaAPI

from chat.api import router as chat
from chat.drawer_api import router as drawer
from chat.intake.api import router as importing
from chat.leaving.compact_api import router as compacting
from chat.models_api import router as models
from chat.prompting.context_api import router as context
from chat.why_api import router as why
from forgesite import __version__
from forgesite.account_api import router as account
from forgesite.api_parser import ForgivingParser
from forgesite.auth import OwnSession, TokenAuth
from forgesite.error_shape import install
from forgesite.export_api import router as export
from forgesite.jobs_api import router as jobs
from memory.api import router as memory
from memory.commits_api import router as commits
from memory.folds.api import router as folds
from memory.golden_api import router as golden
from memory.links_api import router as links
from memory.proof_api import router as proof
from retention.api import router as retention
from traces.api import router as traces

DESCRIPTION = """
Everything that Forge remembers, and how it answers. JSON in and out.

Send `Authorization: Bearer TOKEN` (`python3 manage.py token create` makes one), or the session cookie of the page
together with its CSRF token in `X-CSRFToken`. Every error has the shape `{"error": {"code", "message", "detail"}}`.
A field or parameter that an operation does not know is refused with 422. Somebody else's id is unknown (404).
"""

api = NinjaAPI(
    title="Forge",
    version=__version__,
    description=DESCRIPTION,
    urls_namespace="api",
    auth=[TokenAuth(), OwnSession()],
    parser=ForgivingParser(),
)
install(api)
for router in (
    *(chat, compacting, context, drawer, models, importing),
    *(memory, links, folds, commits, golden, proof, retention, traces, why, account, export, jobs),
):
    api.add_router("", router)
