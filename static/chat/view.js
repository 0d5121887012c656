// Draws a run into the thread: only what changed since the last frame is touched, so nothing jumps.

import { dress, reach, setBlocks, setTail } from "./blocks.js";
import { finish } from "./ending.js";
import { announce, channelName, distance, entryUrl, fill, hotInWords, kindName, page, part, savedNote, slot } from "./parts.js";
import { following, toEnd } from "./scroll.js";
import { drawSteps, stepName } from "./steps.js";

const thread = document.getElementById("thread");
const drawn = new Map();
const due = new Map();
const held = new Set();

/** A run that is not to be drawn before its place is known. */
export const hold = (run) => held.add(run.run);
export const letGo = (run) => held.delete(run.run);
export const shown = (run) => thread.querySelector(`article[data-run="${CSS.escape(run.run)}"]`) !== null;

/** The person's message, once, before the answer to it. */
export function showAsked(text, { message, parent, siblings = [], run }) {
  document.getElementById("empty")?.remove();
  if (thread.querySelector(`.asked[data-message="${Number(message)}"]`)) return null;
  const asked = fill(part("asked"), { text });
  const bubble = slot(asked, "text");
  Object.assign(asked.dataset, { message, parent, siblings: siblings.join(",") });
  bubble.dataset.message = message;
  bubble.id = `m${Number(message)}`;
  thread.insertBefore(asked, articleOf(run));
  toEnd();
  return asked;
}

/** Before the next paint, however many frames come until then; at once where nothing is painted. */
export function draw(run) {
  if (held.has(run.run)) return;
  due.set(run.run, run);
  if (document.hidden || run.status !== "running") flush();
  else if (due.size === 1) requestAnimationFrame(flush);
}

function flush() {
  const runs = [...due.values()];
  due.clear();
  if (runs.length) following(() => runs.forEach(drawNow));
}

function drawNow(run) {
  const article = articleOf(run);
  const before = drawn.get(run.run) ?? first(article, run);
  if (!before) return;
  const blocks = slot(article, "blocks");
  setBlocks(blocks, before.blocks, run.blocks);
  setTail(blocks, slot(article, "tail"), run);
  if (run.recalled !== before.recalled) slot(article, "chips").replaceChildren(...(run.hot ? [head(run.hot)] : []), ...(run.recalled ?? []).map(chip));
  for (const frame of run.saved.slice(before.saved.length)) slot(article, "notes").append(saved(frame));
  for (const frame of run.refused.slice(before.refused.length)) slot(article, "notes").append(refused(frame));
  if (run.leftOut !== before.leftOut) leftOut(slot(article, "left-out"), run.leftOut);
  if (run.steps !== before.steps || run.status !== before.status) steps(article, run, before);
  if (run.status !== before.status) finish(article, run, performance.now() - before.started);
  if (run.status !== "running") reach(article);
  drawn.set(run.run, { ...run, started: before.started });
}

/** A run drawn for the first time. One that the server has drawn whole is left as it is: null. */
function first(article, run) {
  if (article.dataset.state !== "running") return null;
  if (!run.continues) slot(article, "notes").replaceChildren();
  return { blocks: [], recalled: null, saved: [], refused: [], leftOut: 0, steps: null, status: "", started: performance.now() };
}

/** The run's article: the one it goes on with, or a new one at the end. */
export function articleOf(run) {
  const own = thread.querySelector(`article[data-run="${CSS.escape(run.run)}"]`);
  if (own) return own;
  const before = run.continues && thread.querySelector(`article[data-message="${Number(run.answerId)}"]`);
  const article = before || part("answer");
  Object.assign(article.dataset, { run: run.run, message: run.answerId ?? "", state: "running" });
  if (!before) thread.append(article);
  return article;
}

function steps(article, run, before) {
  drawSteps(slot(article, "steps"), run);
  const now = run.steps.at(-1);
  if (now && now.state === "running" && now.tool !== before.steps?.at(-1)?.tool) announce(`${stepName(now.tool)}…`);
}

function leftOut(line, count) {
  const words = ngettext("%s older message was left out of the prompt: it did not fit.", "%s older messages were left out of the prompt: they did not fit.", count);
  line.textContent = interpolate(words, [count]);
  line.hidden = count === 0;
}

function chip(entry) {
  const near = distance(entry.distance);
  const element = fill(part("chip"), { id: `#${entry.id}`, kind: kindName(entry.kind), how: near ? `${channelName(entry.channel)} · ${near}` : channelName(entry.channel) });
  element.href = entryUrl(entry.id);
  element.title = entry.preview ?? "";
  return element;
}

/** What stood at the head of the prompt, for every question alike. */
function head(hot) {
  const element = fill(part("hot"), { hot: hotInWords(hot) });
  element.classList.toggle("short", hot.left_out > 0);
  return element;
}

const saved = ({ entry, notes }) => savedNote(entry, noteLine(entry, notes));

function noteLine(entry, notes) {
  const count = entry.count_of_kind;
  const counted = count ? [interpolate(ngettext("%s of this kind now", "%s of this kind now", count), [count])] : [];
  return [...counted, ...(notes ?? [])].join(" · ");
}

function refused(frame) {
  const element = fill(part("refused"), { text: frame.text, rule: page.rules[frame.rule] ?? (frame.message || frame.rule) });
  element.dataset.refusal = frame.refusal ?? "";
  element.querySelector("[data-save-anyway]").hidden = !frame.refusal;
  return element;
}

export const titleIs = (title) => {
  document.getElementById("title").textContent = title;
  document.title = `${title} · Forge`;
};

/** Of the whole page once, and of a thread that was read anew. */
export function start(root) {
  dress(root);
}

addEventListener("resize", () => reach(thread));
