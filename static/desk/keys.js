// The keyboard of the desk. A row is the one that has the focus; whatever says `aria-keyshortcuts` is pressed by its key.

import { actionOf, keyOf } from "./keymap.js";

const OFF = "desk-keys-off";
const PLACE = "desk-row";
const TYPED = "input:not([type=checkbox], [type=radio], [type=submit]), textarea, select, [contenteditable]";

const help = document.getElementById("keys");
const list = document.getElementById("changelist-form");
const rows = () => [...document.querySelectorAll("#result_list tbody tr, [data-row]")];
const rowOf = (element) => rows().find((row) => row.contains(element));
const tick = (row) => row?.querySelector(".action-select");

function focus(place) {
  const all = rows();
  const row = all[Math.max(0, Math.min(place, all.length - 1))];
  row?.querySelector("a, button")?.focus();
  row?.scrollIntoView({ block: "nearest" });
}

/** From no row at all either step leads to the first. */
const step = (by) => focus(rows().indexOf(rowOf(document.activeElement)) + by);

/** What is ticked, or else the row with the focus, as an action of the list. */
function actOnMany(key) {
  const ticked = rows().filter((row) => tick(row)?.checked);
  const here = rowOf(document.activeElement);
  const chosen = ticked.length ? ticked : [here].filter((row) => tick(row));
  const action = actionOf(key, chosen.map((row) => row.querySelector("[data-state]")?.dataset.state ?? ""));
  const select = list?.elements.action;
  // An action that this account may not do is not offered.
  if (!select || ![...select.options].some((option) => option.value === action)) return false;
  for (const row of chosen) tick(row).checked = true;
  select.value = action;
  sessionStorage.setItem(PLACE, `${location.pathname} ${rows().indexOf(here ?? chosen[0])}`);
  list.requestSubmit(list.querySelector("button[name=index]"));
  return true;
}

function press(key) {
  const own = `[aria-keyshortcuts="${CSS.escape(key)}"]`;
  const found = rowOf(document.activeElement)?.querySelector(own) ?? document.querySelector(own);
  if (!found) return false;
  if (found.matches(TYPED)) found.focus();
  else found.click();
  return true;
}

const ACTS = {
  j: () => step(1),
  k: () => step(-1),
  o: () => rowOf(document.activeElement)?.querySelector("a")?.click(),
  x: () => tick(rowOf(document.activeElement))?.click(),
  u: () => document.querySelector(".messagelist form.undo button")?.click(),
  "/": () => (document.getElementById("searchbar") ?? document.querySelector(".desk-search input"))?.focus(),
  "?": () => help?.showModal(),
};

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
  const key = keyOf(event, { typing: Boolean(event.target.closest?.(TYPED)), off: localStorage.getItem(OFF) !== null });
  if (!key) return;
  if (ACTS[key]) ACTS[key]();
  else if (!actOnMany(key) && !press(key)) return;
  event.preventDefault();
});

for (const button of document.querySelectorAll("[data-keys-help]")) {
  button.hidden = false;
  button.addEventListener("click", () => help?.showModal());
}

const on = help?.querySelector("[data-keys-on]");
if (on) {
  on.checked = localStorage.getItem(OFF) === null;
  on.addEventListener("change", () => (on.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "1")));
}

// After an act on the list, the row that stands now where the last one stood. What a search found comes after the page,
// and Django's script has not seen its boxes.
const [path, place] = (sessionStorage.getItem(PLACE) ?? "").split(" ");
sessionStorage.removeItem(PLACE);
const back = () => path === location.pathname && rows().length && focus(Number(place));
back();
list?.addEventListener("desk-part", () => {
  const boxes = list.querySelectorAll(".action-select");
  if (boxes.length) window.Actions?.(boxes);
  back();
});
