"""One model server as a door reaches it: its address, its key, how long it may be silent, what its failures mean."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import httpx

from forgesite.lib import http_client, model_failures
from forgesite.lib.chat_chunks import GarbledError, RefusedWithinError
from forgesite.lib.language_models import Failure, ModelFailedError, ModelHealth
from forgesite.lib.model_addresses import Address
from forgesite.lib.model_failures import Refusal

#: More than any answer in one piece, and less than what would hurt.
MAX_BODY = 8_000_000
#: Seconds for what needs no model to think.
BRIEF = 5.0


@dataclass(frozen=True)
class Connection:
    """The key is in no error, no repr and no log: where a server quotes it, it is cut out."""

    address: Address
    timeout: float
    key: str = field(default="", repr=False)

    async def send(self, method: str, url: str, body: Any = None, *, timeout: float | None = None) -> httpx.Response:
        """Its head; whoever asked closes it. Raises ModelFailedError where nobody answers."""
        client = await http_client.client()
        headers: dict[bytes, bytes] = {b"Accept": b"text/event-stream, application/json"}
        if self.key:
            headers[b"Authorization"] = b"Bearer " + self.key.encode()
        patience = http_client.patience(min(self.timeout, timeout or self.timeout))
        try:
            request = client.build_request(method, url, json=body, headers=headers, timeout=patience)
            return await client.send(request, stream=True, auth=self.address.user)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self.broken(error) from None

    async def json(self, method: str, url: str, body: Any = None, *, timeout: float | None = None) -> Any:
        """What it says. Raises ModelFailedError, also for an error inside a 200 and for what is no JSON."""
        response = await self.send(method, url, body, timeout=timeout)
        try:
            if not response.is_success:
                raise self.refused(await self.refusal(response), response)
            payload = await self.payload(response)
        except httpx.HTTPError as error:
            raise self.broken(error) from None
        finally:
            await response.aclose()
        if isinstance(payload, dict) and payload.get("error"):
            raise self.refused(model_failures.within_success(payload))
        return payload

    async def payload(self, response: httpx.Response) -> Any:
        body = await _read(response)
        try:
            return json.loads(body)
        except ValueError:
            words = model_failures.in_short(body.decode("utf-8", "replace"))
            raise self.failed("not_a_model", words) from None

    async def refusal(self, response: httpx.Response) -> Refusal:
        """Of a response that is no success. Without a body the status has to do."""
        try:
            return model_failures.refusal(response.status_code, await _read(response))
        except httpx.HTTPError:
            return Refusal(response.status_code, f"HTTP {response.status_code}")

    def refused(self, refusal: Refusal, response: httpx.Response | None = None) -> ModelFailedError:
        after = model_failures.retry_after(response.headers) if response is not None else None
        moved = response.headers.get("location", "") if response is not None else ""
        return self.failed(refusal.failure, f"moved to {moved}" if moved else refusal.message, after)

    def broken(self, error: Exception) -> ModelFailedError:
        """Of what went wrong between two bytes, or in them."""
        if isinstance(error, RefusedWithinError):
            return self.refused(error.refusal)
        if isinstance(error, GarbledError):
            return self.failed("not_a_model", str(error))
        return self.failed(*model_failures.of_exception(error))

    def failed(self, failure: Failure, cause: str = "", retry_after: float | None = None) -> ModelFailedError:
        clean = cause.replace(self.key, "…") if self.key else cause
        return ModelFailedError(failure, url=self.address.shown, cause=clean, retry_after=retry_after)


def unready(failed: ModelFailedError) -> ModelHealth:
    loading = failed.failure == "server_error" and model_failures.LOADING.search(failed.cause) is not None
    return ModelHealth(ready=False, loading=loading, detail=f"{failed.failure}: {failed.cause}".strip(": "))


async def _read(response: httpx.Response) -> bytes:
    """The body, no more of it than `MAX_BODY`."""
    body = b""
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) > MAX_BODY:
            break
    return body
