import assert from "node:assert/strict";
import test from "node:test";
import { answered, FOUND, stored, TOKENS } from "../attributed.mjs";
import { t5 } from "../models.mjs";
import { click, document, page, point, press, texts } from "./dom.mjs";

const { panelElement } = await import("../../../static/js/page/mounts.js");
const { attribution } = await import("../../../static/js/panels/attribution/attribution.js");

/** @param {object} [changes] @param {() => void} [retry] */
function panel(changes = {}, retry = () => {}) {
  page("#predictions");
  const store = stored(changes);
  attribution(panelElement("attribution"), store, {
    retry,
    undo: () => {},
    open: () => {},
  });
  return store;
}
const rows = () => texts(".waterfall li").map((text) => text.trim());
const find = (/** @type {string} */ selector) => document.querySelector(selector);
const summary = () => find("#attribution-panel .summary").textContent;
/** @param {string} name @param {string} value */
function choose(name, value) {
  const input = find(
    `[name="${name}"]${name === "token" || name === "versus" ? "" : `[value="${value}"]`}`,
  );
  if (input.type === "radio") input.checked = true;
  else input.value = value;
  input.dispatchEvent(new document.defaultView.Event("change", { bubbles: true }));
}

test("a remainder of rounding alone is written as nearly 0, and fits its column", () => {
  panel({ attribution: answered({ ...FOUND, remainder: -2e-7 }) });
  assert.equal(rows().at(-2), "remainder≈0");
});

test("the list goes from the first part to the logit, and names the remainder", () => {
  const store = panel();
  assert.deepEqual(rows(), [
    "embedding+0.50",
    "L0 · H0+2.00",
    "L0 · H1−1.00",
    "L0 · feed-forward+3.00",
    "3 smaller parts+0.02",
    "remainder+0.48",
    "logit5.00",
  ]);
  assert.equal(find(".waterfall-axis").children[1].textContent, "0 → 5.00");
  const bars = [...document.querySelectorAll(".waterfall .line")].map(({ style }) =>
    ["--start", "--length", "--end"].map((name) => Number(style.getPropertyValue(name)).toFixed(3)),
  );
  assert.deepEqual(bars[1], ["0.100", "0.400", "0.500"]);
  assert.deepEqual(bars[2], ["0.300", "0.200", "0.300"]);
  assert.deepEqual(bars[6], ["0.000", "1.000", "1.000"]);
  choose("waterfall", "size");
  assert.equal(store.state.waterfall, "size");
  assert.deepEqual(rows().slice(0, 2), ["L0 · feed-forward+3.00", "L0 · H0+2.00"]);
});

test("the folded parts open and fold again, and the keyboard stays with them", () => {
  panel();
  click(".waterfall [aria-expanded]");
  assert.equal(rows().length, FOUND.contributions.length + 2);
  assert.equal(document.activeElement.textContent, "Fold 3 smaller parts");
  assert.equal(document.activeElement.getAttribute("aria-expanded"), "true");
  document.activeElement.click();
  assert.equal(rows().length, 7);
  assert.equal(
    document.activeElement.getAttribute("aria-label"),
    "3 smaller parts add +0.02: list them",
  );
});

test("a head in the list is chosen by a click, and marked", () => {
  const store = panel();
  const current = () => find(".waterfall [aria-current]")?.dataset.place;
  assert.equal(current(), "self.0.1");
  assert.equal(
    find('[data-place="self.0.1"]').getAttribute("aria-label"),
    "layer 0 head 1 adds −1.00; the sum is then 1.50",
  );
  click('[data-place="self.0.0"]');
  assert.deepEqual([store.state.layer, store.state.head, current()], [0, 0, "self.0.0"]);
});

test("the source tokens are tinted, without padding, and say their numbers", () => {
  const store = panel();
  assert.deepEqual(texts(".source-chip"), ["[BOS]", "Maria", "saw"]);
  const strengths = () =>
    [...document.querySelectorAll(".source-chip")].map(({ style, className }) => [
      className.includes("falls") ? "falls" : "rises",
      Number(style.getPropertyValue("--strength")).toFixed(3),
    ]);
  assert.deepEqual(strengths(), [
    ["falls", (0.19 / 1.5).toFixed(3)],
    ["rises", "1.000"],
    ["falls", (0.32 / 1.5).toFixed(3)],
  ]);
  point(find(".source-chip:nth-child(2)"));
  assert.equal(find(".sources-box .hint").textContent, "Maria, position 1: +1.50");
  assert.deepEqual(store.state.hover, { axis: "tokens", place: 1, role: "key" });
  assert.deepEqual(texts(".as-table td"), [
    "0",
    "[BOS]",
    "−0.19",
    "1",
    "Maria",
    "+1.50",
    "2",
    "saw",
    "−0.32",
  ]);

  choose("through", "head");
  assert.equal(store.state.through, "head");
  assert.deepEqual(strengths()[1], ["rises", "0.000"], "layer 0 head 1 reads nothing there");
  store.update({ layer: 1, head: 0 });
  assert.deepEqual(strengths()[2], ["falls", "1.000"], "another head");
  store.update({ layer: 2 });
  assert.equal(texts(".source-chip").length, 0);
  assert.match(find(".sources-box .hint").textContent, /does not write to the stream/);
});

test("in an encoder–decoder both rows of tokens are named", () => {
  const sources = [
    { site: "cross.0", layer: 0, head: 0, values: [0.5, -1, 2, 0] },
    { site: "decoder.0", layer: 0, head: 0, values: [3] },
  ];
  const sites = [
    { name: "cross.0", kind: "cross" },
    { name: "decoder.0", kind: "decoder" },
  ];
  const both = answered({ sources, position: 0 });
  Object.assign(both.answer.trace, { model: "t5", target_tokens: [[TOKENS[1]]] });
  panel({ attribution: both, model: "t5", models: [{ ...t5, sites }] });
  assert.deepEqual(
    [...find(".sources").children].map(({ localName, textContent }) => [localName, textContent]),
    [
      ["span", "source"],
      ...["[BOS]", "Maria", "saw"].map((name) => ["button", name]),
      ["span", "target"],
      ["button", "Maria"],
    ],
  );
});

test("arrow keys walk over the source tokens, which are one tab stop", () => {
  panel();
  const stops = () =>
    [...document.querySelectorAll(".source-chip")].filter(({ tabIndex }) => tabIndex === 0);
  assert.equal(stops().length, 1);
  stops()[0].focus();
  press("ArrowRight");
  assert.equal(document.activeElement.textContent, "Maria");
  assert.equal(stops().length, 1);
  press("End");
  press("ArrowRight");
  assert.equal(document.activeElement.textContent, "saw");
});

test("both tokens can be chosen, exchanged and let go", () => {
  const store = panel();
  const act = (/** @type {string} */ label) => find(`[aria-label="${label}"]`);
  assert.equal(act("Swap the two tokens").disabled, true);
  choose("versus", "8");
  assert.equal(store.state.versus, 8);
  act("Swap the two tokens").click();
  assert.deepEqual([store.state.token, store.state.versus], [8, 7]);
  act("Compare with no other token").click();
  assert.deepEqual([store.state.token, store.state.versus], [8, null]);
  choose("token", "");
  assert.equal(store.state.token, null);
});

test("any token can be typed; one that is predicted needs no look", async () => {
  const store = panel({ versus: 8 });
  choose("versus", "other");
  const box = find('[aria-label="Any token to compare with"]');
  assert.equal(document.activeElement, box);
  box.value = " herself ";
  press("Enter");
  await Promise.resolve();
  await Promise.resolve();
  assert.match(find(".aim [role=status]").textContent, /the same token/);
  box.value = "the";
  press("Enter");
  await Promise.resolve();
  await Promise.resolve();
  assert.equal(store.state.versus, 9);
  assert.equal(box.closest("span").hidden, true);
  assert.equal(document.activeElement.name, "versus");
  choose("versus", "other");
  press("Escape");
  assert.equal(box.closest("span").hidden, true);
  assert.equal(store.state.versus, 9);
});

test("where there are no numbers it says why, as a note", () => {
  const refused = (/** @type {boolean} */ retry) => ({
    status: "error",
    answer: null,
    problem: { message: "It needs the residual stream.", retry },
  });
  const shown = () =>
    [...find("#attribution-panel").children].filter(
      ({ hidden, localName }) => !hidden && localName !== "details",
    );
  const store = panel({ attribution: refused(false) });
  assert.equal(summary(), "It needs the residual stream.");
  assert.deepEqual(shown(), [find(".summary")]);
  assert.equal(find("#attribution-panel [role=alert]"), null);
  store.update({ attribution: refused(true) });
  assert.equal(shown().length, 2, "it can be asked again");
  store.update({ attribution: { status: "loading", answer: null, problem: null } });
  assert.match(summary(), /^Taking the logit apart/);
  assert.equal(find("#attribution-panel").getAttribute("aria-busy"), "true");
  store.update({ attribution: answered() });
  assert.match(summary(), /“herself” has a logit of 5\.00/);
  assert.equal(rows().length, 7);
});
