// The thread's scrolling: it follows the end as long as the reader is there, and never takes them there by itself.

const scroller = document.getElementById("scroller");
const button = document.getElementById("to-end");
/** How near the end, in pixels, still is the end. */
const NEAR = 24;

let atEnd = true;
let last = 0;

const distance = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;

/** Is the reader at the end, and taken along? */
export const follows = () => atEnd;

export function toEnd() {
  atEnd = true;
  scroller.scrollTop = scroller.scrollHeight;
  noted();
}

/** Makes a change; the end stays in sight for whoever was there. */
export function following(change) {
  change();
  if (atEnd) scroller.scrollTop = scroller.scrollHeight;
  noted();
}

// Going up is leaving the end, however little; coming back to it is following again.
function onScroll() {
  if (distance() <= NEAR) atEnd = true;
  else if (scroller.scrollTop < last) atEnd = false;
  noted();
}

function noted() {
  last = scroller.scrollTop;
  button.hidden = distance() <= NEAR || atEnd;
}

export function start() {
  scroller.addEventListener("scroll", onScroll, { passive: true });
  button.addEventListener("click", toEnd);
  addEventListener("resize", () => atEnd && toEnd());
  // A phone's keyboard takes its room from the page, also where the browser only slides it over.
  window.visualViewport?.addEventListener("resize", () => {
    document.documentElement.style.setProperty("--seen", `${window.visualViewport.height}px`);
    if (atEnd) toEnd();
  });
}
