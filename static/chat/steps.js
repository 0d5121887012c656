// What a run does while it works: one line of steps under the answer, each with its sign.

import { part, slot } from "./parts.js";

export const SIGNS = { done: "✓", empty: "∅", failed: "✗" };
const CLASSES = { done: "ok", empty: "none", failed: "bad" };
// What stands for a model that has not said its name yet.
const PROVIDERS = new Set(["openai", "llamacpp", "ollama", "gemini", "local"]);
const NAMES = {
  recall: () => gettext("recall"),
  remember: () => gettext("remember"),
  memory_search: () => gettext("search memory"),
  memory_get: () => gettext("read an entry"),
  "!compact": () => gettext("compacting"),
  thinking: () => gettext("thinking"),
  loading: () => gettext("loading the model"),
  model: () => gettext("model"),
};

/** In the reader's words; a command, or a step from the future, by its own name. */
export const stepName = (tool) => NAMES[tool]?.() ?? tool;

export const stepClass = (state) => CLASSES[state] ?? "";

/** What is over, and last what goes on: the model thinks while it is at work, and one of the two is told. */
export function drawSteps(holder, run) {
  const over = run.status !== "running";
  holder.hidden = over;
  if (over) return;
  const goes = run.steps.findLast((step) => step.state === "running");
  const items = run.steps.filter((step) => step.state !== "running").map((step) => stepItem(step, run));
  holder.replaceChildren(...items, goes ? stepItem(goes, run) : dotsItem());
}

function stepItem(step, run) {
  const item = part("live");
  const going = step.state === "running";
  item.classList.toggle("running", going);
  const name = step.tool === "model" && !PROVIDERS.has(step.preview) ? step.preview || stepName("model") : stepName(step.tool);
  slot(item, "name").textContent = going ? `${name}…` : name;
  slot(item, "preview").textContent = going ? "" : told(step, run);
  const sign = slot(item, "sign");
  if (going) sign.replaceWith(part("dots"));
  else Object.assign(sign, { textContent: SIGNS[step.state] ?? "", className: `sign ${stepClass(step.state)}` });
  return item;
}

function dotsItem() {
  const item = Object.assign(document.createElement("li"), { className: "step running" });
  item.append(part("dots"), Object.assign(document.createElement("span"), { className: "visually-hidden", textContent: gettext("Working") }));
  return item;
}

// The recalled entries are counted: their words are in the chips.
function told(step, run) {
  if (step.tool !== "recall" || run.recalled === null) return step.state === "failed" ? step.preview : "";
  const count = run.recalled.length;
  return interpolate(ngettext("%s entry", "%s entries", count), [count]);
}
