"""The door to an embedding server: batches of a bounded size, every answer read the same way, no text sent in vain."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from forgesite.lib import embedding_failures as failures
from forgesite.lib.embedding_answers import NotVectorsError, is_of_one_text, vectors_in
from forgesite.lib.embeddings import EmbeddingFailedError, TooLargeToEmbedError, encodable, refuse_empty, wrapped
from forgesite.lib.vectors import Vector

CONNECT_SECONDS = 3.0
#: Texts of one request, and their characters: a small machine embeds some 3,000 tokens within the usual timeout.
BATCH, BATCH_CHARACTERS = 32, 12_000
#: How often a 429 is waited for, within one request's time.
WAITS = 3
#: A server's answer is never larger: 32 vectors of 8,192 numbers in JSON are 6 MB.
LARGEST_ANSWER = 64 * 1024 * 1024
LEARN = "How many numbers has a vector?"


@dataclass(frozen=True)
class Address:
    """Where and how texts are sent. `fields`: the names they have in the body; `alone`: one text a request.

    `otherwise`: an older route, for a server that does not know this one.
    """

    url: str
    fields: tuple[str, ...] = ("input",)
    alone: bool = False
    otherwise: Address | None = None
    extra: tuple[tuple[str, Any], ...] = ()


class Served:
    """A door to one model of one server. Nothing is sent before the first text.

    `dim`: as given, or as the first answer has it; asked for before one, it asks.
    """

    def __init__(
        self,
        address: Address,
        *,
        name: str,
        model: str = "",
        key: str = "",
        dim: int | None = None,
        timeout: float = 30.0,
        wrapper: str = "",
    ) -> None:
        self.name, self.wrapper, self.url = name, wrapper, address.url
        self._address, self._model, self._key, self._timeout = address, model, key, timeout
        self._given, self._learnt = dim, dim
        limits = httpx.Timeout(timeout, connect=min(CONNECT_SECONDS, timeout))
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        # Kept open for a moment only: a server that closes an idle connection as it is used again would lose the text.
        kept = httpx.Limits(keepalive_expiry=2.0)
        self._client = httpx.Client(timeout=limits, headers=headers, limits=kept, trust_env=False)

    @property
    def dim(self) -> int:
        if self._learnt is None:
            self.embed_documents([LEARN])
        return self._learnt or 0

    @property
    def known_dim(self) -> int:
        """0 before the first answer."""
        return self._learnt or 0

    def forget_dim(self) -> None:
        """Another model may have taken its place: the next answer says its dimension."""
        self._learnt = self._given

    def embed_query(self, text: str) -> Vector:
        return self.embed_documents([wrapped(self.wrapper, text)])[0]

    def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """As the protocol says. Raises TooLargeToEmbedError with the others' vectors, where some texts do not fit."""
        refuse_empty(texts)
        found: list[Any] = []
        reasons: list[TooLargeToEmbedError] = []
        for batch in _batches([encodable(text) for text in texts]):
            found += self._fitting(batch, reasons)
        if reasons:
            raise TooLargeToEmbedError(reasons[0].sentence, [_unless_large(one) for one in found], **reasons[0].values)
        return found

    def _fitting(self, texts: list[str], reasons: list[TooLargeToEmbedError]) -> list[Any]:
        """The batch's vectors. One that is too large is halved, until only what is too large alone is left out."""
        if self._address.alone and len(texts) > 1:
            return [vector for text in texts for vector in self._fitting([text], reasons)]
        try:
            found = self._vectors(texts)
            return found if found is not None else self._another_way(texts, reasons)
        except TooLargeToEmbedError as error:
            if len(texts) == 1:
                reasons.append(error)
                return [error]
        half = len(texts) // 2
        return self._fitting(texts[:half], reasons) + self._fitting(texts[half:], reasons)

    def _another_way(self, texts: list[str], reasons: list[TooLargeToEmbedError]) -> list[Any]:
        """By the older route, or one text a request: from now on, unless that fails too."""
        before = self._address
        self._use(before.otherwise or Address(before.url, before.fields, alone=True, extra=before.extra))
        try:
            return self._fitting(texts, reasons)
        except EmbeddingFailedError:
            self._use(before)
            raise

    def _use(self, address: Address) -> None:
        self._address, self.url = address, address.url

    def _vectors(self, texts: list[str]) -> list[Any] | None:
        """None where the server does not know this route, or takes one text at a time."""
        answer = self._post(texts)
        if answer is None or (len(texts) > 1 and is_of_one_text(answer)):
            return None
        found = self._read(answer, len(texts))
        if self._learnt is None:
            self._learnt = next((len(one) for one in found if one is not None and len(one)), None)
        return found

    def _read(self, body: Any, due: int) -> list[Any]:
        failed = failures.Failures(self.url, self._key)
        try:
            found = vectors_in(body)
        except NotVectorsError as error:
            if error.per_token:
                raise failed(failures.PER_TOKEN, count=error.per_token) from None
            raise failed(failures.NOT_VECTORS, cause=failed.cause(json.dumps(body)[:2000].encode())) from None
        if len(found) != due:
            raise failed(failures.TOO_FEW, count=len(found), due=due)
        return found

    def _post(self, texts: list[str]) -> Any:
        """The answer's JSON, or None as above."""
        failed = failures.Failures(self.url, self._key)
        status, kind, body = self._answered(self._body(texts), failed)
        if status != 200:
            error = failed.of_status(status, body)
            if self._not_this_way(status, body, len(texts)) and not isinstance(error, TooLargeToEmbedError):
                return None
            raise error
        try:
            return json.loads(body)
        except ValueError:
            page = "html" in kind or b"<" in body[:50]
            raise failed(failures.A_PAGE if page else failures.NOT_JSON) from None

    def _body(self, texts: list[str]) -> dict[str, Any]:
        content: Any = texts[0] if len(texts) == 1 else texts
        model = {"model": self._model} if self._model else {}
        return model | dict.fromkeys(self._address.fields, content) | dict(self._address.extra)

    def _not_this_way(self, status: int, body: bytes, texts: int) -> bool:
        """Ollama before 0.2 has no /api/embed, and says so without naming a model; some servers take no list."""
        if self._address.otherwise is not None:
            return status in (404, 405) and b"model" not in body
        return texts > 1 and status in (400, 422, 500) and len(self._address.fields) > 1

    def _answered(self, body: dict[str, Any], failed: failures.Failures) -> tuple[int, str, bytes]:
        """Status, content type and body. A 429 is waited for as told, as long as the request's time is not over."""
        end = time.monotonic() + self._timeout
        for turn in range(WAITS + 1):
            status, headers, content = self._once(body, end, failed)
            wait = _wait(headers, turn)
            if status != 429 or turn == WAITS or time.monotonic() + wait > end:
                return status, headers.get("content-type", ""), content
            threading.Event().wait(wait)
        raise AssertionError("unreachable")

    def _once(self, body: dict[str, Any], end: float, failed: failures.Failures) -> tuple[int, httpx.Headers, bytes]:
        content = bytearray()
        try:
            with self._client.stream("POST", self._address.url, json=body) as answer:
                for piece in answer.iter_bytes():
                    content += piece
                    # httpx bounds each read and not the whole: a server that trickles would never be late.
                    if time.monotonic() > end:
                        raise failed(failures.SLOW, seconds=f"{self._timeout:g}")
                    if len(content) > LARGEST_ANSWER:
                        raise failed(failures.NOT_JSON)
        except httpx.InvalidURL as error:
            raise failed(failures.UNREACHABLE, cause=str(error)) from error
        except httpx.HTTPError as error:
            raise failed.of_transport(error, self._timeout) from error
        return answer.status_code, answer.headers, bytes(content)


def _batches(texts: list[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    characters = 0
    for text in texts:
        if batch and (len(batch) == BATCH or characters + len(text) > BATCH_CHARACTERS):
            yield batch
            batch, characters = [], 0
        batch.append(text)
        characters += len(text)
    if batch:
        yield batch


def _unless_large(found: Any) -> Any:
    return None if isinstance(found, EmbeddingFailedError) else found


def _wait(headers: httpx.Headers, turn: int) -> float:
    """Seconds, as `Retry-After` tells them or a date; else 1, 2, 4."""
    told = headers.get("retry-after", "")
    try:
        return max(float(told), 0.0)
    except ValueError:
        pass
    try:
        return max(parsedate_to_datetime(told).timestamp() - time.time(), 0.0)
    except (TypeError, ValueError):
        return float(2**turn)
