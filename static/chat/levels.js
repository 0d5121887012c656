// How full a model's window is, and from where on that is worth a word. No DOM.

/** From these shares on, in percent of the window. */
const LEVELS = [
  [90, "critical"],
  [70, "warn"],
];

/** Its parts in tokens. The rest is the preamble, what was recalled, and the new message. */
export function parts({ prompt_tokens: all, hot_block_tokens: memory, history_tokens: history }) {
  return { memory, history, rest: Math.max(0, all - memory - history) };
}

/** In whole percent; null where no window is known. */
export const share = ({ prompt_tokens: tokens, context_limit: limit }) => (limit ? Math.round((100 * tokens) / limit) : null);

/** `warn`, `critical`, or an empty string. By the exact share: 69.6 % is not 70. */
export function level({ prompt_tokens: tokens, context_limit: limit }) {
  if (!limit) return "";
  return LEVELS.find(([from]) => 100 * tokens >= from * limit)?.[1] ?? "";
}
