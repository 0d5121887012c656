// Wires the chat page: socket → frames → state → view, and what a person does → socket.

import * as acts from "./acts.js";
import * as composer from "./composer.js";
import { initial, reduce, running, seen, sending } from "./frames.js";
import * as keys from "./keys.js";
import * as palette from "./palette.js";
import { page } from "./parts.js";
import * as sidebar from "./sidebar.js";
import { connect } from "./socket.js";
import { copyButtons, draw, lastWhy, showAsked, titleIs, toEnd } from "./view.js";
import * as why from "./why.js";

let state = { ...initial(), conversation: page.conversation };
let stale = false;
const offline = document.getElementById("offline");
const stop = document.getElementById("stop");
const send = document.getElementById("send");
const thread = document.getElementById("thread");

const socket = connect(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/chat/`, {
  frame: onFrame,
  state: onConnection,
});

function onFrame(frame) {
  const before = state;
  state = reduce(state, frame);
  if (frame.type === "ready") catchUp();
  if (frame.type === "changed") onChanged(frame);
  if (state === before) return;
  if (frame.type === "accepted") onAccepted(frame, before.sent);
  if (state.trouble !== before.trouble) composer.say(state.trouble?.message);
  if (frame.run) draw(state.runs[frame.run]);
  if (frame.type === "done" || frame.type === "saved") sidebar.refresh().then(retitle);
  controls();
  readAgain();
}

/** After a connection: what was missed of this conversation, and the text that nobody confirmed. */
function catchUp() {
  if (page.conversation) socket.send({ type: "resume", conversation: page.conversation, after: seen(state) });
  if (state.sent) socket.send(state.sent.frame);
}

/** News from elsewhere. A thread that was rewritten is read again, when its answer is complete. */
function onChanged(frame) {
  if (frame.what === "thread" && frame.conversation === page.conversation) stale = true;
  if (!stale) sidebar.refresh().then(retitle);
  readAgain();
}

function readAgain() {
  if (stale && !running(state)) location.reload();
}

/** What another tab sent is not in the frames: it is read from the page. */
async function showOthers(messageId, run) {
  const response = await fetch(location.href, { credentials: "same-origin" });
  const other = new DOMParser().parseFromString(await response.text(), "text/html");
  const asked = other.querySelector(`.me[data-message="${Number(messageId)}"]`);
  if (asked) showAsked(asked.textContent, messageId, run);
}

function onAccepted(frame, sent) {
  // Sent from a view of older messages: go to where the answer stands.
  if (location.search.includes("before=")) location.assign(location.pathname);
  if (sent?.clientId === frame.client_id) {
    composer.taken(sent.text);
    showAsked(sent.text, frame.message_id, frame.run);
  } else if (page.conversation === frame.conversation) {
    showOthers(frame.message_id, frame.run);
  }
  if (page.conversation === frame.conversation) return;
  page.conversation = frame.conversation;
  history.replaceState(null, "", page.urls.conversation.replace("ID", frame.conversation));
  if (frame.title) titleIs(frame.title);
  sidebar.refresh();
}

const retitle = () => sidebar.title() && titleIs(sidebar.title());

function onConnection(name, pause) {
  offline.hidden = name !== "offline";
  const words = gettext("The connection is lost; what you typed stays here. Trying again in %s s.");
  if (name === "offline") offline.querySelector("[data-slot=text]").textContent = interpolate(words, [Math.ceil(pause / 1000)]);
  controls();
}

function controls() {
  const busy = running(state) !== null;
  stop.hidden = !busy;
  send.hidden = busy;
  send.disabled = state.sent !== null;
}

/** crypto.randomUUID exists on https and localhost only. */
function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function submit(text) {
  if (!text.trim() || state.sent || running(state)) return;
  const why = composer.obstacle(text);
  composer.say(why);
  if (why) return;
  const clientId = newId();
  const frame = { type: "send", client_id: clientId, text };
  if (page.conversation) frame.conversation = page.conversation;
  state = sending(state, { clientId, text, frame });
  if (!socket.send(frame)) socket.again();
  controls();
}

function retry(button) {
  let before = button.closest("article").previousElementSibling;
  while (before && !before.matches(".me")) before = before.previousElementSibling;
  if (before) submit(before.textContent);
}

async function copy(button) {
  await navigator.clipboard.writeText(button.parentElement.querySelector("pre").textContent);
  button.textContent = gettext("Copied");
}

const ON_CLICK = {
  "[data-why]": (button) => why.open(button.closest("article").dataset.run, button),
  "[data-retry]": retry,
  "[data-forget]": acts.forget,
  "[data-save-anyway]": acts.saveAnyway,
  "[data-prompt]": (button) => composer.put(button.dataset.prompt),
  "[data-keys]": () => document.getElementById("keys").showModal(),
  "[data-reconnect]": () => socket.again(),
  ".copy": copy,
};

document.addEventListener("click", (event) => {
  for (const [selector, act] of Object.entries(ON_CLICK)) {
    const button = event.target.closest(selector);
    if (button) act(button);
  }
});
stop.addEventListener("click", () => socket.send({ type: "stop" }));
palette.start(); // before the composer: an Enter that takes a command sends nothing
composer.start({ send: submit });
sidebar.start();
why.start();
keys.start({
  fresh: () => document.querySelector("[data-new]").click(),
  search: sidebar.focusSearch,
  box: () => document.getElementById("message").focus(),
  why: () => lastWhy()?.click(),
  keys: () => document.getElementById("keys").showModal(),
  escape: () => palette.close() || why.close() || sidebar.close() || (running(state) && socket.send({ type: "stop" })),
});
copyButtons(thread);
toEnd();
if (matchMedia("(hover: hover)").matches) document.getElementById("message").focus();
