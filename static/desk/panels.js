// Parts of a page that are read when they are opened, or at once where they are what the page is for but take longer
// than the rest of it. Without this script each is a page of its own, by its link.

const PART = { "Forge-Part": "1" };

/** What the server made is put in as it is: it escapes every text, and the page's policy runs no script of it. */
async function show(body, url) {
  body.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(url, { headers: PART });
    if (!answer.ok || answer.redirected) throw new Error(answer.statusText);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    body.replaceChildren(...page.body.childNodes);
    body.dispatchEvent(new Event("desk-part", { bubbles: true }));
  } catch {
    window.location.assign(url); // the page of its own says what is wrong
  }
  body.removeAttribute("aria-busy");
}

for (const panel of document.querySelectorAll("[data-panel]")) {
  const body = panel.querySelector("[data-panel-body]");
  const link = () => body.querySelector("[data-panel-link]");
  panel.addEventListener("toggle", () => {
    if (panel.open && link()) show(body, link().href);
  });
  if ("panelNow" in panel.dataset) show(body, link().href);
  body.addEventListener("submit", async (event) => {
    const form = event.target.closest("[data-panel-form]");
    if (!form) return;
    event.preventDefault();
    await show(body, `${form.action}?${new URLSearchParams(new FormData(form))}`);
    body.querySelector("[data-panel-form] input")?.focus();
  });
}
