"""What a model server's refusal means, from its status and its words."""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from forgesite.lib.language_models import Failure

TOO_LONG = re.compile(
    r"context.?(?:size|length|window|limit)|exceed_context|n_ctx|maximum.{0,40}tokens|too many.{0,20}tokens"
    r"|input token count|tokens.{0,40}must be|(?:prompt|input|request).{0,20}(?:too long|too large)",
    re.IGNORECASE | re.DOTALL,
)
NO_MODEL = re.compile(
    r"model.{0,120}(?:not (?:be )?found|does(?: not|n.t) exist|not (?:exist|supported|loaded|available)|unknown)"
    r"|(?:unknown|no such|invalid|no) models?\b|model_not_found",
    re.IGNORECASE | re.DOTALL,
)
LOADING = re.compile(r"\bloading\b.{0,40}\bmodel|\bmodel\b.{0,40}\bloading\b", re.IGNORECASE | re.DOTALL)
KEY = re.compile(r"api.?key|unauthori[sz]ed|invalid_api_key", re.IGNORECASE)
RATE = re.compile(r"rate.?limit|insufficient_quota|resource_exhausted|quota", re.IGNORECASE)
#: The server, or this model on it, knows no tools; and one call that went wrong where it does.
NO_TOOLS = re.compile(
    r"\btools?\b|\btool[_-](?:calls?|choice|use)|\bfunction[_ -]?call|\bfunctions?\b.{0,40}support|--jinja",
    re.IGNORECASE,
)
ONE_CALL = re.compile(
    r"fail\w* to (?:parse|call)|tool_use_failed|tool_call_id|(?:parse|pars)\w*.{0,40}(?:arguments|output)",
    re.IGNORECASE,
)
#: Statuses whose meaning does not hang on words.
PLAIN: dict[int, Failure] = {401: "denied", 403: "denied", 407: "denied", 408: "timeout", 413: "too_long"}
PLAIN |= {404: "not_a_model", 405: "not_a_model", 429: "rate_limited", 504: "timeout"}


@dataclass(frozen=True)
class Refusal:
    """`kind`: the error's own type or code, beside its message."""

    status: int
    message: str
    kind: str = ""

    @property
    def loading(self) -> bool:
        return self.status == 503 and LOADING.search(self.message) is not None

    @property
    def of_tools(self) -> bool:
        """Was the request refused because it offers tools? Such a server answers without them."""
        said = f"{self.kind} {self.message}"
        if self.status not in (400, 404, 405, 422, 500, 501) or TOO_LONG.search(said):
            return False
        return NO_TOOLS.search(said) is not None and ONE_CALL.search(said) is None

    @property
    def failure(self) -> Failure:
        said = f"{self.kind} {self.message}"
        if self.status in (400, 404, 422) and NO_MODEL.search(said):
            return "unknown_model"
        if self.status in (400, 413, 422, 500) and TOO_LONG.search(said):
            return "too_long"
        if self.status in PLAIN:
            return PLAIN[self.status]
        if self.status < 400:
            return "not_a_model"  # a redirection
        if self.status >= 500:
            return "server_error"
        return "denied" if self.status == 400 and KEY.search(said) else "refused"


def refusal(status: int, body: bytes) -> Refusal:
    """Of an answer that is no success. A page's title stands for the page."""
    text = body.decode("utf-8", "replace")
    try:
        return of_error(json.loads(text), status)
    except ValueError:
        return Refusal(status, in_short(text) or f"HTTP {status}")


def of_error(payload: Any, status: int) -> Refusal:
    """The error inside JSON: `{"error": {…}}`, `{"error": "…"}`, a list of them, `{"message": …}`, `{"detail": …}`."""
    if isinstance(payload, list) and payload:
        payload = payload[0]
    error = payload.get("error", payload) if isinstance(payload, dict) else payload
    if not isinstance(error, dict):
        return Refusal(status, in_short(str(error)))
    message = next((error[name] for name in ("message", "detail", "msg") if error.get(name)), error)
    kind = " ".join(str(error[name]) for name in ("type", "code", "status") if error.get(name))
    return Refusal(status, in_short(message if isinstance(message, str) else json.dumps(message)), kind)


def within_success(payload: Any) -> Refusal:
    """An error that came inside a 200: its own code, where it is one, says what it means."""
    error = payload["error"]
    code = str(error.get("code", error.get("status"))) if isinstance(error, dict) else ""
    found = of_error(payload, int(code) if re.fullmatch("[45][0-9][0-9]", code) else 500)
    said = f"{found.kind} {found.message}"
    for pattern, status in ((TOO_LONG, 413), (NO_MODEL, 404), (RATE, 429), (KEY, 401)):
        if found.status == 500 and pattern.search(said):
            return Refusal(status, found.message, found.kind)
    return found


def in_short(text: str) -> str:
    """One line of it; of a page its title, or its words."""
    if re.search(r"<(?:!doctype|html|head|body)\b", text[:2000], re.IGNORECASE):
        title = re.search(r"<title[^>]*>(.*?)</title>", text, re.IGNORECASE | re.DOTALL)
        words = title.group(1) if title else re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", text, flags=re.S | re.I)
        text = f"an HTML page: {html.unescape(words)}"
    return " ".join(text.split())[:500]


def retry_after(headers: httpx.Headers) -> float | None:
    """Seconds, from a number or a date."""
    said = headers.get("retry-after", "")
    try:
        return max(0.0, float(said))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(said) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None


def of_exception(error: Exception) -> tuple[Failure, str]:
    """What broke, and its words. A protocol error of ours is not quoted: it may hold a header, and that the key."""
    if isinstance(error, httpx.ConnectTimeout):
        return "unreachable", "nobody answered there within 3 s"
    if isinstance(error, httpx.TimeoutException):
        return "timeout", ""
    if isinstance(error, httpx.LocalProtocolError):
        return "unreachable", "the request could not be sent"
    if isinstance(error, httpx.ConnectError | httpx.UnsupportedProtocol | httpx.InvalidURL):
        return "unreachable", str(error)
    if isinstance(error, httpx.RemoteProtocolError) and "illegal" in str(error):
        return "not_a_model", "it does not speak HTTP"
    return "dropped", str(error)
