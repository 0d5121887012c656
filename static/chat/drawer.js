// The drawer: pins messages, and shows what is pinned here and in other conversations.

import { call, getJson } from "./acts.js";
import * as panels from "./panels.js";
import { announce, fill, page, part, slot } from "./parts.js";

const panel = document.getElementById("drawer");
const body = document.getElementById("drawer-body");
const opens = document.getElementById("drawer-open");
const thread = document.getElementById("thread");
const SHOWN = ".asked, article.it";

const messageOf = (id) => [...thread.querySelectorAll(SHOWN)].find((one) => one.dataset.message === String(id));

/** Pins what the button belongs to, with its partner; or unpins it alone. Resolves to whether a fold has changed. */
export async function toggle(button) {
  const message = button.closest(SHOWN);
  const unpins = button.getAttribute("aria-pressed") === "true";
  // Not disabled: that would take the focus away.
  if (button.ariaBusy === "true") return false;
  button.ariaBusy = "true";
  try {
    const done = await call("POST", `/drawer/${unpins ? "unpin" : "pin"}`, { message_id: Number(message.dataset.message) });
    mark(done.messages, !unpins);
    counted(done.count);
    announce(unpins ? gettext("Unpinned.") : interpolate(ngettext("%s message pinned.", "%s messages pinned.", done.messages.length), [done.messages.length]));
    if (!panel.hidden) await show();
    return !unpins && message.closest(".fold") !== null;
  } catch (error) {
    announce(error.message);
    return false;
  } finally {
    button.ariaBusy = null;
  }
}

function mark(ids, pinned) {
  for (const id of ids) messageOf(id)?.querySelector("[data-pin]").setAttribute("aria-pressed", String(pinned));
}

/** On the button in the header. */
export function counted(count) {
  const number = slot(opens, "count");
  number.textContent = count;
  number.hidden = count === 0;
  opens.setAttribute("aria-label", interpolate(ngettext("Drawer: %s pinned message", "Drawer: %s pinned messages", count), [count]));
}

export async function open() {
  panels.open(panel, opens);
  body.setAttribute("aria-busy", "true");
  await show();
  body.removeAttribute("aria-busy");
}

async function show() {
  try {
    const rows = await getJson("/drawer");
    // Of a temporary conversation only who names it is told.
    const here = page.temporary ? await getJson(`/drawer?conversation=${encodeURIComponent(page.conversation)}`) : rows.filter((row) => row.conversation === page.conversation);
    const elsewhere = rows.filter((row) => row.conversation !== page.conversation);
    body.replaceChildren(...section(gettext("In this conversation"), here, nothing()), ...(elsewhere.length ? section(gettext("In other conversations"), elsewhere) : []));
  } catch (error) {
    body.replaceChildren(line(error.message));
  }
}

const nothing = () => line(gettext("Nothing is pinned here. The pin under a message puts it here, with what it belongs to."));

function section(title, rows, empty) {
  if (!rows.length) return [heading(title), empty];
  const list = document.createElement("ul");
  list.append(...rows.map(card));
  return [heading(`${title} · ${rows.length}`), list];
}

function card(row) {
  const elsewhere = row.conversation !== page.conversation;
  const who = row.role === "user" ? gettext("You") : row.model || "Forge";
  const element = fill(part("pinned"), { who: elsewhere && row.title ? `${who} · ${row.title}` : who, when: day(row.created_at), words: row.content });
  element.dataset.message = row.id;
  const jump = slot(element, "jump");
  jump.href = `${page.urls.conversation.replace("ID", row.conversation)}?message=${Number(row.id)}`;
  jump.addEventListener("click", (event) => goTo(event, row.id));
  slot(element, "unpin").addEventListener("click", () => takeOut(element, row));
  return element;
}

const day = (moment) => new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium" }).format(new Date(moment));

/** To the message, where the page shows it; else the link leads there. */
function goTo(event, id) {
  if (!reveal(id)) return;
  event.preventDefault();
  if (matchMedia("(max-width: 1100px)").matches) panels.close();
  const message = messageOf(id);
  message.tabIndex = -1;
  message.focus({ preventScroll: true });
}

/** Brings a message of the thread in sight, out of its fold; false where the page does not show it. */
export function reveal(id) {
  const message = messageOf(id);
  if (!message) return false;
  const fold = message.closest("details");
  if (fold) fold.open = true;
  message.scrollIntoView({ block: "center" });
  return true;
}

async function takeOut(element, row) {
  try {
    const done = await call("POST", "/drawer/unpin", { message_id: row.id });
    mark(done.messages, false);
    if (row.conversation === page.conversation) counted(done.count);
    announce(gettext("Unpinned."));
    await show();
    panel.focus();
  } catch (error) {
    element.append(Object.assign(line(error.message), { role: "alert" }));
  }
}

const heading = (words) => Object.assign(document.createElement("h3"), { textContent: words });

function line(words) {
  return Object.assign(document.createElement("p"), { textContent: words, className: "small" });
}

export function start() {
  opens.addEventListener("click", () => (panel.hidden ? open() : panels.close()));
  document.querySelector("[data-close-drawer]").addEventListener("click", panels.close);
}
