import assert from "node:assert/strict";
import { test } from "node:test";

import { author, initial, reduce, running, seen, sending, speed, tail } from "./frames.js";

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

test("what turned out to be thinking is taken back", () => {
  const state = play([ACCEPTED, delta(2, "let me see"), html(3, 0, "<p>let me see</p>", 10), { type: "unsaid", ...RUN, seq: 4 }, delta(5, "8080")]);
  assert.deepEqual([state.runs.r1.text, state.runs.r1.blocks, tail(state.runs.r1)], ["8080", [], "8080"]);
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

test("a step that ends takes the place of its beginning", () => {
  const step = (seq, tool, state, preview = "") => ({ type: "step", ...RUN, seq, tool, state, preview });
  const state = play([ACCEPTED, step(2, "recall", "running"), step(3, "recall", "done", "8080"), step(4, "model", "running")]);
  assert.deepEqual(state.runs.r1.steps.map((one) => [one.tool, one.state]), [["recall", "done"], ["model", "running"]]);
});

test("no step is left running when the run is over", () => {
  const loading = { type: "step", ...RUN, seq: 2, tool: "loading", state: "running", preview: "" };
  const failed = play([ACCEPTED, loading, { type: "failed", ...RUN, seq: 3, code: "model_refused", message: "gone", partial: "" }]);
  assert.equal(failed.runs.r1.steps[0].state, "failed");
});

test("an answer cut short says by what", () => {
  const done = (why) => ({ type: "done", ...RUN, seq: 2, message_id: 8, ok: true, not_answered: why, usage: {}, run_id: "r1" });
  assert.equal(play([ACCEPTED, done("cut off")]).runs.r1.cut, "length");
  assert.equal(play([ACCEPTED, done("broken off")]).runs.r1.cut, "lost");
  assert.equal(play([ACCEPTED, done(null)]).runs.r1.cut, null);
});

test("a run that goes on with an answer names it from its first frame", () => {
  const { r1 } = play([{ ...ACCEPTED, answer_id: 8, continues: true, parent: 0 }]).runs;
  assert.deepEqual([r1.answerId, r1.continues, r1.parent], [8, true, 0]);
});

test("two recalls of one run are told together, and what did not fit is counted", () => {
  const recalled = (seq, id) => ({ type: "recalled", ...RUN, seq, entries: [{ id }], dropped: [] });
  const state = play([ACCEPTED, recalled(2, 1), recalled(3, 2), { type: "context", ...RUN, seq: 4, left_out: 7 }]);
  assert.deepEqual(state.runs.r1.recalled.map((entry) => entry.id), [1, 2]);
  assert.equal(state.runs.r1.leftOut, 7);
});

test("what stood at the head of the prompt is kept, also when memory is asked again", () => {
  const hot = { entries: 14, left_out: 0, tokens: 412, complete: true };
  const recalled = (seq, more) => ({ type: "recalled", ...RUN, seq, entries: [], dropped: [], ...more });
  assert.equal(play([ACCEPTED, recalled(2, { hot_block: null })]).runs.r1.hot, null);
  assert.deepEqual(play([ACCEPTED, recalled(2, { hot_block: hot }), recalled(3, { hot_block: null })]).runs.r1.hot, hot);
});

test("the steps of a model’s tools follow one another, each in its own place", () => {
  const step = (seq, tool, state) => ({ type: "step", ...RUN, seq, tool, state, preview: "" });
  const frames = [step(2, "model", "running"), step(3, "model", "done"), step(4, "remember", "running"), step(5, "remember", "done"), step(6, "remember", "running"), step(7, "remember", "failed")];
  assert.deepEqual(play([ACCEPTED, ...frames]).runs.r1.steps.map((one) => [one.tool, one.state]), [["model", "done"], ["remember", "done"], ["remember", "failed"]]);
});

test("news without a run changes nothing of the runs", () => {
  const state = play([ACCEPTED]);
  assert.equal(reduce(state, { type: "changed", what: "compacting", conversation: "c1", detail: { messages: 35 } }), state);
});

test("a speed is told where tokens and time were counted", () => {
  assert.equal(speed({ completion_tokens: 84, first_ms: 500, total_ms: 2500 }), 42);
  assert.equal(speed({ completion_tokens: 84, first_ms: 10, total_ms: 20 }), null);
  assert.equal(speed({ model: "builtin" }), null);
  assert.equal(author({ model: "builtin" }), "");
  assert.equal(author({ model: "qwen3-8b" }), "qwen3-8b");
});
