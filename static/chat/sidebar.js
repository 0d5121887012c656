// The list of conversations: searched on the server, swapped in place; rename and delete ask in a dialog.

import { fill, page, slot } from "./parts.js";

const app = document.getElementById("app");
const find = document.getElementById("find");
const holder = document.getElementById("conversations");
let asked = 0;
let archived = false;
let timer = 0;

/** Fetches the list anew, for what is being searched. An answer that was overtaken is dropped. */
export async function refresh() {
  const turn = ++asked;
  const query = new URLSearchParams({ q: find.value, current: page.conversation, ...(archived && { archived: 1 }) });
  const response = await fetch(`${page.urls.list}?${query}`, { credentials: "same-origin" }).catch(() => null);
  if (!response?.ok || response.redirected || turn !== asked) return;
  const parsed = new DOMParser().parseFromString(await response.text(), "text/html");
  // A menu that is open stays as it is: the next refresh comes soon enough.
  if (turn !== asked || holder.querySelector("details[open]")) return;
  holder.replaceChildren(...parsed.body.childNodes);
  const entries = holder.querySelector("[data-entries]");
  if (entries) document.getElementById("entry-count").textContent = entries.dataset.entries;
  const todos = holder.querySelector("[data-todos]");
  if (todos) showTodos(todos);
}

/** Beside Memory, and as a dot on the button that opens the list where the page is narrow. */
function showTodos(badge) {
  const due = Number(badge.dataset.todos);
  const opens = document.querySelector("[data-open-side]");
  document.getElementById("todos").replaceChildren(badge.content.cloneNode(true));
  slot(opens, "due").hidden = due === 0;
  const name = gettext("Conversations");
  opens.setAttribute("aria-label", due ? `${name}; ${interpolate(ngettext("%s due", "%s due", due), [due])}` : name);
}

export const title = () => holder.querySelector("[aria-current]")?.textContent ?? "";

export const focusSearch = () => {
  list(true);
  find.focus();
};

/** The list as a drawer, where the page is narrow. */
function list(open) {
  app.classList.toggle("listing", open);
  document.querySelector("[data-open-side]").setAttribute("aria-expanded", String(open));
}

/** Whether it was open. */
export function close() {
  const open = app.classList.contains("listing");
  list(false);
  for (const menu of holder.querySelectorAll("details[open]")) menu.open = false;
  return open;
}

function open() {
  list(true);
  document.querySelector("[data-close-side]").focus();
}

/** The archived ones, or the others. */
async function show(those) {
  archived = those;
  await refresh();
  (holder.querySelector("[data-archived]") ?? find).focus();
}

function dialog(name, action, title) {
  const element = document.getElementById(name);
  element.querySelector("form").action = action;
  const field = element.querySelector("input[name=title]");
  if (field) field.value = title;
  else fill(element, { title });
  element.showModal();
}

function onClick(event) {
  const { target } = event;
  const rename = target.closest("[data-rename]");
  const remove = target.closest("[data-delete]");
  if (rename) dialog("rename", rename.dataset.rename, rename.dataset.title);
  if (remove) dialog("delete", remove.dataset.delete, remove.dataset.title);
  for (const menu of holder.querySelectorAll("details[open]")) if (!menu.contains(target)) menu.open = false;
  if (target.closest("[data-cancel]")) target.closest("dialog").close();
  const other = target.closest("[data-archived]");
  if (other) show(other.dataset.archived === "1");
  if (target.closest("[data-open-side]")) open();
  if (target.closest("[data-close-side]")) document.querySelector("[data-open-side]").focus();
  if (target.closest("[data-close-side]") || (!target.closest("#side, [data-open-side]") && app.classList.contains("listing"))) close();
}

export function start() {
  document.addEventListener("click", onClick);
  find.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(refresh, 150);
  });
  if (find.value) refresh(); // typed before this module had loaded
}
