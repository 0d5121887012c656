"""What goes wrong with an embedding server, each with one sentence that says where and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import httpx

from forgesite.lib.embeddings import EmbeddingFailedError, TooLargeToEmbedError
from forgesite.lib.vectors import gettext_noop

UNREACHABLE = gettext_noop("The embedding server at %(url)s cannot be reached (%(cause)s). Is it running?")
SLOW = gettext_noop("The embedding server at %(url)s did not answer within %(seconds)s s.")
DROPPED = gettext_noop("The embedding server at %(url)s broke off in the middle of its answer.")
DENIED = gettext_noop("The embedding server at %(url)s refused the key (%(status)s): check EMBEDDING_API_KEY.")
LIMITED = gettext_noop("The embedding server at %(url)s takes no more requests for now (429)%(cause)s.")
LOADING = gettext_noop("The embedding server at %(url)s is not ready (503)%(cause)s.")
NOT_THERE = gettext_noop(
    "The embedding server at %(url)s knows no such address or model (404)%(cause)s: check EMBEDDING_URL and "
    "EMBEDDING_MODEL."
)
REFUSED = gettext_noop("The embedding server at %(url)s answered %(status)s%(cause)s.")
TOO_LARGE = gettext_noop("The text is too large for the embedding model at %(url)s%(cause)s.")
A_PAGE = gettext_noop("What answered at %(url)s is no embedding server, it sent a web page: check EMBEDDING_URL.")
NOT_JSON = gettext_noop("What answered at %(url)s is no embedding server, it sent no JSON: check EMBEDDING_URL.")
NOT_VECTORS = gettext_noop(
    "The embedding server at %(url)s answered JSON that holds no vectors%(cause)s: check EMBEDDING_URL and "
    "EMBEDDING_PROVIDER."
)
PER_TOKEN = gettext_noop(
    "The embedding server at %(url)s gave %(count)s vectors for one text, one for each token: start it with pooling "
    "(llama.cpp: --pooling mean)."
)
TOO_FEW = gettext_noop("The embedding server at %(url)s gave %(count)s vectors for %(due)s texts.")
NO_MODEL = gettext_noop("EMBEDDING_PROVIDER=%(provider)s needs a model: set EMBEDDING_MODEL.")

#: How servers say that a text, or a batch, is longer than the model takes.
SPEAKS_OF_SIZE = re.compile(
    r"too (large|long|big)|too many (tokens|inputs)|exceeds|context (length|size|window)|maximum|max_tokens|batch size"
    r"|input length|n_ctx|n_ubatch|token limit|longer than",
    re.IGNORECASE,
)
BY_STATUS = {401: DENIED, 403: DENIED, 404: NOT_THERE, 429: LIMITED, 503: LOADING}
LONGEST_CAUSE = 200


class Failures:
    """Errors of one address. The key that was sent is in none of them, whatever a server echoes."""

    def __init__(self, url: str, key: str) -> None:
        self.url, self._key = url, key

    def __call__(self, sentence: str, **values: Any) -> EmbeddingFailedError:
        kind: Callable[..., EmbeddingFailedError] = (
            TooLargeToEmbedError if sentence == TOO_LARGE else EmbeddingFailedError
        )
        return kind(sentence, url=self.url, **values)

    def of_transport(self, error: httpx.HTTPError, seconds: float) -> EmbeddingFailedError:
        if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.UnsupportedProtocol):
            return self(UNREACHABLE, cause=self._short(str(error)) or "no answer")
        if isinstance(error, httpx.TimeoutException):
            return self(SLOW, seconds=f"{seconds:g}")
        return self(DROPPED)

    def of_status(self, status: int, body: bytes) -> EmbeddingFailedError:
        cause = self.cause(body)
        if status == 413 or (status in (400, 422, 500) and SPEAKS_OF_SIZE.search(cause)):
            return self(TOO_LARGE, cause=cause)
        return self(BY_STATUS.get(status, REFUSED), status=status, cause=cause)

    def cause(self, body: bytes) -> str:
        """The server's own words as `: words`, or nothing."""
        said = _said(body.decode("utf-8", "replace"))
        return f": {self._short(said)}" if said else ""

    def _short(self, text: str) -> str:
        plain = " ".join(text.split())
        return (plain.replace(self._key, "…") if self._key else plain)[:LONGEST_CAUSE].rstrip(".")


def _said(text: str) -> str:
    """The message of an error object in any of its usual places; a page has none."""
    try:
        body: Any = httpx.Response(200, text=text).json()
    except ValueError:
        return "" if "<" in text[:200] else text
    for step in ("error", "message"):
        body = body.get(step, body) if isinstance(body, dict) else body
    body = body.get("detail", "") if isinstance(body, dict) else body
    return body if isinstance(body, str) else ""
