// Draws a run into the thread: only what changed since the last frame is touched, so nothing jumps.

import { tail } from "./frames.js";
import { announce, distance, entryUrl, fill, kindName, part, setHtml, slot } from "./parts.js";

const thread = document.getElementById("thread");
const scroller = document.getElementById("scroller");
const drawn = new Map();

const SIGNS = {
  ok: ["✓", () => gettext("answered")],
  none: ["∅", () => gettext("ran, answered nothing")],
  bad: ["✗", () => gettext("failed")],
};

/** Follows the end of the thread, unless the reader has scrolled away from it. */
export function following(change) {
  const near = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 80;
  change();
  if (near) scroller.scrollTop = scroller.scrollHeight;
}

export const toEnd = () => {
  scroller.scrollTop = scroller.scrollHeight;
};

/** The person's message, once, before the answer to it. */
export function showAsked(text, messageId, run) {
  document.getElementById("empty")?.remove();
  if (thread.querySelector(`.me[data-message="${Number(messageId)}"]`)) return;
  const bubble = fill(part("asked"), { text });
  bubble.dataset.message = messageId;
  bubble.id = `m${Number(messageId)}`;
  thread.insertBefore(bubble, articleOf(run));
  toEnd();
}

export function draw(run) {
  following(() => {
    const article = articleOf(run.run);
    const before = drawn.get(run.run) ?? first(article);
    if (!before) return;
    blocks(article, before, run);
    slot(article, "tail").textContent = tail(run);
    if (run.recalled !== before.recalled) chips(article, run.recalled);
    for (const frame of run.saved.slice(before.saved.length)) slot(article, "notes").append(saved(frame));
    for (const frame of run.refused.slice(before.refused.length)) slot(article, "notes").append(refused(frame));
    slot(article, "working").hidden = run.status !== "running" || run.text !== "";
    if (run.status !== before.status) status(article, run, performance.now() - before.started);
    drawn.set(run.run, { ...run, started: before.started });
  });
}

/** A run drawn for the first time. One that the server has drawn whole is left as it is: null. */
function first(article) {
  if (article.dataset.state !== "running") return null;
  slot(article, "notes").replaceChildren();
  return { blocks: [], recalled: [], saved: [], refused: [], status: "", started: performance.now() };
}

function articleOf(run) {
  const found = thread.querySelector(`article[data-run="${CSS.escape(run)}"]`);
  if (found) return found;
  const article = part("answer");
  article.dataset.run = run;
  thread.append(article);
  return article;
}

function blocks(article, before, run) {
  const holder = slot(article, "blocks");
  run.blocks.forEach((html, index) => {
    if (before.blocks[index] === html) return;
    while (holder.children.length <= index) holder.append(document.createElement("div"));
    setHtml(holder.children[index], html);
    copyButtons(holder.children[index]);
  });
}

/** A button on each code block; the code itself stays as the server sent it. */
export function copyButtons(root) {
  for (const block of root.querySelectorAll(".code")) {
    if (block.querySelector(".copy")) continue;
    block.append(Object.assign(document.createElement("button"), { type: "button", className: "copy", textContent: gettext("Copy") }));
    block.querySelector("pre").tabIndex = 0;
  }
}

function chips(article, entries) {
  slot(article, "chips").replaceChildren(...entries.map(chip));
  slot(article, "foot").hidden = false;
}

function chip(entry) {
  const near = distance(entry.distance);
  const element = fill(part("chip"), { id: `#${entry.id}`, kind: kindName(entry.kind), how: near ? `${entry.channel} · ${near}` : entry.channel });
  element.href = entryUrl(entry.id);
  element.title = entry.preview ?? "";
  return element;
}

function saved({ entry, notes }) {
  const element = fill(part("saved"), { id: `#${entry.id}`, kind: kindName(entry.kind), text: entry.content ?? entry.text, notes: noteLine(entry, notes) });
  element.dataset.entry = entry.id;
  slot(element, "link").href = entryUrl(entry.id);
  return element;
}

function noteLine(entry, notes) {
  const count = entry.count_of_kind;
  const counted = count ? [interpolate(ngettext("%s of this kind now", "%s of this kind now", count), [count])] : [];
  return [...counted, ...(notes ?? [])].join(" · ");
}

function refused(frame) {
  const element = fill(part("refused"), { text: frame.text, rule: frame.message || frame.rule });
  element.dataset.refusal = frame.refusal ?? "";
  element.querySelector("[data-save-anyway]").hidden = !frame.refusal;
  return element;
}

function status(article, run, elapsed) {
  const over = run.status !== "running";
  article.dataset.state = run.status;
  article.setAttribute("aria-busy", String(!over));
  if (!over) return;
  slot(article, "foot").hidden = false;
  mark(slot(article, "mark"), run);
  slot(article, "time").textContent = seconds(run.usage?.total_ms ?? elapsed);
  const why = article.querySelector("[data-why]");
  why.hidden = false;
  why.textContent = run.answered && run.status === "done" ? gettext("why?") : gettext("why not?");
  ending(article, run);
  announce(run.status === "done" ? gettext("Answered.") : gettext("The answer ended early."));
}

function mark(element, run) {
  const name = run.status === "failed" ? "bad" : run.status === "done" && run.answered ? "ok" : "none";
  const [sign, label] = SIGNS[name];
  element.className = `mark ${name}`;
  element.textContent = sign;
  element.title = label();
  element.setAttribute("aria-label", label());
}

function ending(article, run) {
  if (run.status === "done") return;
  slot(article, "ending").hidden = false;
  slot(article, "why-ended").textContent = run.status === "stopped" ? gettext("Stopped by you.") : run.error?.message ?? gettext("Failed.");
}

const seconds = (ms) => interpolate(gettext("%s s"), [new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(ms / 1000)]);

export const lastWhy = () => [...thread.querySelectorAll("[data-why]:not([hidden])")].at(-1);

export const titleIs = (title) => {
  document.getElementById("title").textContent = title;
  document.title = `${title} · Forge`;
};
