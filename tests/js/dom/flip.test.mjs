import assert from "node:assert/strict";
import test from "node:test";
import { Store } from "../../../static/js/state/store.js";
import { document } from "./dom.mjs";

const { flipButton } = await import("../../../static/js/views/compare/flip.js");
const { defaultView: window } = document;
window.HTMLElement.prototype.setPointerCapture = () => {};

function held() {
  const store = new Store({ view: "compare", against: { layer: 1 }, flipped: false });
  const button = flipButton(store, "z");
  document.body.replaceChildren(button);
  /** @param {string} type @param {object} [init] */
  const pointer = (type, init) => button.dispatchEvent(new window.PointerEvent(type, init));
  /** @param {string} type @param {string} key */
  const key = (type, key) => {
    const event = new window.KeyboardEvent(type, { key, cancelable: true });
    button.dispatchEvent(event);
    return event;
  };
  return { store, button, pointer, key };
}

test("A stands in the place of B for as long as a finger or a mouse holds the button", () => {
  const { store, button, pointer } = held();
  assert.equal(button.textContent, "Hold to see A in B’s place z");
  assert.equal(button.getAttribute("aria-pressed"), "false");
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
    pointer("pointerdown", { button: 0, pointerType: "touch" });
    assert.deepEqual([store.state.flipped, button.getAttribute("aria-pressed")], [true, "true"]);
    pointer(end);
    assert.equal(store.state.flipped, false, end);
  }
  pointer("pointerdown", { button: 2 });
  assert.equal(store.state.flipped, false); // the menu of a mouse
});

test("the keys that press a button hold it, and no click follows", () => {
  const { store, button, key } = held();
  for (const name of [" ", "Enter"]) {
    assert.ok(key("keydown", name).defaultPrevented);
    assert.equal(store.state.flipped, true);
    key("keyup", name);
    assert.equal(store.state.flipped, false);
  }
  assert.ok(!key("keydown", "Tab").defaultPrevented);
  key("keydown", " ");
  button.dispatchEvent(new window.FocusEvent("blur"));
  assert.equal(store.state.flipped, false);
});

test("a tool that can only click turns it, and back", () => {
  const { store, button } = held();
  button.dispatchEvent(new window.MouseEvent("click", { detail: 0 }));
  assert.equal(store.state.flipped, true);
  button.dispatchEvent(new window.MouseEvent("click", { detail: 0 }));
  assert.equal(store.state.flipped, false);
  button.dispatchEvent(new window.MouseEvent("click", { detail: 1 })); // of a mouse, which held it
  assert.equal(store.state.flipped, false);
});

test("it ends with the comparison", () => {
  for (const change of [{ view: "lines" }, { against: null }]) {
    const { store } = held();
    store.update({ flipped: true });
    store.update(change);
    assert.equal(store.state.flipped, false);
  }
});
