// The panel at the right: what memory gave a run, what it left out and by which rule, and how long each step took.

import { getJson } from "./acts.js";
import { bar, contextOf, inWords } from "./gauge.js";
import * as panels from "./panels.js";
import { channelName, distance, entryUrl, fill, hotInWords, kindName, page, part, past, slot } from "./parts.js";
import { SIGNS, stepClass, stepName } from "./steps.js";
import { whyNot } from "./why_not.js";

const panel = document.getElementById("why");
const body = document.getElementById("why-body");

// Of what was left out, so many rows are shown with their words; the rest is a click away.
const SHOWN = 6;

export async function open(run, from) {
  panels.open(panel, from);
  body.setAttribute("aria-busy", "true");
  body.replaceChildren(line(gettext("Loading…")));
  try {
    const place = `/traces/${encodeURIComponent(run)}`;
    const trace = await getJson(place);
    const receipt = trace.receipt ? await getJson(`${place}/receipt`).catch(() => null) : null;
    body.replaceChildren(...sections(trace, receipt));
    body.querySelectorAll("[data-left]").forEach(showText);
  } catch (error) {
    body.replaceChildren(line(error.message));
  }
  body.removeAttribute("aria-busy");
}

/** `receipt` null: memory was not asked, or the run is older than receipts; then the trace tells what it can. */
function sections(trace, receipt) {
  const recalls = trace.steps.map((step) => step.detail ?? {}).filter((detail) => detail.entries);
  const given = recalls.flatMap((detail) => detail.entries);
  const near = (detail) => detail.left_out ?? detail.dropped ?? (detail.nearest ? [detail.nearest] : []);
  const left = receipt ? leftIn(receipt) : recalls.flatMap((detail) => near(detail).map((row) => ({ ...row, cutoff: detail.cutoff })));
  return [
    ...headPart(trace),
    ...(recalls.length ? givenPart(given, left.some((row) => row.reason === "hot")) : [line(gettext("Memory was not asked: nothing in this turn was a question."))]),
    ...leftPart(left),
    ...(receipt ? [whyNot(trace.run_id)] : []),
    heading(gettext("Steps"), trace.steps.length),
    rows("ol", trace.steps.map(stepRow), "steps"),
    ...promptPart(contextOf(trace)),
    ...modelPart(trace.llm),
    ...ends(trace),
    ...receiptPart(receipt),
  ];
}

/** Every row that a recall of the run found and did not give, as the receipts have it. */
function leftIn(receipt) {
  const recalls = [...receipt.earlier, receipt].flatMap((part) => part.body.recalls ?? []);
  return recalls.flatMap(({ cutoff, left_out: left }) =>
    left.rows.map((row) => ({ ...Object.fromEntries(left.columns.map((name, index) => [name, row[index]])), cutoff })),
  );
}

function leftPart(left) {
  if (!left.length) return [];
  const more = left.slice(SHOWN);
  const shown = rows("ul", left.slice(0, SHOWN).map((row) => leftRow(row)));
  if (!more.length) return [heading(gettext("Left out, nearest first"), left.length), shown];
  const rest = Object.assign(document.createElement("details"), { className: "more" });
  const words = interpolate(ngettext("%s more", "%s more", more.length), [more.length]);
  rest.append(Object.assign(document.createElement("summary"), { textContent: words }), rows("ul", more.map((row) => leftRow(row, false))));
  return [heading(gettext("Left out, nearest first"), left.length), shown, rest];
}

/** The proof by its hash, with a link to the page that shows all of it. */
function receiptPart(receipt) {
  if (!receipt) return [];
  return [...receipt.earlier, receipt].map((each) => {
    const element = fill(part("receipt"), { number: `#${each.number}`, address: each.address });
    slot(element, "link").href = page.urls.receipt.replace("ADDRESS", encodeURIComponent(each.address));
    slot(element, "broken").hidden = each.intact;
    return element;
  });
}

/** The block at the head of the prompt, and what found no room in it. */
function headPart(trace) {
  const hot = trace.steps.map((step) => step.detail?.hot_block).find(Boolean);
  if (!hot) return [];
  const left = ngettext("%s entry found no room there.", "%s entries found no room there.", hot.left_out);
  return [heading(gettext("Given to every question"), hot.entries), line(`${hotInWords(hot)}.`), ...(hot.left_out ? [line(interpolate(left, [hot.left_out]))] : [])];
}

/** `above`: what was found stands at the head of the prompt already. */
function givenPart(given, above) {
  const nothing = line(above ? gettext("Nothing more: what was found stands at the head already.") : gettext("Nothing: no entry was near enough or shared a rare word."));
  return [heading(gettext("Given"), given.length), given.length ? rows("ul", given.map(givenRow)) : nothing];
}

function ends(trace) {
  const lines = [interpolate(gettext("%s ms in all"), [trace.total_ms])];
  if (trace.not_answered) lines.push(interpolate(gettext("Not answered: %s"), [inReason(trace.not_answered)]));
  else if (trace.not_indexable) lines.push(interpolate(gettext("Kept out of memory: %s"), [inReason(trace.not_indexable)]));
  if (trace.degraded) lines.push(interpolate(gettext("Degraded: %s"), [trace.degraded]));
  if (trace.error) lines.push(trace.error.message ?? trace.error.code);
  return [...lines.map((words) => line(words)), line(interpolate(gettext("run %s"), [trace.run_id]), "mono wrap-anywhere")];
}

/** A code of the trace in the reader's words. */
const inReason = (code) => page.reasons[code] ?? code;

function givenRow(entry, index) {
  const near = distance(entry.distance);
  const row = fill(part("given"), { id: `#${entry.id}`, kind: kindName(entry.kind), channel: channelName(entry.channel), preview: entry.preview });
  slot(row, "rank").textContent = near ? `${near} · ${index + 1}` : `${index + 1}`;
  slot(row, "link").href = entryUrl(entry.id);
  return row;
}

function leftRow(entry, told = true) {
  const near = distance(entry.distance);
  const row = fill(part("left"), { id: `#${entry.id}`, reason: page.left[entry.reason] ?? entry.reason });
  const cut = near && entry.cutoff && entry.reason === "cutoff";
  slot(row, "distance").textContent = cut ? past(entry.distance, entry.cutoff) : [near, entry.rank].filter(Boolean).join(" · ");
  slot(row, "link").href = entryUrl(entry.id);
  if (told) row.dataset.left = entry.id;
  return row;
}

/** The words of what was left out are not in the trace: they may have been forgotten since. */
async function showText(row) {
  const entry = await getJson(`/memory/${encodeURIComponent(row.dataset.left)}`).catch(() => null);
  slot(row, "preview").textContent = entry ? entry.content.slice(0, 160) : gettext("no longer in memory");
}

function stepRow(step) {
  const state = step.ok ? (step.empty ? "empty" : "done") : "failed";
  const row = fill(part("step"), { tool: stepName(step.tool), preview: step.error ?? step.preview, duration: `${step.duration_ms} ms`, sign: SIGNS[state] });
  slot(row, "sign").classList.add(stepClass(state));
  return row;
}

function promptPart(context) {
  if (!context) return [];
  const left = context.left_out;
  const words = ngettext("%s older message was left out of the prompt: it did not fit.", "%s older messages were left out of the prompt: they did not fit.", left);
  return [heading(gettext("Prompt, in tokens"), context.prompt_tokens), bar(context, context.prompt_tokens || 1), line(inWords(context)), ...(left ? [line(interpolate(words, [left]))] : [])];
}

/** Nothing where no language model was asked. */
function modelPart(llm) {
  if (!llm?.calls) return [];
  const number = (value) => new Intl.NumberFormat(document.documentElement.lang).format(value);
  const words = interpolate(gettext("%(prompt)s tokens read, %(completion)s written, in %(ms)s ms"), { prompt: number(llm.prompt_tokens), completion: number(llm.completion_tokens), ms: number(llm.ms) }, true);
  return [Object.assign(document.createElement("h3"), { textContent: gettext("Model") }), line((llm.models ?? []).join(", "), "mono wrap-anywhere"), line(words)];
}

function heading(words, count) {
  return Object.assign(document.createElement("h3"), { textContent: `${words} · ${count}` });
}

function rows(tag, items, className = "") {
  const list = Object.assign(document.createElement(tag), { className });
  list.append(...items);
  return list;
}

function line(words, className = "small") {
  return Object.assign(document.createElement("p"), { textContent: words, className });
}

export function start() {
  document.querySelector("[data-close-why]").addEventListener("click", panels.close);
}
