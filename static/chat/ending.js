// How an answer ended: its mark, time and author, and what a person can do about an end that came too early.

import { author, speed } from "./frames.js";
import { announce, page, slot } from "./parts.js";

const MARKS = {
  ok: ["✓", () => gettext("answered")],
  none: ["∅", () => gettext("ran, answered nothing")],
  bad: ["✗", () => gettext("failed")],
};
const CUT = {
  length: () => gettext("Cut short: the answer reached its token limit."),
  lost: () => gettext("The connection to the model broke off before the end."),
};

export function finish(article, run, elapsed) {
  const over = run.status !== "running";
  article.dataset.state = run.cut ? "cut" : run.status;
  article.setAttribute("aria-busy", String(!over));
  slot(article, "foot").hidden = !over;
  if (!over) {
    slot(article, "ending").hidden = true;
    return;
  }
  article.dataset.message = run.answerId ?? "";
  mark(slot(article, "mark"), run);
  slot(article, "time").textContent = times(run, elapsed);
  slot(article, "model").textContent = author(run.usage);
  const why = article.querySelector("[data-why]");
  why.hidden = false;
  why.textContent = run.answered && run.status === "done" ? gettext("why?") : gettext("why not?");
  ending(article, run);
  announce(run.status === "done" && !run.cut ? `${gettext("Answered.")} ${slot(article, "blocks").textContent.slice(0, 500)}` : gettext("The answer ended early."));
}

function mark(element, run) {
  const name = run.status === "failed" ? "bad" : run.status === "done" && run.answered ? "ok" : "none";
  const [sign, label] = MARKS[name];
  Object.assign(element, { className: `mark ${name}`, textContent: sign, title: label() });
  element.setAttribute("aria-label", label());
}

function times(run, elapsed) {
  const rate = speed(run.usage);
  const took = interpolate(gettext("%s s"), [number((run.usage?.total_ms ?? elapsed) / 1000, 2)]);
  return rate ? `${took} · ${interpolate(gettext("%s tok/s"), [number(rate, rate < 10 ? 1 : 0)])}` : took;
}

const number = (value, digits) =>
  new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

function ending(article, run) {
  const note = slot(article, "ending");
  note.hidden = run.status === "done" && !run.cut && !amiss(run);
  if (note.hidden) return;
  note.className = `saved ${run.status === "failed" ? "wrong" : "cut"}`;
  slot(article, "why-ended").textContent = reason(run);
  note.querySelector("[data-continue]").hidden = !run.text || Boolean(amiss(run));
}

/** What is wrong with an answer that came to its end. */
const amiss = (run) => (run.status === "done" ? page.endings[run.notAnswered] : undefined);

function reason(run) {
  if (run.cut) return CUT[run.cut]();
  if (amiss(run)) return amiss(run);
  return run.status === "stopped" ? gettext("Stopped by you.") : (run.error?.message ?? gettext("Failed."));
}
