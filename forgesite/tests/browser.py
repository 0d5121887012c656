"""A person at the page: Chromium by its path, with everything recorded that must not happen."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Locator, Page, Request, expect

from forgesite.testing_server import LiveForge

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
#: Nothing that calls home: the request log must show what the page does.
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
PATCH = """async (body) => {
  const token = document.querySelector("meta[name=csrf-token]").content;
  const headers = { "X-CSRFToken": token, "Content-Type": "application/json" };
  return (await fetch("/me", { method: "PATCH", headers, body: JSON.stringify(body) })).status;
}"""


@dataclass
class Person:
    """`wrong`: dialogs, requests to other hosts, breaches of the policy, errors of scripts. It stays empty."""

    context: BrowserContext
    forge: LiveForge
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.watch(self.page)

    def watch(self, page: Page) -> None:
        page.on("dialog", self._dialog)
        page.on("request", self._request)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.wrong.append(f"script {error}"))

    def _dialog(self, dialog: Dialog) -> None:
        self.wrong.append(f"dialog {dialog.message}")
        dialog.dismiss()

    def _request(self, request: Request) -> None:
        if urlsplit(request.url).netloc not in (urlsplit(self.forge.url).netloc, "") and request.url != "about:blank":
            self.wrong.append(f"request {request.url[:200]}")

    def _console(self, message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            self.wrong.append(f"policy {message.text[:300]}")

    def go(self, path: str) -> None:
        self.page.goto(path if path.startswith("http") else f"{self.forge.url}{path}")

    def say(self, text: str) -> Locator:
        """Types, sends, waits for the end. The answer."""
        return self.ended(self.send(text))

    def send(self, text: str) -> Locator:
        """Types and sends. The answer to come."""
        answers = self.page.locator("article.it")
        before = answers.count()
        self.page.fill("#message", text)
        self.page.press("#message", "Enter")
        return answers.nth(before)

    def ended(self, answer: Locator) -> Locator:
        answer.locator("[data-slot=foot] .mark").wait_for()
        expect(answer).not_to_have_attribute("data-state", "running")
        return answer

    def language(self, code: str) -> None:
        """The account's own, as its settings would set it."""
        self.go("/")
        status = self.page.evaluate(PATCH, {"language": code})
        assert status == 200, status

    def second_page(self) -> Page:
        """Another tab of the same browser, at the same address."""
        page = self.context.new_page()
        self.watch(page)
        page.goto(self.page.url)
        return page

    def history(self) -> list[dict[str, Any]]:
        """What the database holds of the conversation in sight."""
        conversation = self.page.url.rstrip("/").rpartition("/")[2]
        answer = self.context.request.get(f"{self.forge.url}/history?conversation={conversation}")
        rows: list[dict[str, Any]] = answer.json()
        return rows

    def no_sideways_scroll(self) -> bool:
        return bool(self.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
