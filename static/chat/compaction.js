// How a compaction goes, told in a line above the box: that it works, what came of it, or why nothing did.

import { ask, call } from "./acts.js";
import { page } from "./parts.js";

const told = document.getElementById("compaction");

function say(words, kind = "") {
  told.className = `alertline notice ${kind}`;
  told.textContent = words;
  told.hidden = !words;
}

/** News of this conversation. Whether the thread has changed by it. */
export function hear({ what, detail }) {
  if (what === "compacting") say(begun(detail?.messages));
  if (what === "compaction_failed") failed(detail?.message || detail?.why);
  const changed = what === "thread" && detail?.removed !== undefined;
  if (changed) say(result(detail), detail.capped ? "warning" : "success");
  return changed;
}

/** Something else goes on: what was told is old. */
export const quiet = () => say("");

function begun(messages) {
  if (!messages) return gettext("Compacting…");
  return interpolate(ngettext("Compacting %s message…", "Compacting %s messages…", messages), [messages]);
}

function failed(why) {
  say(interpolate(gettext("Nothing was compacted: %s"), [why || gettext("the reason is in the log.")]), "error");
}

/** In numbers. What an answer of the API leaves out is not told. */
function result({ removed, kept, stored = 0, duplicates = 0, dropped = 0, capped = false }) {
  const out = interpolate(ngettext("%s message left the window", "%s messages left the window", removed), [removed]);
  const stay = interpolate(ngettext("%s stays in it", "%s stay in it", kept), [kept]);
  if (capped) return `${out} ${gettext("at its hard cap, and is in no entry")} · ${stay}`;
  const counts = [
    [stored, ngettext("%s new entry", "%s new entries", stored)],
    [duplicates, ngettext("%s was in memory already", "%s were in memory already", duplicates)],
    [dropped, ngettext("%s message left out of memory", "%s messages left out of memory", dropped)],
  ];
  return [out, ...counts.filter(([count]) => count).map(([count, words]) => interpolate(words, [count])), stay].join(" · ");
}

/** Asks first. Whether the thread has changed by it. */
export async function compact(size) {
  if (!(await ask(document.getElementById("compact"), { size }))) return false;
  say(begun());
  try {
    const done = await call("POST", "/compact", { conversation: page.conversation });
    say(done.removed ? result(done) : gettext("Nothing was compacted: all that is not pinned is recent."), done.removed ? "success" : "");
    return done.removed > 0;
  } catch (error) {
    failed(error.message);
    return false;
  }
}
