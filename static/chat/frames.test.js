import assert from "node:assert/strict";
import { test } from "node:test";

import { initial, reduce, running, seen, sending, tail } from "./frames.js";

const RUN = { run: "r1", conversation: "c1" };
const play = (frames, from = initial()) => frames.reduce(reduce, from);
const ACCEPTED = { type: "accepted", ...RUN, seq: 1, client_id: "k1", message_id: 7 };
const delta = (seq, text) => ({ type: "delta", ...RUN, seq, text });
const html = (seq, block, markup, end) => ({ type: "html", ...RUN, seq, block, html: markup, end });

test("a text in the box is let go when the server accepted it, and only then", () => {
  const waiting = sending(initial(), { clientId: "k1", text: "Which port?" });
  assert.equal(waiting.sent.text, "Which port?");
  assert.equal(reduce(waiting, ACCEPTED).sent, null);
  assert.equal(reduce(waiting, { ...ACCEPTED, client_id: "another tab" }).sent.text, "Which port?");
});

test("a text that is too large is refused and nothing runs", () => {
  const state = reduce(sending(initial(), { clientId: "k1", text: "…" }), { type: "failed", code: "too_large", message: "2 MiB" });
  assert.equal(state.trouble.code, "too_large");
  assert.equal(running(state), null);
});

test("deltas are shown as text until a block covers them", () => {
  let state = play([ACCEPTED, delta(2, "It is **80"), delta(3, "80**")]);
  assert.equal(tail(state.runs.r1), "It is **8080**");
  state = play([html(4, 0, "<p>It is <b>8080</b></p>")], state);
  assert.equal(tail(state.runs.r1), "");
  assert.deepEqual(state.runs.r1.blocks, ["<p>It is <b>8080</b></p>"]);
});

test("a closed block leaves the words after it in sight", () => {
  const state = play([ACCEPTED, delta(2, "One.\n\nTw"), html(3, 0, "<p>One.</p>", 6)]);
  assert.equal(tail(state.runs.r1), "Tw");
});

test("a frame that comes again after a reconnect changes nothing", () => {
  const once = play([ACCEPTED, delta(2, "8080")]);
  const twice = play([ACCEPTED, delta(2, "8080"), delta(3, ".")], once);
  assert.equal(twice.runs.r1.text, "8080.");
  assert.equal(seen(twice), 3);
});

test("done shows every block and ends the run", () => {
  const done = { type: "done", ...RUN, seq: 5, message_id: 8, ok: true, not_answered: null, usage: {}, run_id: "r1" };
  const state = play([ACCEPTED, delta(2, "Yes"), html(3, 0, "<p>Y</p>"), html(4, 0, "<p>Yes</p>"), done]);
  assert.equal(state.runs.r1.status, "done");
  assert.equal(tail(state.runs.r1), "");
  assert.equal(running(state), null);
});

test("an empty-handed answer is marked as such", () => {
  const done = { type: "done", ...RUN, seq: 2, message_id: 8, ok: true, not_answered: "no memory", usage: {}, run_id: "r1" };
  assert.equal(play([ACCEPTED, done]).runs.r1.answered, false);
});

test("stop and failure keep the partial text", () => {
  const stopped = play([ACCEPTED, delta(2, "The te"), { type: "stopped", ...RUN, seq: 3, partial: "The test" }]);
  assert.equal(stopped.runs.r1.text, "The test");
  const failed = play([ACCEPTED, delta(2, "The te"), { type: "failed", ...RUN, seq: 3, code: "model", message: "gone", partial: "" }]);
  assert.equal(failed.runs.r1.text, "The te");
  assert.equal(failed.runs.r1.error.message, "gone");
});

test("a frame of a kind from the future is let pass", () => {
  const state = play([ACCEPTED]);
  assert.equal(reduce(state, { type: "weather", ...RUN, seq: 2 }), state);
});

test("an end is counted in characters, whatever their size", () => {
  const state = play([ACCEPTED, delta(2, "🎉🎉.\n\nTw"), html(3, 0, "<p>🎉🎉.</p>", 5)]);
  assert.equal(tail(state.runs.r1), "Tw");
});
