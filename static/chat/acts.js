// Acts of a person on what is shown: REST calls with the session and its CSRF token, and what they change in place.

import { announce, fill, savedNote, slot } from "./parts.js";

const token = document.querySelector("meta[name=csrf-token]").content;

/** The JSON answer. Throws an Error whose message is fit to show. */
export async function call(method, url, body) {
  const headers = { Accept: "application/json", "X-CSRFToken": token };
  const request = { method, headers, credentials: "same-origin" };
  if (body) {
    headers["Content-Type"] = "application/json";
    request.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(url, request);
  } catch {
    throw new Error(gettext("Forge did not answer. Is it still running?"));
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error?.message ?? interpolate(gettext("Forge answered with status %s."), [response.status]));
  return answer;
}

export const getJson = (url) => call("GET", url);

/** Asks first. Resolves to whether the person said yes. */
export function ask(dialog, values) {
  fill(dialog, values);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
}

export async function forget(button) {
  const note = button.closest("[data-entry]");
  const id = note.dataset.entry;
  const sure = await ask(document.getElementById("forget"), { id: `#${id}`, text: slot(note, "text").textContent });
  if (!sure) return;
  await settle(note, button, async () => {
    await call("DELETE", `/memory/${encodeURIComponent(id)}`);
    return interpolate(gettext("#%s is forgotten."), [id]);
  });
}

/** Takes back the commit that saved an entry; the chip stays, and offers to do it again. */
export const undo = (button) =>
  turn(button, "commit", (note, made) => {
    note.dataset.undoneBy = made.address;
    note.classList.add("undone");
    return interpolate(gettext("#%s is undone."), [note.dataset.entry]);
  });

export const redo = (button) =>
  turn(button, "undoneBy", (note) => {
    note.dataset.undoneBy = "";
    note.classList.remove("undone");
    return interpolate(gettext("#%s is saved again."), [note.dataset.entry]);
  });

/** Undoes the commit that the chip names, and shows what that made of it; the button beside takes the focus. */
async function turn(button, name, show) {
  const note = button.closest("[data-entry]");
  button.disabled = true;
  try {
    const made = await call("POST", `/commits/${encodeURIComponent(note.dataset[name])}/undo`);
    note.querySelector("[role=alert]")?.remove();
    announce(show(note, made));
    note.querySelector(note.classList.contains("undone") ? "[data-redo]" : "[data-undo]").focus();
  } catch (error) {
    trouble(note, error);
  } finally {
    button.disabled = false;
  }
}

export async function saveAnyway(button) {
  const note = button.closest("[data-refusal]");
  button.disabled = true;
  try {
    const entry = await call("POST", `/memory/refused/${encodeURIComponent(note.dataset.refusal)}/save`);
    const saved = savedNote(entry, (entry.notes ?? []).join(" · "));
    note.replaceWith(saved);
    announce(interpolate(gettext("Saved #%s."), [entry.id]));
    saved.querySelector("a").focus();
  } catch (error) {
    button.disabled = false;
    trouble(note, error);
  }
}

async function settle(note, button, act) {
  button.disabled = true;
  try {
    const words = await act();
    note.className = "saved settled";
    note.replaceChildren(Object.assign(document.createElement("span"), { textContent: words }));
    announce(words);
  } catch (error) {
    button.disabled = false;
    trouble(note, error);
  }
}

function trouble(note, error) {
  note.querySelector("[role=alert]")?.remove();
  const line = Object.assign(document.createElement("small"), { textContent: error.message });
  line.setAttribute("role", "alert");
  note.append(line);
}
