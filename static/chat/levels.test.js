import assert from "node:assert/strict";
import { test } from "node:test";

import { level, parts, share } from "./levels.js";

const context = (tokens, limit = 1000) => ({ prompt_tokens: tokens, hot_block_tokens: 100, history_tokens: 200, context_limit: limit });

test("from seven tenths on it warns, from nine tenths on it is critical, and not a token before", () => {
  assert.deepEqual([0, 699, 700, 899, 900, 1200].map((tokens) => level(context(tokens))), ["", "", "warn", "warn", "critical", "critical"]);
});

test("where no window is known there is a number and no share", () => {
  assert.equal(level(context(5000, null)), "");
  assert.equal(share(context(5000, null)), null);
  assert.equal(share(context(364)), 36);
});

test("the parts make the whole, and none is less than nothing", () => {
  assert.deepEqual(parts(context(364)), { memory: 100, history: 200, rest: 64 });
  assert.equal(parts(context(250)).rest, 0);
});
