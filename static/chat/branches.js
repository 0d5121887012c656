// Versions of a message: edit and send again, answer again, go on, and the switch between what came of it.

import { call } from "./acts.js";
import { obstacle } from "./composer.js";
import { announce, fill, page, part, slot } from "./parts.js";

const thread = document.getElementById("thread");
const SHOWN = ".asked, article.it";

const idsOf = (element) => (element.dataset.siblings ? element.dataset.siblings.split(",").map(Number) : []);

/** The switch ‹ 2/3 › under a message that has other versions. */
export function drawSwitch(element) {
  element.querySelector(".switch")?.remove();
  const ids = idsOf(element);
  if (ids.length < 2) return;
  const at = ids.indexOf(Number(element.dataset.message));
  const control = fill(part("switch"), { place: `${at + 1}/${ids.length}` });
  for (const [name, id] of [["before", ids[at - 1]], ["after", ids[at + 1]]]) {
    slot(control, name).disabled = id === undefined;
    slot(control, name).dataset.branch = id ?? "";
  }
  (element.querySelector(".foot") ?? element).append(control);
}

/** Shows the branch of another version: the thread is read anew, and stays where it was. */
export async function toBranch(button) {
  const body = new URLSearchParams({ message: button.dataset.branch });
  const url = page.urls.branch.replace("ID", page.conversation);
  button.disabled = true;
  const response = await fetch(url, { method: "POST", body, credentials: "same-origin", headers: { "X-CSRFToken": token() } }).catch(() => null);
  if (!response?.ok) return location.reload();
  const other = new DOMParser().parseFromString(await response.text(), "text/html");
  page.tip = JSON.parse(other.getElementById("page-data").textContent).tip;
  thread.replaceChildren(...other.getElementById("thread").childNodes);
  thread.querySelectorAll(SHOWN).forEach(drawSwitch);
  const shown = thread.querySelector(`[data-message="${Number(body.get("message"))}"]`);
  shown?.scrollIntoView({ block: "nearest" });
  shown?.querySelector(".switch button:not(:disabled)")?.focus();
  announce(gettext("Another version is shown."));
  return thread;
}

const token = () => document.querySelector("meta[name=csrf-token]").content;

/** Takes away what the new branch does not hold. The versions beside the message or the answer that comes, itself last;
 * null where what it follows is not on this page. */
export function makeRoom(run) {
  if (run.continues) return {};
  const asked = messageOf(run.asked.id);
  if (asked) return { answer: cutAfter(asked, run.answerId) };
  if (run.parent === null) return {};
  const parent = messageOf(run.parent);
  return parent || run.parent === 0 ? { asked: cutAfter(parent, run.asked.id) } : null;
}

const messageOf = (id) => thread.querySelector(`:is(${SHOWN})[data-message="${Number(id)}"]`);

function cutAfter(element, id) {
  const after = [...thread.querySelectorAll(SHOWN)].filter((one) => !element || element.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
  const beside = after.length ? idsOf(after[0]) : [];
  const ids = after.length ? [...(beside.length ? beside : [Number(after[0].dataset.message)]), id] : [];
  for (const one of after) one.remove();
  for (const fold of thread.querySelectorAll(".fold")) if (!fold.querySelector(SHOWN)) fold.remove();
  return ids;
}

/** The box in the place of the message. `send(text, parent)` is called with what came of it. */
export function edit(asked, send) {
  if (asked.querySelector(".edit")) return;
  const bubble = slot(asked, "text");
  const form = part("edit");
  const box = slot(form, "text");
  box.value = bubble.textContent;
  box.rows = Math.min(box.value.split("\n").length + 1, 12);
  asked.classList.add("editing");
  asked.append(form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit(asked, form, send);
  });
  form.addEventListener("keydown", (event) => onKey(event, asked, form));
  form.querySelector("[data-edit-cancel]").addEventListener("click", () => leave(asked));
  box.focus();
  box.setSelectionRange(box.value.length, box.value.length);
}

function onKey(event, asked, form) {
  if (event.key === "Escape") leave(asked);
  else if (event.key === "Enter" && !event.shiftKey && !event.isComposing && event.target.matches("textarea")) form.requestSubmit();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function submit(asked, form, send) {
  const text = slot(form, "text").value;
  const trouble = obstacle(text);
  slot(form, "trouble").textContent = trouble;
  // It stays open: once the text is accepted, the new version takes its place.
  if (!trouble && text.trim()) send(text, Number(asked.dataset.parent));
}

function leave(asked) {
  asked.querySelector(".edit").remove();
  asked.classList.remove("editing");
  asked.querySelector("[data-edit]").focus();
}

export function start() {
  thread.querySelectorAll(SHOWN).forEach(drawSwitch);
}

/** An answer as it was written, for the clipboard. */
export async function writtenOf(article, runs) {
  const live = runs[article.dataset.run]?.text;
  if (live) return live;
  const id = Number(article.dataset.message);
  const query = new URLSearchParams({ conversation: page.conversation, before: id + 1, limit: 1 });
  const rows = await call("GET", `/history?${query}`);
  return rows.find((row) => row.id === id)?.content ?? slot(article, "blocks").textContent;
}
