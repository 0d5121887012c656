import assert from "node:assert/strict";
import { test } from "node:test";

import { actionOf, keyOf } from "./keymap.js";

const here = { typing: false, off: false };
const press = (key, held = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...held });

test("a key is itself, in either case", () => {
  assert.equal(keyOf(press("J"), here), "j");
  assert.equal(keyOf(press("?"), here), "?");
});

test("no key while a person types, holds a modifier, or switched them off", () => {
  assert.equal(keyOf(press("a"), { ...here, typing: true }), "");
  assert.equal(keyOf(press("a"), { ...here, off: true }), "");
  for (const held of ["ctrlKey", "metaKey", "altKey"]) assert.equal(keyOf(press("a", { [held]: true }), here), "");
});

test("keys with names stay the browser's", () => {
  for (const name of ["Enter", "Tab", "Escape", "ArrowDown"]) assert.equal(keyOf(press(name), here), "");
});

test("r confirms what is live, and brings back as soon as one is not", () => {
  assert.equal(actionOf("r", ["live", "live pinned"]), "reaffirm_selected");
  assert.equal(actionOf("r", ["live", ""]), "restore_selected");
});

test("p pins, and unpins where all are pinned", () => {
  assert.equal(actionOf("p", ["live", "live pinned"]), "pin_selected");
  assert.equal(actionOf("p", ["live pinned", "pinned"]), "unpin_selected");
});

test("nothing is done to nothing, and other keys do nothing", () => {
  assert.equal(actionOf("a", []), "");
  assert.equal(actionOf("z", ["live"]), "");
});
