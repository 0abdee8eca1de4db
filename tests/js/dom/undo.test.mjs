import assert from "node:assert/strict";
import test from "node:test";
import { ROWS } from "../../../static/js/state/address/rows.js";
import { history } from "../../../static/js/state/history.js";
import { OWN_MASKS } from "../../../static/js/state/masks.js";
import { Store } from "../../../static/js/state/store.js";
import { fromQuery } from "../../../static/js/state/url.js";
import { bert, other, scratch, shipped, t5 } from "../models.mjs";
import { document } from "./dom.mjs";

const { undoing } = await import("../../../static/js/panels/undo/undo.js");
const { CHANGES } = await import("../../../static/js/panels/undo/words.js");

const models = [shipped, other, t5, bert, scratch];
const example = { texts: ["One sentence."], layer: 1, head: 2, query: null };
/** @param {string} [search] */
function begin(search = "") {
  const choice = fromQuery(search, models, example, 4);
  const store = new Store({ ...choice, models, past: [], future: [], moment: 0 });
  let clock = 0;
  history(store, () => {
    clock += 5000;
    return clock;
  });
  const [undo, redo] = [1, 2].map(() => document.createElement("button"));
  /** @type {string[]} */
  const said = [];
  const tools = undoing({ undo, redo }, store, (words) => said.push(words));
  return { store, undo, redo, said, ...tools };
}
/** What Undo says after some changes. @param {object[]} changes */
const undone = (...changes) => {
  const { store, undo, said } = begin();
  for (const each of changes) store.update(each);
  undo.click();
  return said[0];
};
const painted = (/** @type {number[]} */ keys) => ({
  masks: {
    ...OWN_MASKS,
    blocked: keys.map((key) => ({ text: 0, layer: 1, head: 2, query: 4, key, kind: null })),
  },
});

test("in a quiz, undo does not name the edits that came with the quiz", () => {
  const step = (/** @type {object} */ more) => {
    const { store, undo, said } = begin();
    store.update({ ...more, muted: [[1, 2]] });
    store.update({ texts: ["Another."], muted: [] });
    undo.click();
    return said[0];
  };
  assert.match(step({}), /unmuted/);
  assert.equal(step({ quiz: true }), "Undid: changed the sentence to “Another.”");
});

test("everything that can be undone has words", () => {
  const keys = ROWS.filter(({ undone }) => undone).map(({ key }) => key);
  assert.deepEqual(Object.keys(CHANGES).sort(), keys.sort());
});

test("undo says what it took back, redo what it did again", () => {
  const { store, undo, redo, said } = begin();
  assert.equal(undo.getAttribute("aria-disabled"), "true");
  store.update({ muted: [[2, 3]] });
  assert.equal(undo.getAttribute("aria-disabled"), "false");
  undo.click();
  redo.click();
  redo.click();
  assert.deepEqual(said, [
    "Undid: muted layer 2 head 3",
    "Redid: muted layer 2 head 3",
    "There is nothing to redo.",
  ]);
  assert.deepEqual(store.state.muted, [[2, 3]]);
});

test("the last edit is undone with what was done to look at it, and both are told", () => {
  const { store, said, edit } = begin();
  store.update({ muted: [[2, 3]] });
  store.update({ view: "lines" });
  edit({ right: "lens" });
  assert.deepEqual(
    [store.state.muted, store.state.view, store.state.right],
    [[], "heatmap", "lens"],
  );
  assert.deepEqual(said, ["Undid: muted layer 2 head 3 and switched to the view Lines"]);
});

test("each change has its words", () => {
  const said = [
    undone({ texts: ["Another."] }),
    undone({ texts: [""] }),
    undone({ texts: ["One sentence.", ""] }),
    undone({ model: "other" }),
    undone({ model: "scratch" }, { scratch: { mechanism: "multi-head", seed: 3 } }),
    undone({ masks: { ...OWN_MASKS, causal: false, window: 2 } }),
    undone(painted([1, 2]), painted([2])),
    undone(painted([1])),
    undone({ muted: [[0, 1]] }, { muted: [] }),
    undone({ muted: [[0, 1, "cross"]] }),
    undone({ view: "lines" }),
    undone({ matrix: "scores" }),
    undone({ role: "key" }),
    undone({ pairs: [""] }, { pairs: ["Two."] }),
  ];
  assert.deepEqual(said, [
    "Undid: changed the sentence to “Another.”",
    "Undid: emptied the sentence",
    "Undid: added a sentence",
    "Undid: switched to the model other",
    "Undid: set seed 3",
    "Undid: causal mask off and window of 2 tokens",
    "Undid: cleared 1 painted place",
    "Undid: painted 1 place",
    "Undid: unmuted layer 0 head 1",
    "Undid: muted cross layer 0 head 1",
    "Undid: switched to the view Lines",
    "Undid: switched to the matrix Scores",
    "Undid: changed a setting of Text",
    "Undid: changed the second segment to “Two.”",
  ]);
});

test("of a step with many changes the first are named", () => {
  const step = { texts: ["A"], muted: [[0, 1]], view: "lines", matrix: "scores", steps: "log" };
  assert.equal(undone(step), "Undid: changed the sentence to “A”, muted layer 0 head 1 and more");
});

test("the keys undo outside a text box only, where the browser undoes the typing", () => {
  const { store, key } = begin();
  const box = document.createElement("textarea");
  const press = (/** @type {object} */ more) =>
    key({ key: "z", ctrlKey: true, metaKey: false, altKey: false, target: document.body, ...more });
  store.update({ muted: [[2, 3]] });
  assert.equal(press({ target: box }), false);
  assert.equal(store.state.muted.length, 1);
  assert.equal(press({}), true);
  assert.equal(store.state.muted.length, 0);
  assert.equal(press({ key: "Z", shiftKey: true }), true);
  assert.equal(press({ key: "y", target: document.createElement("select") }), true);
  assert.equal(press({ ctrlKey: false }), false);
  assert.equal(store.state.muted.length, 1);
});
