// To the clipboard, also where a page without https is kept from the modern way.

import { announce } from "./parts.js";

export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text) {
  const box = Object.assign(document.createElement("textarea"), { value: text, className: "visually-hidden" });
  document.body.append(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  return done;
}

/** Copies, and says so on the button for a moment. */
export async function copyBy(button, text) {
  const done = await copyText(text);
  const label = (button.dataset.label ??= button.textContent);
  button.textContent = done ? gettext("Copied") : gettext("Not copied");
  announce(button.textContent);
  setTimeout(() => {
    button.textContent = label;
  }, 2000);
}
