"""The curation desk in a real browser: what memory holds is seen, put right, taken back and forgotten, by hand."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

from playwright.sync_api import Locator, expect

from forgesite.tests.browser import Person
from forgesite.tests.browser_scripts import CONTRAST, FOCUSED, OUTLINE, SEND, SETTLED
from forgesite.tests.test_browser import serious
from memory.tests.folds import ASKED, DECK, DECK_MORE, HARDWARE, RAM, TELEGRAM

PORT = "The test server runs on port 8080"


def kept(person: Person, content: str, **more: Any) -> int:
    """The id of an entry that is saved for a test."""
    return int(sent(person, "/remember", {"content": content, **more})["id"])


def sent(person: Person, path: str, body: dict[str, Any]) -> Any:
    person.go("/")
    return person.page.evaluate(SEND, [path, body])


def entry(person: Person, pk: int) -> Locator:
    person.go(f"/admin/memory/entry/{pk}/change/")
    return person.page.locator(".entry-page")


def act(person: Person, name: str) -> None:
    person.page.get_by_role("button", name=name, exact=True).click()


def messages(person: Person) -> Locator:
    return person.page.locator(".messagelist")


def test_an_entry_is_found_edited_and_its_edit_taken_back(person: Person) -> None:
    pk = kept(person, "The gateway in the attic runs on port 8000")
    person.go("/admin/memory/entry/")
    person.page.fill("#searchbar", "gateway attic port")
    person.page.press("#searchbar", "Enter")
    person.page.locator(".field-number a", has_text=f"#{pk}").click()
    person.page.fill("#id_text", "The gateway in the attic runs on port 9000")
    act(person, "Save and continue editing")

    changed = person.page.locator(".story > li").first
    expect(changed.locator("del")).to_contain_text("8000")
    expect(changed.locator("ins")).to_contain_text("9000")
    changed.get_by_role("button", name="Undo").click()

    expect(messages(person)).to_contain_text("Undone.")
    expect(person.page.locator("#id_text")).to_have_value("The gateway in the attic runs on port 8000")
    messages(person).get_by_role("button", name="Redo").click()
    expect(messages(person)).to_contain_text("Done again.")
    expect(person.page.locator("#id_text")).to_have_value("The gateway in the attic runs on port 9000")


def test_a_button_that_has_the_focus_can_be_read(person: Person) -> None:
    pk = kept(person, "The choir has a new organist")
    faint: list[str] = []
    for path in (f"/admin/memory/entry/{pk}/change/", f"/admin/memory/entry/{pk}/delete/"):
        for scheme in ("light", "dark"):
            person.page.emulate_media(color_scheme=scheme)
            person.go(path)
            faint += [f"{path} {scheme}: {one}" for one in person.page.evaluate(FOCUSED)]

    assert faint == []


def test_an_entry_is_retracted_restored_and_taken_for_true(person: Person) -> None:
    page = entry(person, kept(person, "The choir meets on Tuesdays"))
    act(person, "Retract")
    expect(page.locator(".entry-line")).to_contain_text("retracted")
    act(person, "Restore")
    expect(page.locator(".entry-line")).to_contain_text("live")
    act(person, "Still true")
    expect(page.locator(".times")).to_contain_text("Still true on")


def test_a_todo_is_closed_and_the_message_takes_it_back(person: Person) -> None:
    page = entry(person, kept(person, "Renew the certificate in June", kind="todo"))
    act(person, "Close")
    expect(page.locator(".entry-line")).to_contain_text("closed")
    messages(person).get_by_role("button", name="Undo").click()
    expect(page.locator(".entry-line")).to_contain_text("open")


def test_two_entries_are_related_by_a_search_from_the_keyboard(person: Person) -> None:
    old = kept(person, "The printer stands in the cellar")
    new = kept(person, "The printer stands on the landing now")
    page = entry(person, old)
    person.page.locator(".relate > summary").focus()
    person.page.keyboard.press("Enter")
    person.page.select_option("#relate-type", "-supersedes")
    person.page.fill("#relate-other", "printer landing")
    person.page.keyboard.press("Enter")
    person.page.get_by_label(f"#{new}").press("Enter")

    expect(page.locator(".entry-line")).to_contain_text(f"replaced by #{new}")
    page.get_by_role("link", name=f"#{new}").first.click()
    expect(page.locator(".related")).to_contain_text("stands in the cellar")
    page.get_by_role("button", name=re.compile("Remove the link")).click()
    expect(page.get_by_text("Related to nothing yet.")).to_be_visible()


def test_the_list_shows_memory_as_it_was(person: Person) -> None:
    pk = kept(person, "The bicycle stands in the yard")
    last = person.context.request.get(f"{person.forge.url}/commits?limit=1").json()["commits"][0]
    entry(person, pk)
    person.page.fill("#id_text", "The bicycle is sold")
    act(person, "Save")
    person.go(f"/admin/memory/entry/as-of/?at=%23{last['tick']}")
    row = person.page.get_by_role("row", name=re.compile(f"#{pk} "))
    expect(row).to_contain_text("stands in the yard")
    expect(row).to_contain_text("edited since")

    person.page.get_by_role("link", name="back to now").click()
    then = datetime.fromisoformat(last["at"]) + timedelta(days=2)
    person.page.fill("[name=at]", f"{then:%Y-%m-%dT%H:%M}")
    act(person, "Show memory as it was")
    expect(person.page.locator(".banner")).to_contain_text("Memory as it was on")
    expect(person.page.get_by_role("row", name=re.compile(f"#{pk} "))).to_contain_text("is sold")


def test_forgetting_asks_twice_and_shows_its_certificate(person: Person) -> None:
    pk = kept(person, "The safe opens with 4711")
    page = entry(person, pk)
    page.get_by_role("link", name="Forget for good…").click()
    main = person.page.get_by_role("button", name="Retract instead")
    assert "default" in (main.get_attribute("class") or "")

    person.page.get_by_label("I know that it cannot be undone.").check()
    person.page.get_by_label(f"Type its number, {pk}:").fill("4711")
    act(person, f"Forget #{pk} for good")
    expect(person.page.get_by_role("alert")).to_contain_text(f"Type {pk} to forget.")
    person.page.get_by_label("I know that it cannot be undone.").check()
    person.page.get_by_label(f"Type its number, {pk}:").fill(str(pk))
    act(person, f"Forget #{pk} for good")

    expect(person.page.locator(".verdict")).to_contain_text(f"#{pk}")
    expect(person.page.locator("#content")).to_contain_text("matches its content")
    expect(person.page.locator("#content")).to_contain_text("Backups made before.")
    person.page.locator(".verdict a").click()
    expect(person.page.locator("#content")).to_contain_text("This entry is forgotten.")
    expect(person.page.locator("#content")).not_to_contain_text("4711")


def test_two_entries_are_folded_and_unwound_and_a_refusal_is_saved_and_forgotten(person: Person) -> None:
    """From the keyboard. The talk and the notes before them make small words common, as they are in any memory."""
    for text in (*(f"user: {asked} assistant: Il y a un détail" for asked in ASKED), RAM, HARDWARE, TELEGRAM):
        person.page.evaluate(SEND, ["/remember", {"content": text, "kind": "exchange" if "user:" in text else "fact"}])
    short, long = kept(person, DECK), kept(person, DECK_MORE)
    person.go("/admin/folds/")
    subject = person.page.locator("form .fold", has_text=f"#{short}").first
    expect(subject).to_contain_text(f"#{long}")
    subject.get_by_role("button", name="Fold", exact=True).press("Enter")
    expect(messages(person)).to_contain_text("1 subject is folded.")
    expect(entry(person, short).locator(".entry-line")).to_contain_text(f"folded into #{long}")

    person.go("/admin/folds/applied/")
    person.page.get_by_role("button", name=f"Unwind the fold of #{long}").press("Enter")
    expect(messages(person)).to_contain_text(f"#{short}")
    expect(entry(person, short).locator(".entry-line")).to_contain_text("live")

    person.go("/")
    person.say("Remember: is the shed locked?")
    person.go("/admin/memory/refusal/")
    person.page.get_by_role("button", name="save anyway").first.press("Enter")
    saved = person.page.get_by_role("row", name=re.compile("is the shed locked")).get_by_role("link").last
    pk = int((saved.text_content() or "").removeprefix("#"))
    entry(person, pk).get_by_role("link", name="Forget for good…").press("Enter")
    person.page.get_by_label("I know that it cannot be undone.").press("Space")
    person.page.get_by_label(f"Type its number, {pk}:").fill(str(pk))
    person.page.keyboard.press("Enter")
    expect(person.page.locator(".verdict")).to_contain_text(f"#{pk}")


def test_a_selection_is_archived_and_brought_back_by_its_message(person: Person) -> None:
    pks = [kept(person, f"Shelf number {n} holds the jars") for n in (1, 2)]
    person.go("/admin/memory/entry/")
    for pk in pks:
        person.page.check(f".action-select[value='{pk}']")
    person.page.select_option("[name=action]", "archive_selected")
    person.page.click(".actions button[name=index]")
    expect(messages(person)).to_contain_text("2 entries archived.")
    row = person.page.get_by_role("row", name=re.compile(f"#{pks[0]} "))
    expect(row).to_contain_text("archived")
    messages(person).get_by_role("button", name="Undo").click()
    expect(row).to_contain_text("live")


def test_a_save_is_undone_and_done_again_from_its_chip(person: Person) -> None:
    told = person.say(f"Remember that {PORT.lower()}")
    chip = told.locator("[data-entry]")
    pk = int(chip.get_attribute("data-entry") or 0)
    chip.locator("[data-undo]").focus()
    person.page.keyboard.press("Enter")
    expect(chip).to_have_class(re.compile("undone"))
    expect(chip.locator("[data-redo]")).to_be_focused()
    expect(person.page.locator("#announce")).to_have_text(f"#{pk} is undone.")

    person.page.reload()
    expect(chip.locator(".was-undone")).to_be_visible()
    chip.locator("[data-redo]").click()
    expect(chip).not_to_have_class(re.compile("undone"))
    person.page.reload()
    chip.locator("[data-undo]").click()
    expect(chip).to_have_class(re.compile("undone"))
    page = entry(person, pk)
    expect(page.locator(".entry-line")).to_contain_text("retracted")


def test_what_was_known_already_offers_no_undo(person: Person) -> None:
    person.say("Remember that the cellar is damp")
    again = person.say("Remember that the cellar is damp").locator("[data-entry]")

    expect(again.locator("[data-forget]")).to_be_visible()
    expect(again.locator("[data-undo]")).to_be_hidden()


def test_a_save_that_moved_since_says_so_on_its_chip(person: Person) -> None:
    chip = person.say("Remember that the ladder is green").locator("[data-entry]")
    talk = person.page.url
    entry(person, int(chip.get_attribute("data-entry") or 0))
    person.page.fill("#id_text", "The ladder is red")
    act(person, "Save")
    person.go(talk)
    chip.locator("[data-undo]").click()

    expect(chip.locator("[role=alert]")).to_contain_text("changed again since")
    expect(chip).not_to_have_class(re.compile("undone"))


def test_what_a_search_finds_comes_after_its_page_and_takes_the_keys(person: Person) -> None:
    kept(person, "The samovar stands in the pantry")
    person.go("/admin/memory/entry/?q=samovar+pantry")
    expect(person.page.locator("#result_list")).to_contain_text("samovar")
    for key in "jx":
        person.page.keyboard.press(key)
    expect(person.page.locator(".action-counter")).to_contain_text("1 of")


def new_pages(person: Person) -> list[str]:
    """Every page of this desk, with something on it."""
    pk = kept(person, "The kettle stands in the kitchen", kind="note")
    other = kept(person, "The kettle stands in the study")
    gone = kept(person, "The old kettle leaks")
    sent(person, f"/memory/{pk}/links", {"type": "conflicts", "other": other})
    sent(person, f"/memory/{pk}/archive", {})
    person.page.evaluate(
        """async (url) => {
      const token = document.querySelector("meta[name=csrf-token]").content;
      await fetch(url, { method: "DELETE", headers: { "X-CSRFToken": token } });
    }""",
        f"/memory/{gone}",
    )
    person.go("/admin/memory/erasure/")
    certificate = person.page.locator(".field-number a").first.get_attribute("href") or ""
    person.go("/admin/memory/commit/")
    commit = person.page.locator(".field-number a").nth(1).get_attribute("href") or ""
    person.go("/")
    person.say("Where does the kettle stand?")
    talk = person.page.url.rstrip("/").rpartition("/")[2]
    person.go(f"/admin/chat/conversation/{talk}/change/")
    run = person.page.get_by_role("link", name="run answered").get_attribute("href") or ""
    message = person.page.locator(".said .mono").first.get_attribute("href") or ""
    of = f"/admin/memory/entry/{pk}"
    return [
        f"{of}/change/", f"{of}/delete/?goes=1", f"{of}/relate/?type=conflicts&q=kettle",
        f"/admin/memory/entry/{gone}/history/", "/admin/memory/entry/as-of/?at=2030-01-01", "/admin/memory/entry/",
        commit, certificate, "/admin/memory/commit/rebuild/", "/admin/", "/admin/chat/conversation/",
        f"/admin/chat/conversation/{talk}/change/", message, run, "/admin/folds/", "/admin/retention/proposal/",
        "/admin/health/", "/admin/health/jobs/",
    ]  # fmt: skip


def test_the_desks_pages_have_no_serious_fault_in_either_theme_and_fit_a_phone(person: Person) -> None:
    """Headings go down by one level at a time, and what the keyboard comes to first leads past the navigation."""
    faults = []
    for path in new_pages(person):
        person.page.set_viewport_size({"width": 1280, "height": 900})
        person.page.emulate_media(color_scheme="light")
        person.go(path)
        faults += [f"{path}: {one}" for one in serious(person)]
        faults += [f"{path}: {one}" for one in person.page.evaluate(OUTLINE)]
        person.page.emulate_media(color_scheme="dark")
        person.page.evaluate(SETTLED)
        faults += [f"{path} dark: {one}" for one in person.page.evaluate(CONTRAST)]
        person.page.set_viewport_size({"width": 360, "height": 740})
        faults += [] if person.no_sideways_scroll() else [f"{path}: scrolls sideways"]

    assert faults == []
    person.wrong.clear()  # the checker tries styles of its own, which the policy refuses
