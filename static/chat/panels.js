// The panels at the right, of which one is open at a time: why an answer, and the drawer.

const app = document.getElementById("app");
let shown = null;
let opener = null;

/** Shows a panel in place of the other. `from` has the focus again when it closes. */
export function open(panel, from) {
  if (shown && shown !== panel) hide();
  shown = panel;
  opener = from;
  app.classList.add("explained");
  panel.hidden = false;
  if (opener?.hasAttribute("aria-expanded")) opener.setAttribute("aria-expanded", "true");
  panel.focus();
}

/** Whether one was open. */
export function close() {
  if (!shown) return false;
  const back = opener;
  hide();
  back?.focus();
  return true;
}

function hide() {
  shown.hidden = true;
  if (opener?.hasAttribute("aria-expanded")) opener.setAttribute("aria-expanded", "false");
  app.classList.remove("explained");
  shown = null;
  opener = null;
}
