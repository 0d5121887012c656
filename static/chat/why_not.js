// The question back: why was this not used? A text or an entry's number, and how far it came in the run.

import { getJson } from "./acts.js";
import { entryUrl, fill, page, part, slot } from "./parts.js";

const NUMBER = /^#?(\d{1,18})$/;

/** A box that asks about one run, with its answer below it. */
export function whyNot(run) {
  const form = part("why-not");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask(form, run, slot(form, "what").value.trim());
  });
  return form;
}

async function ask(form, run, what) {
  if (!what) return;
  const told = slot(form, "told");
  told.setAttribute("aria-busy", "true");
  const number = NUMBER.exec(what);
  const query = number ? `entry=${number[1]}` : `q=${encodeURIComponent(what)}`;
  try {
    told.replaceChildren(verdict(await getJson(`/traces/${encodeURIComponent(run)}/why-not?${query}`)));
  } catch (error) {
    told.replaceChildren(Object.assign(document.createElement("p"), { className: "small", textContent: error.message }));
  }
  told.removeAttribute("aria-busy");
}

function verdict(answer) {
  const element = fill(part("verdict"), { stage: answer.words, id: answer.entry ? `#${answer.entry}` : "", detail: answer.detail, remedy: answer.remedy });
  const link = slot(element, "link");
  if (answer.entry) link.href = entryUrl(answer.entry);
  else link.remove();
  const refusal = slot(element, "refusal");
  if (answer.refusal) refusal.href = page.urls.refusal.replace("/0/", `/${Number(answer.refusal)}/`);
  else refusal.remove();
  return element;
}
