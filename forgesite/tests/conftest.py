"""Fixtures of the browser's tests: Chromium, a person who is signed in, and a Forge that a scripted model answers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, StorageState, sync_playwright

from forgesite.testing_models import ScriptedModel
from forgesite.testing_server import LiveForge
from forgesite.tests.browser import ARGUMENTS, CHROMIUM, Person


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """For a module and no longer: while Playwright runs, its thread has an event loop that others trip over."""
    if CHROMIUM is None:
        if os.environ.get("CI", "").lower() == "true":
            pytest.fail("No Chromium here, and a CI run without the browser tests proves nothing.")
        pytest.skip("NO BROWSER TESTS: no chromium on the PATH (Debian: apt-get install chromium).")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield started
        started.close()


def _signed_in(browser: Browser, forge: LiveForge) -> StorageState:
    """What the browser keeps of a person who came by a one-time link."""
    link = forge.run("signin", "--port", str(forge.port)).stdout.split()[-1]
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(link)
        page.wait_for_url(f"{forge.url}/")
        return context.storage_state()


@pytest.fixture(scope="module")
def signed_in(browser: Browser, forge: LiveForge) -> StorageState:
    return _signed_in(browser, forge)


@pytest.fixture
def person(browser: Browser, forge: LiveForge, signed_in: StorageState) -> Iterator[Person]:
    """Signed in, on an empty page; the built-in responder answers."""
    yield from _at_the_page(browser, forge, signed_in)


@dataclass(frozen=True)
class Modelled:
    """A Forge and the model that answers in it. Whoever queues answers uses them up."""

    forge: LiveForge
    model: ScriptedModel


@pytest.fixture(scope="session")
def modelled() -> Iterator[Modelled]:
    with ScriptedModel() as model:
        # A second server that nobody runs: what a picker shows of it is a test of its own.
        env = {"LLM_PROVIDER": "openai", "LLM_URL": model.url, "LLM_SERVERS": "attic=openai@http://127.0.0.1:9"}
        # So that a short conversation can be compacted on request.
        env["COMPACTION_KEEP_RECENT"] = "4"
        with LiveForge(env=env) as forge:
            yield Modelled(forge, model)


@pytest.fixture(scope="module")
def signed_in_there(browser: Browser, modelled: Modelled) -> StorageState:
    return _signed_in(browser, modelled.forge)


@pytest.fixture
def talker(browser: Browser, modelled: Modelled, signed_in_there: StorageState) -> Iterator[Person]:
    """Signed in, on an empty page; the scripted model answers."""
    yield from _at_the_page(browser, modelled.forge, signed_in_there)


@pytest.fixture
def model(modelled: Modelled) -> ScriptedModel:
    return modelled.model


def _at_the_page(browser: Browser, forge: LiveForge, signed_in: StorageState) -> Iterator[Person]:
    with browser.new_context(locale="en-GB", storage_state=signed_in) as context:
        person = Person(context, forge)
        person.go("/")
        yield person
        assert person.wrong == []
