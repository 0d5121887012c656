// What the prompt takes of the model's window: memory, history, and the rest. Pressed, it compacts.

import { getJson } from "./acts.js";
import { level, parts, share } from "./levels.js";
import { page } from "./parts.js";

const gauge = document.getElementById("gauge");
const PARTS = ["m", "h", "t"];
const FULL = { critical: () => gettext("full"), warn: () => gettext("filling") };
/** Where there is no room for the word. */
const SIGNS = { critical: "‼", warn: "▲" };
/** After a turn the next prompt is asked for, once no frame of it is to come. */
const AFTER = 300;

let exact = null;
let asked = 0;

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

/** The prompt that a model was given just now. */
export function given(context) {
  exact = context;
  show(context);
}

/** What the next prompt of this conversation would take, as far as that can be said before it is asked. */
export function foresee() {
  const turn = ++asked;
  if (!page.conversation) return;
  setTimeout(() => {
    if (turn !== asked) return;
    getJson(`/context?conversation=${encodeURIComponent(page.conversation)}`)
      .then((context) => turn === asked && show(context, true))
      .catch(() => exact ?? show(null));
  }, AFTER);
}

function show(context, forecast = false) {
  gauge.hidden = !context?.prompt_tokens;
  if (gauge.hidden) return;
  const limit = context.context_limit;
  const full = FULL[level(context)]?.();
  const sign = full ? `${SIGNS[level(context)]} ` : "";
  const words = Object.assign(document.createElement("small"), { textContent: sign + label(context, forecast) });
  words.append(Object.assign(document.createElement("span"), { className: "wide", textContent: ofWindow(limit) + (full ? ` · ${full}` : "") }));
  gauge.className = `quiet gauge ${level(context)}`;
  gauge.replaceChildren(...(limit ? [bar(context, Math.max(limit, context.prompt_tokens))] : []), words);
  gauge.dataset.size = size(context, forecast);
  const told = [gauge.dataset.size, full && `${full}.`, gettext("Press to compact.")].filter(Boolean).join(" ");
  gauge.title = told;
  gauge.setAttribute("aria-label", told);
}

/** `~36 %`, or the number alone where no window is known. */
function label(context, forecast) {
  const about = forecast ? "~" : "";
  const tokens = context.prompt_tokens;
  if (!context.context_limit) return interpolate(ngettext("%s token", "%s tokens", tokens), [`${about}${number(tokens)}`]);
  return interpolate(gettext("%s %"), [`${about}${share(context)}`]);
}

function ofWindow(limit) {
  if (!limit) return "";
  return ` ${interpolate(gettext("of %s"), [limit < 1000 ? number(limit) : `${number(Math.round(limit / 1000))}k`])}`;
}

/** For the tooltip and the reader's ear, and before a compaction. */
function size(context, forecast) {
  const values = { tokens: number(context.prompt_tokens), limit: number(context.context_limit ?? 0), share: share(context), parts: inWords(context) };
  const known = forecast ? gettext("The next prompt: about %(tokens)s of %(limit)s tokens, %(share)s %: %(parts)s.") : gettext("The last prompt: %(tokens)s of %(limit)s tokens, %(share)s %: %(parts)s.");
  const unknown = forecast ? gettext("The next prompt: about %(tokens)s tokens: %(parts)s.") : gettext("The last prompt: %(tokens)s tokens: %(parts)s.");
  const now = interpolate(context.context_limit ? known : unknown, values, true);
  if (!forecast || !exact) return now;
  return `${now} ${interpolate(gettext("The last one took %s."), [number(exact.prompt_tokens)])}`;
}

export const contextOf = (trace) => trace.steps.map((step) => step.detail ?? {}).findLast((detail) => detail.prompt_tokens !== undefined);

/** `compact(size)` is called when it is pressed. */
export function start(compact) {
  gauge.addEventListener("click", () => compact(gauge.dataset.size));
  foresee();
}
