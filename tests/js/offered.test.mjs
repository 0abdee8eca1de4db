// The switch of the views: which of them it has while another one is open.

import assert from "node:assert/strict";
import test from "node:test";
import { isOffered, VIEWS } from "../../static/js/state/views.js";

/** @param {string} open */
const offered = (open) => VIEWS.filter((view) => isOffered(view, open)).map(({ name }) => name);
const behind = VIEWS.filter((view) => "behind" in view).map(({ name }) => name);

test("views behind another one wait until it is opened", () => {
  assert.ok(behind.length > 1);
  for (const name of behind) {
    assert.ok(!offered("heatmap").includes(name), name);
    assert.ok(offered("why").includes(name), name);
    assert.deepEqual(offered(name), offered("why"));
  }
});

test("every view that is open is offered, and every plain one always", () => {
  const plain = VIEWS.filter((view) => !("behind" in view || "beside" in view));
  for (const { name } of VIEWS) {
    assert.ok(offered(name).includes(name));
    for (const each of plain) assert.ok(offered(name).includes(each.name));
  }
});

test("the view that others are behind is one that is always offered", () => {
  for (const view of VIEWS) {
    if ("behind" in view) assert.ok(offered("heatmap").includes(view.behind));
  }
});
