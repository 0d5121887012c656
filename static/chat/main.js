// Wires the chat page: socket → frames → state → view, and what a person does → socket.

import * as acts from "./acts.js";
import * as anew from "./anew.js";
import * as branches from "./branches.js";
import * as compaction from "./compaction.js";
import * as composer from "./composer.js";
import { copyBy } from "./copy.js";
import { initial, reduce, running, seen, sending } from "./frames.js";
import * as drawer from "./drawer.js";
import * as gauge from "./gauge.js";
import * as keys from "./keys.js";
import * as models from "./models.js";
import * as palette from "./palette.js";
import * as panels from "./panels.js";
import { page } from "./parts.js";
import * as scroll from "./scroll.js";
import * as pending from "./sent.js";
import * as sidebar from "./sidebar.js";
import { connect } from "./socket.js";
import * as temporary from "./temporary.js";
import * as view from "./view.js";
import * as why from "./why.js";

let state = { ...initial(), conversation: page.conversation };
/** Read again once nothing runs: the whole page, or the thread alone. */
let stale = false;
let folded = false;
const offline = document.getElementById("offline");
const stop = document.getElementById("stop");
const send = document.getElementById("send");
const thread = document.getElementById("thread");
const last = (selector) => [...thread.querySelectorAll(selector)].at(-1);

const before = pending.kept();
if (before) state = sending(state, before);

const socket = connect(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/chat/`, {
  frame: onFrame,
  state: onConnection,
});

function onFrame(frame) {
  const was = state;
  state = reduce(state, frame);
  if (frame.type === "ready") catchUp();
  if (frame.type === "changed") onChanged(frame);
  if (state === was) return;
  if (was.sent && !state.sent) pending.letGo();
  if (frame.type === "accepted") onAccepted(frame, was.sent);
  if (state.trouble !== was.trouble) composer.say(state.trouble?.message);
  if (frame.run) view.draw(state.runs[frame.run]);
  if (frame.type === "context") gauge.given(frame);
  if (frame.type === "done") gauge.foresee();
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
  const here = frame.conversation === page.conversation;
  if (here && compaction.hear(frame)) folded = true;
  else if (here && frame.what === "thread") stale = true;
  if (!stale) sidebar.refresh().then(retitle);
  readAgain();
}

function readAgain() {
  if (running(state)) return;
  if (stale) location.reload();
  else if (folded) foldedThread();
}

/** Messages were folded: the thread alone is read anew, and what is typed or open stays. Not under an edit. */
async function foldedThread() {
  folded = false;
  const fresh = await anew.reread(() => running(state) !== null || thread.querySelector(".edit") !== null);
  folded ||= !fresh;
  if (!fresh) return;
  view.start(fresh);
  gauge.foresee();
}

async function compact(size) {
  if (!(await compaction.compact(size))) return;
  folded = true;
  readAgain();
}

function onAccepted(frame, sent) {
  const own = sent?.clientId === frame.client_id;
  if (own && sent.box) composer.taken(sent.text);
  if (own) compaction.quiet();
  if (page.conversation !== frame.conversation) begin(frame);
  // Sent from a view of older messages, or of another branch: go to where the answer stands.
  else if (own && location.search) return location.assign(location.pathname);
  place(state.runs[frame.run], own ? sent.text : null);
}

/** The message and its answer take their place: at the end, or where they make a branch. */
async function place(run, text) {
  const words = view.shown(run) ? null : (text ?? (await told(run)));
  if (words === null) return;
  const room = branches.makeRoom(run);
  if (!room) return location.reload();
  const article = view.articleOf(run);
  mark(article, room.answer);
  const parent = run.parent ?? article.previousElementSibling?.dataset.message ?? 0;
  const asked = words && view.showAsked(words, { message: run.asked.id, parent, run });
  if (asked) mark(asked, room.asked);
  view.letGo(run);
  view.draw(state.runs[run.run]);
}

function mark(element, siblings) {
  if (!siblings?.length) return;
  element.dataset.siblings = siblings.join(",");
  branches.drawSwitch(element);
}

/** What was asked in a run that this page did not begin, read from the page: the frames do not tell.
 * Null where it lies on a branch that is not in sight: after a reload old runs are heard again. */
async function told(run) {
  view.hold(run);
  const response = await fetch(location.href, { credentials: "same-origin" }).catch(() => null);
  const other = new DOMParser().parseFromString((await response?.text()) ?? "", "text/html");
  if (!other.querySelector(`article[data-run="${CSS.escape(run.run)}"]`)) return null;
  return other.querySelector(`.me[data-message="${Number(run.asked.id)}"]`)?.textContent ?? "";
}

function begin(frame) {
  page.conversation = frame.conversation;
  history.replaceState(null, "", page.urls.conversation.replace("ID", frame.conversation));
  if (frame.title) view.titleIs(frame.title);
  temporary.settle();
  sidebar.refresh();
}

const retitle = () => sidebar.title() && view.titleIs(sidebar.title());

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
  document.getElementById("app").classList.toggle("busy", busy || state.sent !== null);
}

/** crypto.randomUUID exists on https and localhost only. */
function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether it went on its way: one thing at a time. */
function begun(fields, { text = "", box = false } = {}) {
  if (state.sent || running(state)) return false;
  const where = page.conversation ? { conversation: page.conversation } : { ...models.choice(), ...(temporary.asked() && { temporary: true }) };
  const frame = { type: "send", client_id: newId(), ...where, ...fields };
  state = sending(state, { clientId: frame.client_id, text, box, frame });
  pending.keep(state.sent);
  if (!socket.send(frame)) socket.again();
  controls();
  return true;
}

/** Commands that only lead somewhere: nothing is sent. */
const LEADS = { "!new": "", "!temp": "?temporary=1" };

function submit(text) {
  const leads = LEADS[text.trim().toLowerCase()];
  if (leads !== undefined) {
    composer.taken(text);
    return location.assign(page.urls.new + leads);
  }
  const obstacle = composer.obstacle(text);
  composer.say(obstacle);
  if (obstacle || !text.trim()) return;
  // A view of another branch: what is said there follows what is shown there.
  const follows = location.search.includes("message=") ? { parent: page.tip } : {};
  begun({ text, ...follows }, { text, box: true });
}

const edited = (text, parent) => begun({ text, parent }, { text });
const answerOf = (element) => Number(element.closest("article").dataset.message);
const edit = (asked) => asked && !running(state) && branches.edit(asked, edited);
const copyAnswer = async (button) => copyBy(button, await branches.writtenOf(button.closest("article"), state.runs));
const pin = (button) => drawer.toggle(button).then((unfolds) => unfolds && ((folded = true), readAgain()));
const showKeys = () => document.getElementById("keys").showModal();

const ON_CLICK = {
  "[data-why]": (button) => why.open(button.closest("article").dataset.run, button),
  "[data-retry]": (button) => begun({ retry: answerOf(button) }),
  "[data-continue]": (button) => begun({ continue: answerOf(button) }),
  "[data-pin]": pin,
  "[data-edit]": (button) => edit(button.closest(".asked")),
  "button[data-branch]": (button) => branches.toBranch(button).then((shown) => shown && view.start(shown)),
  "[data-copy-answer]": copyAnswer,
  "[data-undo]": acts.undo,
  "[data-redo]": acts.redo,
  "[data-forget]": acts.forget,
  "[data-save-anyway]": acts.saveAnyway,
  "[data-prompt]": (button) => composer.put(button.dataset.prompt),
  "[data-keys]": showKeys,
  "[data-reconnect]": () => socket.again(),
  ".copy": (button) => copyBy(button, button.parentElement.querySelector("pre").textContent),
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
models.start();
temporary.start();
scroll.start();
branches.start();
drawer.start();
gauge.start(compact);
keys.start({
  fresh: () => document.querySelector("[data-new]").click(),
  search: sidebar.focusSearch,
  box: composer.focus,
  edit: () => edit(last(".asked")),
  retry: () => last("article.it [data-retry]:not([hidden])")?.click(),
  copy: () => last("[data-copy-answer]")?.click(),
  why: () => last("[data-why]:not([hidden])")?.click(),
  pin: () => last("article.it [data-pin]")?.click(),
  drawer: drawer.open,
  models: models.open,
  end: scroll.toEnd,
  keys: showKeys,
  escape: () => palette.close() || panels.close() || sidebar.close() || (running(state) ? socket.send({ type: "stop" }) : composer.leave()),
});
view.start(thread);
controls();
const sought = new URLSearchParams(location.search).get("message");
if (!sought || !drawer.reveal(sought)) scroll.toEnd();
if (matchMedia("(hover: hover)").matches) composer.focus();
