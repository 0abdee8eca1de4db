import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { click, document, press } from "./dom.mjs";

const { buttons, slides } = await import("../../../static/js/learn/slides.js");
const root = document.documentElement;

/** The names of the slides that were scrolled to, of three, and which of them the window shows. */
const seen = [];
let shown = "";

// listeners on the document stay, so there is one set of slides for all tests
document.body.replaceChildren(
  ...["one", "two", "three"].map((id) => {
    const slide = document.createElement("section");
    Object.assign(slide, { id, tabIndex: -1 });
    slide.append(document.createElement("button"));
    return slide;
  }),
);
slides([...document.querySelectorAll("section")], {
  scrollTo: ({ id }) => {
    seen.push(id);
    shown = id;
  },
  isShown: ({ id }) => id === shown,
});

beforeEach(() => {
  document.activeElement?.blur();
  shown = "";
  seen.length = 0;
});

/** Move a finger, or a mouse. @param {[number, number]} by */
function swipe(by, pointerType = "touch") {
  for (const [type, x, y] of [
    ["pointerdown", 200, 300],
    ["pointerup", 200 + by[0], 300 + by[1]],
  ])
    document.body.dispatchEvent(
      new document.defaultView.PointerEvent(type, {
        bubbles: true,
        isPrimary: true,
        pointerType,
        clientX: x,
        clientY: y,
      }),
    );
}

test("the keys go from slide to slide, and stop at both ends", () => {
  for (const key of [
    "ArrowRight",
    "ArrowDown",
    "PageDown",
    "ArrowRight",
    "ArrowLeft",
    "Home",
    " ",
    "End",
  ])
    press(key);
  assert.deepEqual(seen, ["one", "two", "three", "three", "two", "one", "two", "three"]);
  assert.equal(document.activeElement.id, "three");
});

test("the keys go on from the slide that has the focus", () => {
  document.querySelector("#two button").focus();
  shown = "two";
  press("ArrowRight");
  press("a");
  assert.deepEqual(seen, ["three"]);
});

test("the keys go on from the slide that somebody scrolled to", () => {
  press("Home");
  shown = "two";
  press("ArrowRight");
  assert.deepEqual(seen, ["one", "three"]);
});

test("the space bar still presses a button", () => {
  document.querySelector("#two button").focus();
  press(" ");
  assert.deepEqual(seen, []);
});

test("a swipe to the side goes on or back; one up or down, a short one and a mouse do not", () => {
  swipe([-120, 10]);
  swipe([-120, 10]);
  swipe([120, 10]);
  assert.deepEqual(seen, ["one", "two", "one"]);
  swipe([-60, 200]);
  swipe([-20, 0]);
  swipe([-120, 10], "mouse");
  assert.deepEqual(seen, ["one", "two", "one"]);
});

test("F fills the screen and ends it again, and the slide stays", async () => {
  const asked = [];
  root.requestFullscreen = async () => asked.push("fill");
  document.exitFullscreen = async () => asked.push("end");
  press("Home");
  press("f");
  document.dispatchEvent(new document.defaultView.Event("fullscreenchange"));
  assert.deepEqual(seen, ["one", "one"]);
  Object.defineProperty(document, "fullscreenElement", { value: root, configurable: true });
  press("F");
  assert.deepEqual(asked, ["fill", "end"]);
  Object.defineProperty(document, "fullscreenElement", { value: null, configurable: true });
  root.requestFullscreen = () => Promise.reject(new Error("refused"));
  press("f"); // and nothing breaks
  await null;
});

test("a page without slides keeps its keys", () => {
  slides([], { scrollTo: () => assert.fail(), isShown: () => assert.fail() });
  press("ArrowRight");
});

test("the buttons need this script, and so are hidden without it or where the browser cannot", () => {
  document.body.innerHTML =
    "<button data-print hidden>Print</button><button data-fullscreen hidden>Full screen</button>";
  let printed = 0;
  globalThis.print = () => {
    printed += 1;
  };
  const all = (/** @type {string} */ name) => document.querySelectorAll(name);
  buttons(all("[data-print]"), all("[data-fullscreen]"));
  assert.equal(document.querySelector("[data-print]").hidden, false);
  assert.equal(document.querySelector("[data-fullscreen]").hidden, true);
  click("[data-print]");
  assert.equal(printed, 1);
  Object.defineProperty(document, "fullscreenEnabled", { value: true, configurable: true });
  buttons([], all("[data-fullscreen]"));
  assert.equal(document.querySelector("[data-fullscreen]").hidden, false);
});
