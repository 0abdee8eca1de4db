// What is closed while it waits is not busy for ever.

import assert from "node:assert/strict";
import test from "node:test";
import { Store } from "../../../static/js/state/store.js";
import { shipped } from "../models.mjs";
import { document, page } from "./dom.mjs";

globalThis.ResizeObserver = /** @type {any} */ (
  class {
    observe() {}
  }
);
const { panelElement } = await import("../../../static/js/page/mounts.js");
const { PANELS } = await import("../../../static/js/panels/panels.js");

const LOADING = { status: "loading", problem: null, answer: null };
const SELECTED = { model: "shipped", kind: "self", layer: 0, head: 0, vocab: null };

for (const [name, slots] of Object.entries({
  lens: { lens: LOADING },
  far: { far: LOADING },
  effects: { effects: LOADING },
  attribution: { attribution: LOADING },
  circuits: {
    vocabulary: {
      head: { of: JSON.stringify(["shipped", "self", 0, 0]), ...LOADING },
      token: null,
    },
  },
}))
  test(`${name}: left while it waits, it is not busy once the answer has come`, async () => {
    page("#predictions");
    const store = new Store({
      ...SELECTED,
      models: [shipped],
      texts: ["a b"],
      targets: [],
      shown: 0,
      right: name,
      query: null,
      key: null,
      detail: null,
      far_least: null,
      far_in: "all",
      far_first: false,
      lacks: {},
      past: [],
      ...slots,
    });
    const { make } = await PANELS[name].part.come();
    make(panelElement(name), store, () => {});
    const busy = () => document.querySelector(`#${name}-panel`).getAttribute("aria-busy");
    assert.equal(busy(), "true");
    store.update({ right: "next" });
    store.update(
      name === "circuits"
        ? { vocabulary: { head: null, token: null } }
        : { [name]: { ...LOADING, status: "ready" } },
    );
    assert.equal(busy(), "false");
  });
