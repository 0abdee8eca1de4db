import assert from "node:assert/strict";
import test from "node:test";
import { click, document, press } from "./dom.mjs";

const { slides, printers } = await import("../../../static/js/learn/slides.js");

/** Three slides, and the names of those that were scrolled to. */
function shown() {
  document.body.replaceChildren(
    ...["one", "two", "three"].map((id) => {
      const slide = document.createElement("section");
      Object.assign(slide, { id, tabIndex: -1 });
      slide.append(document.createElement("button"));
      return slide;
    }),
  );
  const seen = [];
  slides([...document.querySelectorAll("section")], { scrollTo: ({ id }) => seen.push(id) });
  return seen;
}

test("the keys go from slide to slide, and stop at both ends", () => {
  const seen = shown();
  for (const key of [
    "ArrowRight",
    "ArrowDown",
    "PageDown",
    "ArrowRight",
    "ArrowLeft",
    "Home",
    "End",
  ])
    press(key);
  assert.deepEqual(seen, ["one", "two", "three", "three", "two", "one", "three"]);
  assert.equal(document.activeElement.id, "three");
});

test("the keys go on from the slide that has the focus", () => {
  const seen = shown();
  document.querySelector("#two button").focus();
  press("ArrowRight");
  press("a");
  assert.deepEqual(seen, ["three"]);
});

test("a page without slides keeps its keys", () => {
  document.body.replaceChildren(document.createElement("button"));
  slides([], { scrollTo: () => assert.fail() });
  press("ArrowRight");
});

test("the button that prints needs this script, and so is hidden without it", () => {
  document.body.innerHTML = "<button data-print hidden>Print</button>";
  let printed = 0;
  globalThis.print = () => {
    printed += 1;
  };
  printers(document.querySelectorAll("[data-print]"));
  assert.equal(document.querySelector("button").hidden, false);
  click("button");
  assert.equal(printed, 1);
});
