import assert from "node:assert/strict";
import test from "node:test";
import { menus } from "../../../static/js/dom/menus.js";
import { document } from "./dom.mjs";

/** Two menus, and something beside them. */
function mounted() {
  document.body.replaceChildren();
  const made = ["masks", "paint"].map((name) => {
    const menu = document.createElement("details");
    menu.className = "more";
    const choice = document.createElement("button");
    const summary = document.createElement("summary");
    summary.textContent = name;
    menu.append(summary, choice);
    return menu;
  });
  const outside = document.createElement("p");
  document.body.append(...made, outside);
  menus(document.body);
  return { menus: made, outside };
}
/** @param {Element} element @param {string} type @param {object} [options] */
const fire = (element, type, options = {}) => {
  const { Event } = document.defaultView;
  const event = Object.assign(new Event(type, { bubbles: true, cancelable: true }), options);
  element.dispatchEvent(event);
  return event;
};

test("a press elsewhere closes a menu, and a press within does not", () => {
  const { menus, outside } = mounted();
  menus[0].open = true;
  fire(menus[0].querySelector("button"), "pointerdown");
  assert.equal(menus[0].open, true);
  fire(outside, "pointerdown");
  assert.equal(menus[0].open, false);
});

test("one menu is open at a time", () => {
  const { menus } = mounted();
  menus[0].open = true;
  fire(menus[1].querySelector("summary"), "focusin");
  assert.equal(menus[0].open, false);
});

test("Escape closes the menu that has the focus, gives its button the focus, and does nothing else", () => {
  const { menus } = mounted();
  menus[1].open = true;
  let heard = 0;
  document.addEventListener("keydown", () => (heard += 1));
  const event = fire(menus[1].querySelector("button"), "keydown", { key: "Escape" });
  assert.equal(menus[1].open, false);
  assert.equal(document.activeElement, menus[1].querySelector("summary"));
  assert.deepEqual([event.defaultPrevented, heard], [true, 0]);
});
