// What was sent and not yet confirmed, kept over a reload: sent again under the same id, it runs once.

import { page } from "./parts.js";

const KEY = "sent";
/** Longer texts are not kept: the browser's store is small, and the box has them. */
const LONGEST = 100000;

export function keep(sent) {
  try {
    if (sent.text.length < LONGEST) sessionStorage.setItem(KEY, JSON.stringify({ at: page.conversation, sent }));
  } catch {
    // no storage: it is lost with the page, as is the box
  }
}

export function letGo() {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // as above
  }
}

/** What this page sent before it was loaded anew; null where nothing waits, or it belongs to another page. */
export function kept() {
  try {
    const { at, sent } = JSON.parse(sessionStorage.getItem(KEY)) ?? {};
    return at === page.conversation && sent?.clientId ? sent : null;
  } catch {
    return null;
  }
}
