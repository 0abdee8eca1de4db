// What is announced to screen readers after a change: the row that is read, and the prediction of the chosen model.

import assert from "node:assert/strict";
import test, { mock } from "node:test";
import { Store } from "../../../static/js/state/store.js";
import { asked, listed, selected } from "../explaining.mjs";
import { shipped } from "../models.mjs";
import { document } from "./dom.mjs";

const { announce } = await import("../../../static/js/page/announce.js");

mock.timers.enable({ apis: ["setTimeout"] }); // the message stays for seconds

const settled = () => new Promise((done) => setImmediate(done));

/** @param {object} [more] of the state */
async function announced(more) {
  const line = Object.assign(document.createElement("p"), { id: "announce" }); // it stands beside the body of the page
  document.body.replaceChildren(line);
  const next = asked({ predictions: [[listed(9, " are", 0.378)]], predicted_at: [3] });
  const store = new Store(selected({ query: 3, next, ...more }));
  announce(store);
  store.update({ muted: [[1, 2]] });
  await settled();
  return line.textContent;
}

test("an edit is named with the row and the likeliest token", async () => {
  assert.match(
    await announced(),
    /^Layer 1, head 2 muted\. “to” looks at .*Most likely token: “are”/,
  );
});

test("what another model predicted is not announced for one that predicts nothing", async () => {
  const headless = { ...shipped, name: "headless", predicts: null };
  const said = await announced({ models: [shipped, headless], model: "headless" });
  assert.match(said, /^Layer 1, head 2 muted\./);
  assert.doesNotMatch(said, /Most likely/);
});

test("a row is announced with its own prediction, which comes after it", async () => {
  const line = Object.assign(document.createElement("p"), { id: "announce" });
  document.body.replaceChildren(line);
  const at = (position, text, probability) =>
    asked({ predictions: [[listed(9, text, probability)]], predicted_at: [position] });
  const store = new Store(selected({ query: 3, next: at(3, " are", 0.378) }));
  announce(store);
  store.update({ query: 2, next: { ...store.state.next, status: "loading" } });
  await settled();
  assert.equal(line.textContent, "", "nothing of the row before");
  store.update({ next: at(2, " the", 0.654) });
  await settled();
  assert.match(line.textContent, /Most likely token: “the” 65\.4%\.$/);
});
