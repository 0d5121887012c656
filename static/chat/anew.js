// The thread read anew and put in place of what is shown, with the reader where they were: messages were folded.

import { drawSwitch } from "./branches.js";
import { counted } from "./drawer.js";
import { page, slot } from "./parts.js";
import { follows, toEnd } from "./scroll.js";

const scroller = document.getElementById("scroller");
const thread = document.getElementById("thread");
const SHOWN = ".asked, article.it";

/** The new thread, or null where it could not be read, or `busy()` by then: it is best tried again. */
export async function reread(busy) {
  const response = await fetch(location.href, { credentials: "same-origin" }).catch(() => null);
  if (!response?.ok || response.redirected) return null;
  const other = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = other.getElementById("thread");
  if (!fresh || busy()) return null;
  const reading = follows() ? null : firstInSight();
  const focused = inFocus();
  const opened = new Set([...thread.querySelectorAll("details[open] [data-message]")].map(idOf));
  page.tip = JSON.parse(other.getElementById("page-data").textContent).tip;
  counted(Number(slot(other.getElementById("drawer-open"), "count").textContent));
  thread.replaceChildren(...fresh.childNodes);
  thread.querySelectorAll(SHOWN).forEach(drawSwitch);
  for (const fold of thread.querySelectorAll("details")) if ([...fold.querySelectorAll("[data-message]")].some((one) => opened.has(idOf(one)))) fold.open = true;
  if (reading) backTo(reading);
  else toEnd();
  if (focused) messageOf(focused.id)?.querySelector(focused.button)?.focus({ preventScroll: true });
  return thread;
}

const idOf = (element) => element.dataset.message;

const messageOf = (id) => [...thread.querySelectorAll(SHOWN)].find((one) => idOf(one) === id);

/** The button of a message that has the focus: its successor is to have it. */
function inFocus() {
  const button = document.activeElement;
  const name = thread.contains(button) && [...button.attributes].find((one) => one.name.startsWith("data-"))?.name;
  const id = name && button.closest(SHOWN)?.dataset.message;
  return id ? { id, button: `[${name}]` } : null;
}

/** The message at the top of what is in sight, and how far below the top it stands. */
function firstInSight() {
  const top = scroller.getBoundingClientRect().top;
  const first = [...thread.querySelectorAll(SHOWN)].find((one) => one.checkVisibility() && one.getBoundingClientRect().bottom > top);
  return first && { id: first.dataset.message, at: first.getBoundingClientRect().top };
}

/** One that was folded meanwhile is stood for by its fold. */
function backTo({ id, at }) {
  const message = messageOf(id);
  const stands = message?.closest("details:not([open])")?.closest(".fold") ?? message;
  if (stands) scroller.scrollTop += stands.getBoundingClientRect().top - at;
}
