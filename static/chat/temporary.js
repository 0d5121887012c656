// A conversation that leaves nothing in memory: switched on before its first message, marked from then on.

import { announce, page } from "./parts.js";

const app = document.getElementById("app");
const toggle = document.getElementById("temporary");

export const asked = () => toggle?.checked ?? false;

function show() {
  const on = page.temporary || asked();
  app.classList.toggle("temporary", on);
  document.getElementById("temporary-note").hidden = !on;
}

/** The conversation has begun: what it is, it stays. */
export function settle() {
  if (!toggle) return;
  page.temporary = asked();
  document.querySelector("[data-slot=temporary-mark]").hidden = !page.temporary;
  toggle.closest("label").hidden = true;
  show();
}

export function start() {
  // From the command: the page begins switched on.
  if (toggle && new URLSearchParams(location.search).has("temporary")) toggle.checked = true;
  toggle?.addEventListener("change", () => {
    show();
    announce(toggle.checked ? gettext("Temporary: nothing enters memory.") : gettext("Not temporary."));
  });
  show();
}
