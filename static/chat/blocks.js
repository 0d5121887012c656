// The text of an answer: its rendered blocks, and what no block shows yet, set down where it will stand.

import { tail } from "./frames.js";
import { setHtml } from "./parts.js";

const FLOWING = "p, li, pre, code, ul, ol, blockquote, h1, h2, h3, h4, h5, h6, .code";
const SIDEWAYS = ".code pre, .table, .formula";

/** Replaces the blocks that changed, and no other: what was read stays where it is. */
export function setBlocks(holder, before, after) {
  if (after.length < before.length) holder.replaceChildren();
  after.forEach((html, index) => {
    if (before[index] === html && holder.children[index]) return;
    while (holder.children.length <= index) holder.append(document.createElement("div"));
    setHtml(holder.children[index], html);
    dress(holder.children[index]);
  });
}

/** What no block shows yet: inside the last one where it goes on with it, below it where it begins anew. */
export function setTail(holder, below, run) {
  for (const old of holder.querySelectorAll(".going-on")) old.remove();
  const rest = tail(run);
  const end = rest ? openEnd(holder) : null;
  const inCode = end?.matches("pre code");
  // A block ends without the blanks that it was written with; code with the end of a line that still goes on.
  const words = rest && !inCode ? run.text.slice(0, run.covered).match(/\s*$/)[0] + rest : rest;
  const open = /^\s*\n\s*\n/.test(words) && !inCode ? null : end;
  const [inside, after] = open ? parted(words, inCode) : ["", words];
  if (inCode && !run.text.slice(0, run.covered).endsWith("\n")) sameLine(end);
  if (inside) open.append(Object.assign(document.createElement("span"), { className: "going-on", textContent: inside }));
  below.textContent = after.trimStart();
}

/** The fence that ends a code block ends what stands in it. */
function parted(words, inCode) {
  const fence = inCode ? words.search(/^ {0,3}(```|~~~)/m) : -1;
  return fence < 0 ? [words, ""] : [words.slice(0, fence), words.slice(fence).replace(/^.*\n?/, "")];
}

function sameLine(code) {
  const last = code.lastChild;
  if (last?.nodeType === Node.TEXT_NODE && last.data.endsWith("\n")) last.data = last.data.slice(0, -1);
}

/** The innermost element that the text ends in; null where that is a table, a formula, or nothing. */
function openEnd(holder) {
  const last = [...holder.children].findLast((block) => block.childElementCount);
  let at = last?.lastElementChild;
  if (!at?.matches(FLOWING)) return null;
  for (let next = inner(at); next; next = inner(at)) at = next;
  return at;
}

function inner(element) {
  const parts = [...element.childNodes].filter((node) => node.nodeType === Node.ELEMENT_NODE || node.textContent.trim());
  const last = parts.findLast((node) => !node.matches?.(".copy"));
  return last?.matches?.(FLOWING) && !last.matches("p code, li code, h1 code, h2 code, h3 code, h4 code") ? last : null;
}

/** What the server's HTML cannot carry: a button on each code block, and a stop for the keyboard where one scrolls. */
export function dress(root) {
  for (const block of root.querySelectorAll(".code")) {
    if (block.querySelector(".copy")) continue;
    const button = Object.assign(document.createElement("button"), { type: "button", className: "copy quiet", textContent: gettext("Copy") });
    button.setAttribute("aria-label", gettext("Copy the code"));
    block.append(button);
  }
  reach(root);
}

/** A box that scrolls sideways is reached by the keyboard; one that fits is no stop on the way. */
export function reach(root) {
  for (const box of root.querySelectorAll(SIDEWAYS)) {
    if (box.scrollWidth > box.clientWidth) Object.assign(box, { tabIndex: 0, role: "group", ariaLabel: gettext("Scrolls sideways") });
    else box.removeAttribute("tabindex");
  }
}
