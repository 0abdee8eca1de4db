import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { scoresOf } from "../../../static/js/numbers/detail.js";
import { OWN_MASKS } from "../../../static/js/state/masks.js";
import { Store } from "../../../static/js/state/store.js";
import { captionOf } from "../../../static/js/words/caption.js";
import { sumsInWords } from "../../../static/js/words/picture.js";
import { shipped } from "../models.mjs";
import { click, document, page } from "./dom.mjs";

const { quiz } = await import("../../../static/js/page/quiz.js");

const scratch = { ...shipped, name: "scratch", settings: [], mechanisms: [] };
const asked = {
  ...{ model: "scratch", models: [scratch], scratch: { mechanism: "single-head" }, quiz: true },
  ...{
    texts: ["we saw you"],
    targets: [],
    pairs: null,
    shown: 0,
    matrix: "pattern",
    view: "heatmap",
  },
  masks: { ...OWN_MASKS, causal: false },
  ...{ muted: [[2, 5]], detail: { trace: { sites: [{ softmax_over: "query" }] } } },
};

/** The page with a quiz. */
function opened() {
  page();
  const grid = document.createElement("button");
  grid.tabIndex = 0;
  document.querySelector("#grid").append(grid);
  const store = new Store(asked);
  quiz(document, store);
  return store;
}

test("the root says that there is a quiz, and Reveal ends it", () => {
  const store = opened();
  assert.equal(document.documentElement.hasAttribute("data-quiz"), true);
  assert.equal(document.querySelector("#quiz").hidden, false);
  click("#reveal");
  assert.equal(store.state.quiz, false);
  assert.equal(document.documentElement.hasAttribute("data-quiz"), false);
  assert.equal(document.querySelector("#quiz").hidden, true);
});

test("the parts of the page that tell are marked, and the style sheet hides what is marked", () => {
  opened();
  const telling = "#masks #scratch #find #find-tab #effects-tab #mute #try #look #paint-tools";
  for (const part of telling.split(" ")) {
    assert.ok(document.querySelector(part).matches("[data-tells]"), part);
  }
  for (const item of ["json", "safetensors", "python", "view", "csv"]) {
    assert.ok(document.querySelector(`[data-export="${item}"]`).closest("[data-tells]"), item);
  }
  const css = readFileSync(new URL("../../../static/css/base.css", import.meta.url), "utf8");
  assert.match(css, /\[data-quiz\] \[data-tells\] \{\s+display: none;/);
});

test("nothing that is written of a head or of the model tells", () => {
  assert.equal(scoresOf(asked), null);
  assert.equal(sumsInWords({ softmax_over: "query", mask_applied: "after" }, asked), "");
  const caption = captionOf(asked).join(" ");
  assert.match(caption, /we saw you/);
  assert.doesNotMatch(caption, /single-head|causal|muted|Columns/i);
  assert.match(
    captionOf({ ...asked, quiz: false }).join(" "),
    /single-head.*causal.*muted.*Columns/i,
  );
});
