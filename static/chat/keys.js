// The keyboard: one key an act, none of them while a person types.

const typing = (element) => element.closest("input, textarea, select, [contenteditable]");

export function start(acts) {
  const table = { n: acts.fresh, "/": acts.search, m: acts.box, w: acts.why, "?": acts.keys, Escape: acts.escape };
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    const inBox = typing(event.target);
    const emptyBox = event.target.id === "message" && event.target.value === "";
    if (inBox && event.key !== "Escape" && !(emptyBox && event.key === "?")) return;
    const act = table[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
