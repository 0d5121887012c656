// The keyboard: one key an act, none of them while a person types.

const typing = (element) => element.closest("input:not([type=checkbox]), textarea, select, [contenteditable]");

export function start(acts) {
  const table = {
    n: acts.fresh,
    "/": acts.search,
    m: acts.box,
    e: acts.edit,
    r: acts.retry,
    c: acts.copy,
    w: acts.why,
    p: acts.pin,
    d: acts.drawer,
    o: acts.models,
    l: acts.end,
    "?": acts.keys,
    Escape: acts.escape,
  };
  // In the empty box these are no text yet.
  const inEmptyBox = { "?": acts.keys, ArrowUp: acts.edit };

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open], :popover-open")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const emptyBox = event.target.id === "message" && event.target.value === "";
    const act = !typing(event.target) || key === "Escape" ? table[key] : emptyBox && inEmptyBox[key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
