// Who answers: the chip in the header, and the list of servers and models behind it.

import { call, getJson } from "./acts.js";
import { announce, fill, page, part, slot } from "./parts.js";

const chip = document.getElementById("model");
const picker = document.getElementById("models");
const body = document.getElementById("models-body");
/** Milliseconds between looks at a server that loads its model. */
const AGAIN = 3000;

let listed = null;
let timer = 0;

/** What the next new conversation begins with: fields of `send`, none where nothing was chosen. */
export const choice = () => Object.fromEntries(["server", "model"].filter((name) => page[name]).map((name) => [name, page[name]]));

/** What answers here: the choice, or what is set. Null: the built-in responder. */
export function answering(list, { server, model }) {
  const wanted = server || model ? { server, model } : list.default;
  if (!wanted) return null;
  const found = list.servers.find((one) => one.name === wanted.server) ?? (wanted.server ? null : list.servers[0]) ?? null;
  return { name: wanted.server, model: wanted.model || found?.model || "", provider: found?.provider ?? "", state: found ? stateOf(found) : "gone" };
}

export const stateOf = (server) => (server.ready ? "ready" : server.loading ? "loading" : "unreachable");

const STATES = {
  ready: () => gettext("ready"),
  loading: () => gettext("loading its model"),
  unreachable: () => gettext("unreachable"),
  gone: () => gettext("not configured any more"),
};

/** The server of LLM_PROVIDER has no name of its own: what it is tells more. */
const label = ({ name, provider }) => (name === "default" && provider ? provider : name);

async function refresh() {
  clearTimeout(timer);
  try {
    listed = await getJson(page.urls.models);
  } catch (error) {
    if (!listed) fill(chip, { model: page.model || "?" });
    Object.assign(chip, { title: error.message }).dataset.state = "";
    if (picker.matches(":popover-open")) body.replaceChildren(line(error.message, "notice error"));
    return;
  }
  drawChip();
  if (picker.matches(":popover-open")) drawList();
  if (listed.servers.some((one) => stateOf(one) === "loading")) timer = setTimeout(refresh, AGAIN);
}

function drawChip() {
  const who = answering(listed, page);
  fill(chip, { model: who ? who.model || who.name || gettext("default model") : gettext("built-in"), server: who ? label(who) : gettext("quotes memory") });
  chip.dataset.state = who?.state ?? "";
  chip.title = who ? STATES[who.state]() : gettext("No language model is connected: Forge quotes your memory.");
}

function drawList() {
  const focused = document.activeElement?.closest?.(".choice")?.dataset;
  const at = focused && { server: focused.server, model: focused.model };
  body.replaceChildren(...(listed.servers.length ? listed.servers.map(section) : howTo()));
  const same = at && [...body.querySelectorAll(".choice")].find((one) => one.dataset.server === at.server && one.dataset.model === at.model);
  (same ?? body.querySelector("[aria-pressed=true]") ?? body.querySelector(".choice"))?.focus();
}

function section(server) {
  const state = stateOf(server);
  const element = fill(part("server"), { name: server.name === "default" ? gettext("Default server") : server.name, provider: `${server.provider} ${server.url}`, detail: state === "ready" ? "" : server.detail || STATES[state]() });
  element.dataset.state = state;
  const names = server.models?.length ? server.models : [server.model ?? ""];
  slot(element, "models").append(...names.map((name) => option(server, name, state)));
  return element;
}

function option(server, name, state) {
  const who = answering(listed, page);
  const current = who?.name === server.name && (who.model === name || (!name && !who.model));
  const element = fill(part("model"), { sign: current ? "✓" : "", name: name || gettext("the model that it serves") });
  Object.assign(element.dataset, { server: server.name, model: name });
  element.setAttribute("aria-pressed", String(current));
  element.disabled = state === "unreachable" && !current;
  element.addEventListener("click", () => choose(server.name, name));
  return element;
}

async function choose(server, model) {
  try {
    if (page.conversation) await call("PATCH", `/conversations/${encodeURIComponent(page.conversation)}`, { server, model });
  } catch (error) {
    body.prepend(line(error.message, "notice error"));
    return;
  }
  Object.assign(page, { server, model });
  drawChip();
  picker.hidePopover();
  announce(interpolate(gettext("%s answers from now on."), [model || server]));
}

function howTo() {
  return [
    Object.assign(document.createElement("h3"), { textContent: gettext("No language model is connected") }),
    line(gettext("Forge answers by itself: it quotes what memory holds, and cannot converse. To connect a model, start a server such as llama.cpp, Ollama or LM Studio on this machine, and start Forge again: it looks for one.")),
    line(gettext("Elsewhere, or of another kind: name it in the settings, in the file .env beside manage.py.")),
    Object.assign(document.createElement("code"), { className: "block", textContent: "LLM_PROVIDER=openai\nLLM_URL=http://127.0.0.1:1234\nLLM_MODEL=\nLLM_API_KEY=" }),
    line(gettext("LLM_SERVERS adds further ones to choose from here.")),
  ];
}

function line(words, className = "small") {
  return Object.assign(document.createElement("p"), { textContent: words, className });
}

function onKey(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const choices = [...body.querySelectorAll(".choice:not(:disabled)")];
  if (!step || !choices.length) return;
  event.preventDefault();
  choices.at((choices.indexOf(document.activeElement) + step) % choices.length).focus();
}

export const open = () => picker.showPopover({ source: chip });

export function start() {
  picker.addEventListener("toggle", (event) => {
    chip.setAttribute("aria-expanded", String(event.newState === "open"));
    if (event.newState !== "open") return;
    if (listed) drawList();
    else body.replaceChildren(line(gettext("Looking for model servers…")));
    refresh();
  });
  picker.addEventListener("keydown", onKey);
  refresh();
}
