// What the server's frames mean: a pure reducer from (state, frame) to state. No DOM, no clock, no socket.

/** @typedef {"running"|"done"|"failed"|"stopped"} Status */

export const initial = () => ({ user: "", conversation: "", sent: null, trouble: null, runs: {}, last: "" });

// How `done` says that an answer is not whole.
const CUT = { "cut off": "length", "broken off": "lost" };

const newRun = (frame) => ({
  run: frame.run,
  conversation: frame.conversation,
  seq: 0,
  status: "running",
  asked: null,
  answerId: null,
  continues: false,
  parent: null,
  text: "",
  covered: 0,
  blocks: [],
  recalled: null,
  hot: null,
  steps: [],
  saved: [],
  refused: [],
  leftOut: 0,
  context: null,
  answered: true,
  cut: null,
  error: null,
});

/** The text that no html block shows yet. */
export const tail = (run) => run.text.slice(run.covered);

/** A text was handed to the socket. It stays in the box until the server has accepted it. */
export const sending = (state, message) => ({ ...state, sent: message, trouble: null });

/** The run in progress, or null. */
export const running = (state) => {
  const run = state.runs[state.last];
  return run && run.status === "running" ? run : null;
};

/** What to ask the server for after a reconnect: the last number seen. */
export const seen = (state) => state.runs[state.last]?.seq ?? 0;

/** How many tokens a second the model wrote once it had begun, or null where nobody counted, or it was over at once. */
export function speed(usage) {
  const { completion_tokens: tokens, first_ms: first, total_ms: total } = usage ?? {};
  const took = (total - (first ?? 0)) / 1000;
  return tokens > 1 && took >= 0.05 ? tokens / took : null;
}

/** Who wrote it, or an empty string for the built-in responder. */
export const author = (usage) => (usage?.model && usage.model !== "builtin" ? usage.model : "");

const replaceAt = (list, index, value) => {
  const copy = list.slice();
  while (copy.length < index) copy.push("");
  copy[index] = value;
  return copy;
};

// The server counts code points, JavaScript counts halves of them.
const units = (text, points) => (/[\ud800-\udfff]/.test(text) ? Array.from(text).slice(0, points).join("").length : points);

// A step that ends takes the place of its own beginning; one that never said it began stands for itself.
function stepped(steps, { tool, state, preview }) {
  const at = steps.findLastIndex((step) => step.tool === tool && step.state === "running");
  const step = { tool, state, preview };
  return at < 0 ? [...steps, step] : replaceAt(steps, at, step);
}

// A partial text that is longer than what was streamed is the whole of it: nothing is lost that was written.
const keep = (run, frame) => ((frame.partial ?? "").length > run.text.length ? frame.partial : run.text);

// What runs when the end comes has come to its end too.
const settled = (steps, state) => steps.map((step) => (step.state === "running" ? { ...step, state } : step));

const onRun = {
  accepted: (run, frame) => ({
    ...run,
    asked: { id: frame.message_id, clientId: frame.client_id },
    answerId: frame.answer_id ?? null,
    continues: frame.continues ?? false,
    parent: frame.parent ?? null,
  }),
  recalled: (run, frame) => ({ ...run, recalled: [...(run.recalled ?? []), ...(frame.entries ?? [])], hot: frame.hot_block ?? run.hot }),
  step: (run, frame) => ({ ...run, steps: stepped(run.steps, frame) }),
  context: (run, frame) => ({ ...run, context: frame, leftOut: frame.left_out ?? 0 }),
  delta: (run, frame) => ({ ...run, text: run.text + frame.text }),
  // What was said so far was the model's thinking: the answer begins now.
  unsaid: (run) => ({ ...run, text: "", covered: 0, blocks: [] }),
  html: (run, frame) => ({
    ...run,
    blocks: replaceAt(run.blocks, frame.block, frame.html),
    covered: Math.max(run.covered, frame.end === undefined ? run.text.length : units(run.text, frame.end)),
  }),
  saved: (run, frame) => ({ ...run, saved: [...run.saved, frame] }),
  refused: (run, frame) => ({ ...run, refused: [...run.refused, frame] }),
  done: (run, frame) => ({
    ...run,
    status: frame.ok ? "done" : "failed",
    answerId: frame.message_id,
    answered: !frame.not_answered,
    notAnswered: frame.not_answered ?? null,
    cut: CUT[frame.not_answered] ?? null,
    usage: frame.usage ?? {},
    steps: settled(run.steps, "done"),
    covered: run.blocks.length ? run.text.length : run.covered,
  }),
  failed: (run, frame) => ({
    ...run,
    status: "failed",
    error: { code: frame.code, message: frame.message },
    steps: settled(run.steps, "failed"),
    text: keep(run, frame),
  }),
  stopped: (run, frame) => ({ ...run, status: "stopped", steps: settled(run.steps, "empty"), text: keep(run, frame) }),
};

/** Frames already seen (a resume may overlap) and frames that are not known change nothing. */
export function reduce(state, frame) {
  if (frame.type === "ready") return { ...state, user: frame.user };
  if (!frame.run) return aside(state, frame);
  const known = state.runs[frame.run] ?? newRun(frame);
  const step = onRun[frame.type];
  if (!step || (frame.seq !== undefined && frame.seq <= known.seq)) return state;
  const run = { ...step(known, frame), seq: frame.seq ?? known.seq };
  const sent = frame.type === "accepted" && state.sent?.clientId === frame.client_id ? null : state.sent;
  return { ...state, sent, conversation: frame.conversation ?? state.conversation, last: frame.run, runs: { ...state.runs, [frame.run]: run } };
}

// A failure that belongs to no run: the text was not taken and stays in the box.
function aside(state, frame) {
  if (frame.type !== "failed") return state;
  return { ...state, sent: null, trouble: { code: frame.code, message: frame.message } };
}
