"""Every state of the page: no serious fault for assistive technology, and room enough on a phone, in two languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, StorageState, ViewportSize, expect

from forgesite.testing_models import ScriptedModel
from forgesite.tests.browser import Person
from forgesite.tests.conftest import Modelled
from forgesite.tests.test_browser import serious
from forgesite.tests.test_browser_streaming import RICH

#: Of the controls in sight, those too small for a finger: smaller than 44 pixels, and not a word in a sentence.
SMALL = """() => [...document.querySelectorAll("button, summary, .conv > a, .side-foot a, input:not([type=checkbox])")]
  .filter((one) => one.checkVisibility() && !one.matches(".link, .visually-hidden, .thread .chip"))
  .map((one) => [one.outerHTML.slice(0, 90), one.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && box.right > 0 && box.left < innerWidth)
  .filter(([, box]) => box.height < 43.5 || box.width < 43.5)
  .map(([html, box]) => `${html} ${Math.round(box.width)}x${Math.round(box.height)}`)"""


def rich(there: Person, model: ScriptedModel) -> None:
    model.will_answer(RICH)
    there.say("Where do things run? " + "w" * 120)


def streaming(there: Person, model: ScriptedModel) -> None:
    model.will_answer("word " * 300, every=0.05)
    expect(there.send("Go on")).to_contain_text("word word")


def cut(there: Person, model: ScriptedModel) -> None:
    model.will_answer("Half of ", finish="length")
    there.say("Tell me")


def failed(there: Person, model: ScriptedModel) -> None:
    model.will_fail(500, {"error": {"message": "x" * 200}})
    there.say("Tell me")


def saved(there: Person, model: ScriptedModel) -> None:
    there.say("Remember that the choir meets on Tuesdays")
    there.say("Remember: do I own a boat?")


def branched(there: Person, model: ScriptedModel) -> None:
    there.say("Hello").locator("[data-retry]:visible").click()
    expect(there.page.locator(".switch")).to_be_visible()
    there.page.press("#message", "ArrowUp")


def picker(there: Person, model: ScriptedModel) -> None:
    there.page.click("#model")
    expect(there.page.locator(".choice").first).to_be_visible()


def temporary(there: Person, model: ScriptedModel) -> None:
    there.page.check("#temporary")


def archived(there: Person, model: ScriptedModel) -> None:
    there.say("!memory")
    if there.page.viewport_size == PHONE:
        there.page.click("[data-open-side]")
    there.page.locator(".conv.current summary").click()
    there.page.locator(".conv.current form[action$='/archive/'] button").click()
    there.page.wait_for_url(f"{there.forge.url}/")
    if there.page.viewport_size == PHONE:
        there.page.click("[data-open-side]")
    there.page.locator("[data-archived='1']").click()
    expect(there.page.locator(".archived-head")).to_be_visible()


def keys(there: Person, model: ScriptedModel) -> None:
    there.page.press("#message", "?")
    expect(there.page.locator("#keys")).to_be_visible()


def why(there: Person, model: ScriptedModel) -> None:
    there.say("Where do things run?").locator("[data-why]").click()
    expect(there.page.locator("#why-body ol")).to_be_visible()


def drawer(there: Person, model: ScriptedModel) -> None:
    there.say("The spare key hangs behind the boiler").locator("[data-pin]").click()
    expect(there.page.locator("#drawer-open [data-slot=count]")).to_have_text("2")
    there.page.click("#drawer-open")
    expect(there.page.locator(".pinned")).not_to_have_count(0)


def folded(there: Person, model: ScriptedModel) -> None:
    for shelf in ("first", "second", "third"):
        there.say(f"The {shelf} shelf of the cellar holds jars of plums")
    there.send("!compact")
    there.page.locator(".fold summary").first.click()
    expect(there.page.locator(".fold .me").first).to_be_visible()


def compacting(there: Person, model: ScriptedModel) -> None:
    there.say("The log of the disk: " + "sda is fine. " * 1350)
    there.page.click("#gauge")
    expect(there.page.locator("#compact")).to_be_visible()


def due(there: Person, model: ScriptedModel) -> None:
    there.say("!todo pay the rent yesterday")
    if there.page.viewport_size == PHONE:
        there.page.click("[data-open-side]")
    expect(there.page.locator("#todos .due")).to_be_visible()


STATES = [
    rich,
    streaming,
    cut,
    failed,
    saved,
    branched,
    picker,
    temporary,
    archived,
    keys,
    why,
    drawer,
    folded,
    compacting,
    due,
]
PHONE: ViewportSize = {"width": 360, "height": 740}


@pytest.fixture(scope="module", params=["en", "fr"])
def visitor(
    request: pytest.FixtureRequest, browser: Browser, modelled: Modelled, signed_in_there: StorageState
) -> Iterator[Person]:
    """English on a wide page, French and dark on a phone."""
    phone = request.param == "fr"
    context = browser.new_context(
        locale=request.param,
        storage_state=signed_in_there,
        viewport=PHONE if phone else {"width": 1440, "height": 900},
        color_scheme="dark" if phone else "light",
        has_touch=phone,
        is_mobile=phone,
    )
    with context:
        person = Person(context, modelled.forge)
        person.language(request.param)
        yield person
        person.language("en")


@pytest.fixture
def there(visitor: Person) -> Person:
    visitor.go("/")
    return visitor


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_a_state_of_the_page_has_no_serious_fault(
    there: Person, model: ScriptedModel, state: Callable[[Person, ScriptedModel], None]
) -> None:
    state(there, model)

    assert serious(there) == []
    assert there.no_sideways_scroll()
    if there.page.viewport_size == PHONE:
        assert there.page.evaluate(SMALL) == []
    if state is streaming:
        there.page.click("#stop")
