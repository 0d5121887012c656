// Pieces of markup, cloned from the page's templates and filled through their slots. Text enters as text.

/** A copy of the template `part-NAME`. */
export function part(name) {
  return document.getElementById(`part-${name}`).content.firstElementChild.cloneNode(true);
}

export const slot = (element, name) =>
  element.dataset?.slot === name ? element : element.querySelector(`[data-slot="${name}"]`);

export function fill(element, values) {
  for (const [name, value] of Object.entries(values)) slot(element, name).textContent = value ?? "";
  return element;
}

/** Only for html that the server has rendered and sanitised: blocks of an answer. */
export function setHtml(element, html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  element.replaceChildren(...parsed.body.childNodes);
}

export const page = JSON.parse(document.getElementById("page-data").textContent);

export const entryUrl = (id) => page.urls.entry.replace("/0/", `/${Number(id)}/`);

/** The commit that saved the entry; none where it was there before and is only confirmed: that takes nothing away. */
export const undoableCommit = (entry) => (entry.created === false ? "" : (entry.commit ?? ""));

export const kindName = (kind) => page.kinds[kind] ?? kind;

export const channelName = (channel) => page.channels[channel] ?? channel;

/** The part that says what was saved. */
export function savedNote(entry, notes) {
  const element = fill(part("saved"), { id: `#${entry.id}`, kind: kindName(entry.kind), project: entry.project, text: entry.content ?? entry.text, notes });
  slot(element, "project").hidden = !entry.project;
  Object.assign(element.dataset, { entry: entry.id, commit: undoableCommit(entry) });
  slot(element, "link").href = entryUrl(entry.id);
  return element;
}

/** What a run was given at the head of its prompt. */
export function hotInWords({ entries, left_out: left, complete }) {
  const words = interpolate(ngettext("%s entry at the head of the prompt", "%s entries at the head of the prompt", entries), [entries]);
  if (left) return `${words} · ${interpolate(ngettext("%s left out", "%s left out", left), [left])}`;
  return complete ? `${words}, ${gettext("complete")}` : words;
}

const inDigits = (digits) => new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: digits, maximumFractionDigits: digits });

const twoDigits = inDigits(2);

export const distance = (value) => (typeof value === "number" ? twoDigits.format(value) : "");

/** `1.36 > 1.22`; with four digits where two would read the same. */
export function past(value, bound) {
  const [one, other] = [distance(value), distance(bound)];
  return one === other ? `${inDigits(4).format(value)} > ${inDigits(4).format(bound)}` : `${one} > ${other}`;
}

export function announce(text) {
  document.getElementById("announce").textContent = text;
}
