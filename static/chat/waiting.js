// The badge of what waits for a person's yes or no: beside the desk's link, and gone where nothing waits.

import { getJson } from "./acts.js";
import { fill } from "./parts.js";

const badge = document.getElementById("waiting");

/** An answer that fails leaves what is shown: the inbox itself says what is wrong. */
async function refresh() {
  const { count } = await getJson("/proposals/waiting").catch(() => ({}));
  if (count === undefined) return;
  const words = ngettext("%s proposal waits for your review", "%s proposals wait for your review", count);
  const short = ngettext("%s waits", "%s wait", count);
  fill(badge, { count: interpolate(short, [count]), words: interpolate(words, [count]) });
  badge.hidden = count === 0;
}

// Decided in another tab, or before the way back: counted again once this one is seen.
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && refresh());
addEventListener("pageshow", (event) => event.persisted && refresh());
refresh();
