// A star on an answer: what it was given was right, and that question must go on finding it.

import { call, getJson } from "./acts.js";
import { announce } from "./parts.js";

document.getElementById("thread").addEventListener("click", (event) => {
  const button = event.target.closest("[data-star]");
  if (button) turn(button);
});

async function turn(button) {
  const foot = button.closest("[data-slot=foot]");
  foot.querySelector("[role=alert]")?.remove();
  button.disabled = true;
  try {
    announce(await (button.dataset.star ? unstar(button) : star(button)));
    button.setAttribute("aria-pressed", String(button.dataset.star !== ""));
  } catch (error) {
    const line = Object.assign(document.createElement("small"), { textContent: error.message });
    line.setAttribute("role", "alert");
    foot.append(line);
  } finally {
    button.disabled = false;
  }
}

async function star(button) {
  const article = button.closest("article");
  const run = article.dataset.run;
  const entries = givenIn(await getJson(`/traces/${encodeURIComponent(run)}`));
  if (!entries.length) throw new Error(gettext("No entry of memory was given for this answer, so none can be right."));
  const golden = await call("POST", "/golden", { question: askedBefore(article), entries, run_id: run });
  button.dataset.star = golden.id;
  const words = ngettext("Starred: the question must go on finding %s entry.", "Starred: the question must go on finding %s entries.", entries.length);
  return interpolate(words, [entries.length]);
}

async function unstar(button) {
  await call("DELETE", `/golden/${encodeURIComponent(button.dataset.star)}`);
  button.dataset.star = "";
  return gettext("The star is taken away.");
}

/** The rows of the turn, and those that were found and stood at the head of the prompt already. */
function givenIn(trace) {
  const details = trace.steps.map((step) => step.detail ?? {});
  const rows = details.flatMap(({ entries = [], left_out: left = [] }) => [...entries, ...left.filter((row) => row.reason === "hot")]);
  return [...new Set(rows.map((row) => row.id))];
}

function askedBefore(article) {
  let row = article.previousElementSibling;
  while (row && !row.matches(".asked")) row = row.previousElementSibling;
  return row?.querySelector(".me").textContent ?? "";
}
