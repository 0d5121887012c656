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
  page.tip = JSON.parse(other.getElementById("page-data").textContent).tip;
  counted(Number(slot(other.getElementById("drawer-open"), "count").textContent));
  thread.replaceChildren(...fresh.childNodes);
  thread.querySelectorAll(SHOWN).forEach(drawSwitch);
  if (reading) backTo(reading);
  else toEnd();
  return thread;
}

/** The message at the top of what is in sight, and how far below the top it stands. */
function firstInSight() {
  const top = scroller.getBoundingClientRect().top;
  const first = [...thread.querySelectorAll(SHOWN)].find((one) => one.getBoundingClientRect().bottom > top);
  return first && { id: first.dataset.message, at: first.getBoundingClientRect().top };
}

/** One that was folded meanwhile is stood for by its fold. */
function backTo({ id, at }) {
  const message = [...thread.querySelectorAll(SHOWN)].find((one) => one.dataset.message === id);
  const stands = message?.closest(".fold") ?? message;
  if (stands) scroller.scrollTop += stands.getBoundingClientRect().top - at;
}
