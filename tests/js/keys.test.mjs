import assert from "node:assert/strict";
import test from "node:test";
import { composes, isModified, keyOf } from "../../static/js/dom/keys.js";

/** @param {string} key @param {string} code @param {object} [more] @returns {any} */
const press = (key, code, { altgr = false, ...more } = {}) => ({
  key,
  code,
  shiftKey: false,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  ...more,
  getModifierState: (/** @type {string} */ name) => name === "AltGraph" && altgr,
});

test("a key is what it types, or what a US keyboard has on it where it types no Latin letter", () => {
  for (const [event, key] of /** @type {const} */ ([
    [press("s", "KeyS"), "s"],
    [press("a", "KeyQ"), "a"], // French
    [press("ы", "KeyS"), "s"], // Russian
    [press("Ы", "KeyS", { shiftKey: true }), "S"],
    [press("х", "BracketLeft"), "["],
    [press("ζ", "KeyZ"), "z"], // Greek
    [press("ש", "KeyA"), "a"], // Hebrew
    [press("ф", "Slash", { shiftKey: true }), "?"],
    [press("é", "Digit2"), "é"], // of which no shortcut is
    [press("ArrowLeft", "ArrowLeft"), "ArrowLeft"],
    [press("Escape", "Escape"), "Escape"],
  ]))
    assert.equal(keyOf(event), key, event.key);
});

test("AltGr types the signs of a layout, and its letters are not shortcuts", () => {
  assert.equal(keyOf(press("ł", "KeyL", { altgr: true })), "");
  assert.equal(keyOf(press("q", "KeyQ", { altgr: true })), "");
  assert.equal(keyOf(press("[", "Digit8", { altgr: true })), "[");
  assert.equal(
    isModified(press("[", "Digit8", { altgr: true, ctrlKey: true, altKey: true })),
    false,
  );
  assert.equal(isModified(press("s", "KeyS", { ctrlKey: true })), true);
  assert.equal(isModified(press("s", "KeyS", { metaKey: true, altgr: true })), true);
});

test("while an input method composes, keys are its own", () => {
  assert.equal(composes(press("Enter", "Enter", { isComposing: true })), true);
  assert.equal(composes(press("Enter", "Enter", { keyCode: 229 })), true);
  assert.equal(composes(press("Enter", "Enter", { isComposing: false, keyCode: 13 })), false);
});
