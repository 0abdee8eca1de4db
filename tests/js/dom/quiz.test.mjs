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

const { panelElement } = await import("../../../static/js/page/mounts.js");
const { quiz } = await import("../../../static/js/page/quiz.js");

const scratch = { ...shipped, name: "scratch", settings: [], mechanisms: [] };
const asked = {
  model: "scratch",
  models: [scratch],
  scratch: { mechanism: "single-head" },
  quiz: true,
  texts: ["we saw you"],
  targets: [],
  pairs: null,
  shown: 0,
  matrix: "pattern",
  view: "heatmap",
  masks: { ...OWN_MASKS, causal: false },
  muted: [[2, 5]],
  detail: { trace: { sites: [{ softmax_over: "query" }] } },
};

/** The page with a quiz. @param {object} [changes] */
function opened(changes = {}) {
  page();
  const grid = document.createElement("button");
  grid.tabIndex = 0;
  document.querySelector("#grid").append(grid);
  const store = new Store({ ...asked, ...changes });
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
  assert.equal(document.querySelector("#reveal").hidden, true);
});

test("Reveal names what was done to the model, until the reader changes it", () => {
  const answer = (/** @type {object} */ changes) => {
    const store = opened(changes);
    const line = document.querySelector("#quiz");
    assert.match(line.textContent, /This is a quiz/);
    click("#reveal");
    const said = line.hidden ? null : line.querySelector("span").textContent;
    store.update({ texts: ["another text"] });
    assert.equal(line.hidden, true, "it may be wrong now");
    return said;
  };
  const own = { masks: OWN_MASKS, muted: [] };
  const settings = { mechanism: "single-head", softmax_over: "query" };
  assert.equal(answer({ ...own, scratch: settings }), "Revealed: softmax over queries.");
  assert.equal(answer({ muted: [] }), "Revealed: causal mask off.");
  assert.match(answer({ ...own }), /^Revealed: nothing was changed/);
  assert.equal(answer({ ...own, model: "shipped", models: [shipped] }), null);
  assert.match(answer({ model: "shipped", models: [shipped] }), /causal mask off · muted: L2·H5/);
});

test("a closed quiz has no Reveal, and says so in its own words", () => {
  opened({ closed: true });
  assert.equal(document.querySelector("#reveal").hidden, true);
  assert.match(document.querySelector("#quiz span").textContent, /find out by yourself/);
});

test("the parts of the page that tell are marked, and the style sheet hides what is marked", () => {
  opened();
  panelElement("effects");
  const telling =
    "#masks-menu #toggles #scratch #find-menu #find-tab #effects-tab #mute #try #tour-open #look #paint-menu #explain #next-step";
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
