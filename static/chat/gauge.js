// What the prompt takes of the model's window: memory, history, and the rest.

import { getJson } from "./acts.js";

const gauge = document.getElementById("gauge");
const PARTS = ["m", "h", "t"];

/** Its parts in tokens. The rest is the preamble, what was recalled, and the new message. */
export function parts({ prompt_tokens: all, hot_block_tokens: memory, history_tokens: history }) {
  return { memory, history, rest: Math.max(0, all - memory - history) };
}

const number = (value) => new Intl.NumberFormat(document.documentElement.lang).format(value);

export const inWords = (context) =>
  interpolate(gettext("memory %(memory)s · history %(history)s · rest %(rest)s"), Object.fromEntries(Object.entries(parts(context)).map(([name, value]) => [name, number(value)])), true);

/** A bar whose full length is the window, or the prompt itself where that is not known. */
export function bar(context, whole) {
  const element = Object.assign(document.createElement("div"), { className: "bar", role: "img", ariaLabel: inWords(context) });
  Object.values(parts(context)).forEach((tokens, index) => {
    const piece = Object.assign(document.createElement("i"), { className: PARTS[index] });
    piece.style.width = `${(100 * tokens) / whole}%`;
    element.append(piece);
  });
  return element;
}

/** In the header; nothing where no window is known. */
export function show(context) {
  const limit = context?.context_limit;
  gauge.hidden = !limit;
  if (!limit) return;
  const share = Math.round((100 * context.prompt_tokens) / limit);
  const size = limit < 1000 ? number(limit) : `${number(Math.round(limit / 1000))}k`;
  const words = interpolate(gettext("%(share)s % of %(size)s"), { share, size }, true);
  gauge.replaceChildren(bar(context, limit), Object.assign(document.createElement("small"), { textContent: words }));
  gauge.title = interpolate(gettext("The last prompt: about %(tokens)s of %(limit)s tokens: %(parts)s"), { tokens: number(context.prompt_tokens), limit: number(limit), parts: inWords(context) }, true);
}

export const contextOf = (trace) => trace.steps.map((step) => step.detail ?? {}).findLast((detail) => detail.prompt_tokens !== undefined);

/** Of the last run that the page shows, once nothing else is to be done. */
export function start() {
  const run = [...document.querySelectorAll("article.it[data-run]:not([data-state=running])")].at(-1)?.dataset.run;
  if (!run) return;
  setTimeout(() => getJson(`/traces/${encodeURIComponent(run)}`).then((trace) => show(contextOf(trace))).catch(() => show(null)), 300);
}
