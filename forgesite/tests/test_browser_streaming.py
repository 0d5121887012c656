"""While an answer streams: it grows without a jump, is complete in every tab, and never becomes script."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from forgesite.testing_models import ScriptedModel
from forgesite.tests.browser import Person
from forgesite.tests.test_browser import PAYLOADS

RICH = (
    "## Ports\n\nThe test server listens on **8080**, and `curl` reaches it from the laptop over the VPN.\n\n"
    "```python\ndef port(name: str) -> int:\n    return PORTS[name]  # as before\n```\n\n"
    "- the first, with *some* words\n- the second, with [a link](https://example.org)\n\n"
    "| host | port |\n|-|-:|\n| test | 8080 |\n| gate | 443 |\n\n$$\n\\frac{a}{b} = c\n$$\n\n"
    "Then a last paragraph, long enough to be wrapped, which says what was meant: 東京, é and 🎉 as well.\n"
)
#: Every shift that the browser counts, and every block that moved once another one stood below it.
WATCH = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((one) => one.value)))
    .observe({ type: "layout-shift" });
  window.moves = [];
  const tops = new Map();
  const look = () => {
    const holder = document.querySelector("article.it [data-slot=blocks]");
    const blocks = holder ? [...holder.children].slice(0, -1) : [];
    const origin = holder?.getBoundingClientRect().top;
    blocks.forEach((block, index) => {
      const top = block.getBoundingClientRect().top - origin;
      if (tops.has(index) && Math.abs(tops.get(index) - top) > 1) window.moves.push([index, tops.get(index), top]);
      tops.set(index, top);
    });
    requestAnimationFrame(look);
  };
  look();
}"""

AT_END = """() => {
  const scroller = document.getElementById("scroller");
  return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 30;
}"""


def written(page: Page) -> str:
    """The answer's text as a person reads it, without what the page adds."""
    return page.locator("article.it [data-slot=blocks]").last.inner_text()


def test_nothing_jumps_while_an_answer_grows(talker: Person, model: ScriptedModel) -> None:
    model.will_answer(RICH, every=0.02)
    talker.page.evaluate(WATCH)
    talker.ended(talker.send("Where do things run?"))

    assert talker.page.evaluate("window.moves") == []
    assert sum(talker.page.evaluate("window.shifts")) < 0.05


def test_the_end_is_followed_only_by_whoever_is_there(talker: Person, model: ScriptedModel) -> None:
    page = talker.page
    page.set_viewport_size({"width": 800, "height": 500})
    model.will_answer("a line of the answer\n\n" * 40, every=0.01)
    answer = talker.send("Go on")
    page.wait_for_function("() => document.getElementById('scroller').scrollTop > 300")
    assert page.evaluate(AT_END)

    page.hover("#scroller")
    page.mouse.wheel(0, -250)
    expect(page.locator("#to-end")).to_be_visible()
    stood = page.evaluate("document.getElementById('scroller').scrollTop")
    talker.ended(answer)
    assert page.evaluate("document.getElementById('scroller').scrollTop") == stood

    page.click("#to-end")
    assert page.evaluate(AT_END)
    expect(page.locator("#to-end")).to_be_hidden()


def test_a_reload_shows_the_text_so_far_and_the_rest_once_in_two_tabs(talker: Person, model: ScriptedModel) -> None:
    numbers = [f"word{number} " for number in range(100)]
    model.will_answer("".join(numbers), every=0.01)
    answer = talker.send("Count")
    expect(answer).to_contain_text("word5 ")
    other = talker.second_page()
    talker.page.reload()
    expect(talker.page.locator("article.it")).to_contain_text("word5 ")

    for page in (talker.page, other):
        expect(page.locator("article.it")).to_have_attribute("data-state", "done", timeout=15_000)
        expect(page.locator("article.it")).to_have_count(1)
        expect(page.locator(".me")).to_have_count(1)
        assert written(page).split() == [number.strip() for number in numbers]
    assert talker.history()[-1]["content"] == "".join(numbers)


def test_a_connection_lost_three_times_loses_and_repeats_nothing(talker: Person, model: ScriptedModel) -> None:
    sockets: list[WebSocketRoute] = []

    def through(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    talker.page.route_web_socket("**/ws/chat/", through)
    talker.go("/")
    numbers = [f"word{number}" for number in range(100)]
    model.will_answer(" ".join(numbers), every=0.012)
    answer = talker.send("Count")
    for seen in (5, 25, 50):
        expect(answer).to_contain_text(f"word{seen} ")
        sockets[-1].close()

    expect(answer).to_have_attribute("data-state", "done", timeout=15_000)
    assert len(sockets) > 2
    assert written(talker.page).split() == numbers


def test_a_message_that_nobody_confirmed_is_sent_again_and_runs_once(talker: Person, model: ScriptedModel) -> None:
    deaf = True

    def one_way(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda said: None if deaf and '"ready"' not in str(said) else socket.send(said))

    talker.page.route_web_socket("**/ws/chat/", one_way)
    talker.go("/")
    model.will_answer("Once.")
    talker.send("Say it once")
    expect(talker.page.locator(".me")).to_have_count(0)
    deaf = False
    talker.page.reload()

    expect(talker.page.locator("article.it .md").first).to_have_text("Once.")
    assert [row["content"] for row in talker.history()] == ["Say it once", "Once."]
    assert talker.page.input_value("#message") == ""


def test_what_another_tab_sends_branches_and_continues_is_seen_here(talker: Person, model: ScriptedModel) -> None:
    model.will_answer("One, ", finish="length")
    talker.say("Count to two")
    other = talker.second_page()
    model.will_answer("two.")
    talker.page.click("[data-continue]")
    expect(other.locator("article.it .md").first).to_have_text("One, two.")

    model.will_answer("1, 2.")
    talker.page.locator("article.it [data-retry]:visible").click()
    expect(other.locator("article.it .md").first).to_have_text("1, 2.")
    expect(other.locator("article.it")).to_have_count(1)
    expect(other.locator("article.it .switch")).to_contain_text("2/2")


def test_an_answer_that_is_read_again_reads_the_same(talker: Person, model: ScriptedModel) -> None:
    model.will_answer(RICH, every=0.002)
    talker.say("Where do things run?")
    live = written(talker.page)
    talker.page.reload()

    assert written(talker.page) == live
    assert talker.history()[-1]["content"].strip() == RICH.strip()


def test_a_model_never_writes_script_into_the_page(talker: Person, model: ScriptedModel) -> None:
    hostile = [
        *PAYLOADS,
        r"$\text{<img src=x onerror=alert(9)>}$ $\href{javascript:alert(10)}{x}$",
        "<math><mtext><img src=x onerror=alert(11)></mtext></math>",
        "```\n<script>alert(12)</script>",
    ]
    model.will_answer("\n\n".join(hostile), every=0.003)
    answer = talker.say("Show me markup")

    # What opens the first unclosed block swallows the rest, as it does for any reader of Markdown.
    expect(answer).to_contain_text("<script>alert(1)</script>")
    expect(answer.locator("img, .md svg, iframe, script, style, [onclick], [onerror], [onload]")).to_have_count(0)
    for link in answer.locator("a").all():
        assert (link.get_attribute("href") or "").startswith(("http", "/admin/"))


def test_the_steps_of_a_run_are_seen_while_it_works_and_explained_after(talker: Person, model: ScriptedModel) -> None:
    model.will_answer("Done.", thinking=["let me see "] * 8, every=0.15)
    answer = talker.send("Think about it")
    steps = answer.locator("[data-slot=steps]")
    expect(steps).to_contain_text("recall")
    expect(steps).to_contain_text("thinking…")

    talker.ended(answer)
    expect(steps).to_be_hidden()
    expect(answer.locator("[data-slot=model]")).to_have_text("scripted-1")
    expect(answer.locator("[data-slot=time]")).to_contain_text("tok/s")
    answer.locator("[data-why]").click()
    expect(talker.page.locator("#why-body")).to_contain_text("scripted-1")


def test_what_turns_out_to_be_thinking_leaves_the_page(talker: Person, model: ScriptedModel) -> None:
    model.will_answer("They want the port.\n\nIt was moved.\n</think>It is **8080**.", every=0.1)
    answer = talker.send("Which port?")
    expect(answer).to_contain_text("They want")
    talker.ended(answer)

    assert written(talker.page) == "It is 8080."


def test_a_loading_model_is_told_and_answers_by_itself(talker: Person, model: ScriptedModel) -> None:
    model.loads()
    try:
        answer = talker.send("Are you up?")
        expect(answer.locator("[data-slot=steps]")).to_contain_text("loading the model…")
    finally:
        model.loaded()
    expect(answer.locator(".md").first).to_have_text("OK.", timeout=15_000)


@pytest.mark.parametrize("text", ["$5 and $6", "<b>bold</b> & *typed*"])
def test_what_a_person_typed_stands_as_it_was_typed(talker: Person, text: str) -> None:
    talker.say(text)

    expect(talker.page.locator(".me")).to_have_text(text)
