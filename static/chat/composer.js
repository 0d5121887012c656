// The message box: keeps what was typed until the server has it, through reloads and lost connections too.

import { page } from "./parts.js";

const box = document.getElementById("message");
const trouble = document.getElementById("trouble");

const draftKey = () => `draft:${page.conversation}`;

export const text = () => box.value;

export function say(message) {
  trouble.hidden = !message;
  trouble.querySelector("[data-slot=text]").textContent = message ?? "";
}

const bytes = (value) => new TextEncoder().encode(value).length;
const mebibytes = (size) => new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 2 }).format(size / 1048576);

/** Why this text cannot be sent, or an empty string. */
export function obstacle(value) {
  if (value.length * 3 <= page.limit) return "";
  const size = bytes(value);
  if (size <= page.limit) return "";
  const words = gettext("This text has %(size)s MiB, and %(limit)s MiB is the most. It stays in the box: shorten it, or send it in parts.");
  return interpolate(words, { size: mebibytes(size), limit: mebibytes(page.limit) }, true);
}

export function put(value) {
  box.value = value;
  changed();
  box.focus();
  box.setSelectionRange(value.length, value.length);
}

/** Empties the box, but only of what was sent: words typed meanwhile stay. */
export function taken(sent) {
  if (box.value === sent) box.value = "";
  else if (box.value.startsWith(sent)) box.value = box.value.slice(sent.length);
  changed();
}

export const focus = () => box.focus();

export const leave = () => box.blur();

function grow() {
  if (CSS.supports("field-sizing", "content")) return;
  box.rows = Math.min(box.value.split("\n").length, 12);
}

function changed() {
  grow();
  try {
    if (box.value && box.value.length < 100000) sessionStorage.setItem(draftKey(), box.value);
    else sessionStorage.removeItem(draftKey());
  } catch {
    // no storage: the draft lives in the box alone
  }
}

export function start({ send }) {
  try {
    box.value ||= sessionStorage.getItem(draftKey()) ?? "";
  } catch {
    // as above
  }
  grow();
  box.addEventListener("input", () => {
    changed();
    say(obstacle(box.value));
  });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.defaultPrevented) return;
    event.preventDefault();
    send(box.value);
  });
  document.getElementById("composer").addEventListener("submit", (event) => {
    event.preventDefault();
    send(box.value);
  });
}
