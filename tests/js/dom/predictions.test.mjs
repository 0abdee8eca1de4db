import assert from "node:assert/strict";
import test from "node:test";
import { OWN_MASKS } from "../../../static/js/state/masks.js";
import { Store } from "../../../static/js/state/store.js";
import { bert, bloom, shipped } from "../models.mjs";
import { click, document, page, texts } from "./dom.mjs";

const { predictions } = await import("../../../static/js/panels/predict/predict.js");
const { writing } = await import("../../../static/js/panels/predict/writing.js");

/** @param {string} text @param {number} id @param {object} [more] */
const token = (text, id, more) => ({
  id,
  text,
  start: 0,
  end: 3,
  special: false,
  padding: false,
  segment: 0,
  ...more,
});
/** @param {number} id @param {number} probability @param {number | null} [unedited] @param {object} [more] */
const listed = (id, probability, unedited = null, more = {}) => ({
  id,
  text: ` w${id}`,
  probability,
  unedited,
  special: false,
  ...more,
});
const DOGS = [token("[BOS]", 0, { special: true, end: 0 }), token("The", 1), token(" dogs", 2)];

/** @param {object[]} rows @param {object} [more] of the answer */
const answered = (rows, more) => ({
  status: "ready",
  problem: null,
  answer: {
    trace: { model: "shipped", tokens: [DOGS], predicted_at: [2], predictions: [rows], ...more },
  },
});

/** The panel of predictions. @param {object} next @param {object} [more] of the state */
function panel(next, more) {
  page("#predictions");
  const store = new Store({
    model: "shipped",
    models: [shipped, bert, bloom],
    texts: ["The dogs"],
    targets: [],
    pairs: null,
    masks: OWN_MASKS,
    muted: [],
    kind: "self",
    query: null,
    shown: 0,
    temperature: 1,
    top_k: 10,
    top_p: 1,
    token: null,
    status: "ready",
    right: "next",
    next,
    past: [],
    ...more,
  });
  let asked = 0;
  predictions(document.querySelector("#next-panel"), store, {
    retry: () => {
      asked += 1;
    },
    openEffects: () => {},
    undo: () => {},
  });
  return { store, asked: () => asked };
}

test("a recorded run predicts as it was recorded", () => {
  const sliders = () => [...document.querySelectorAll("#next-panel input[type=range]")];
  panel(answered([listed(1, 0.5)]));
  assert.deepEqual(
    sliders().map(({ disabled }) => disabled),
    [false, false],
  );
  const recorded = { texts: ["The dogs"], targets: [], pairs: null };
  panel(answered([listed(1, 0.5)]), { models: [{ ...shipped, lacks: "no model", recorded }] });
  assert.deepEqual(
    sliders().map(({ disabled }) => disabled),
    [true, true],
  );
});

const rows = () =>
  [...document.querySelectorAll("#next tbody tr")].map((row) => [
    row.querySelector(".token").textContent,
    row.querySelector("td.change").textContent,
    row.lastElementChild.textContent,
  ]);
/** What is written in the panel and not hidden. */
const words = () =>
  [...document.querySelectorAll("#next-panel p, #next-panel .written")]
    .filter((part) => !part.closest("[hidden]"))
    .map(({ textContent }) => textContent)
    .join(" ");
const column = () => document.querySelector("#next th.change");

test("without edits no change is shown", () => {
  panel(answered([listed(5, 0.6), listed(6, 0.0901), listed(7, 0.0004)]));
  assert.deepEqual(rows(), [
    ["w5", "", "60.0%"],
    ["w6", "", "9.0%"],
    ["w7", "", "< 0.1%"],
  ]);
  assert.match(words(), /^These 3 add up to 69\.0%\./);
  assert.equal(column().hidden, true);
  assert.doesNotMatch(words(), /without your masks and mutes/);
});

test("a change is compared with the run without edits, in words and in bars", () => {
  panel(answered([listed(5, 0.6, 0.2), listed(6, 0.1, 0.4), listed(7, 0.05, 0.05)]));
  assert.deepEqual(
    rows().map(([, change]) => change),
    ["+40.0", "−30.0", "0"],
  );
  assert.equal(column().hidden, false);
  assert.match(words(), /compared with the model without your masks and mutes/);
  const bars = [...document.querySelectorAll("#next tbody tr")].map((row) => [
    ...["--share", "--most", "--was"].map((name) => Number(row.style.getPropertyValue(name))),
    row.className,
  ]);
  assert.deepEqual(bars, [
    [0.2, 0.6, 0.2, "compared high"],
    [0.1, 0.4, 0.4, "compared low"],
    [0.05, 0.05, -1, "compared"],
  ]);
});

test("what fell out of the list is listed below it, and not counted", () => {
  const next = answered([listed(5, 0.5, 0.4), listed(6, 0.2, 0.1), listed(7, 0.01, 0.45)]);
  panel(next, { top_k: 2 });
  assert.match(words(), /^These 2 add up to 70\.0%\./);
  const others = [...document.querySelectorAll("#next tbody tr.other")];
  assert.deepEqual(
    others.map(({ dataset }) => dataset.id),
    ["7"],
  );
});

test("a watched token that is unlikely is listed too", () => {
  panel(answered([listed(5, 0.5), listed(6, 0.2), listed(60, 0.001)]), { top_k: 2, token: 60 });
  assert.deepEqual(
    [...document.querySelectorAll("#next .watch")].map((one) => one.getAttribute("aria-pressed")),
    ["false", "false", "true"],
  );
  assert.equal(document.querySelector("tr.other .token").textContent, "w60");
});

test("a token is watched by a click, and no longer by another", () => {
  const { store } = panel(answered([listed(5, 0.5), listed(6, 0.2)]));
  const pressed = () =>
    [...document.querySelectorAll("#next .watch")].map((one) => one.getAttribute("aria-pressed"));
  assert.deepEqual(pressed(), ["true", "false"]); // the likeliest
  click("#next .watch", "Watch “w6”");
  assert.equal(store.state.token, 6);
  assert.deepEqual(pressed(), ["false", "true"]);
  click("#next .watch", "Watch “w6”");
  assert.equal(store.state.token, null);
});

test("the title says after which token, or where one is filled in", () => {
  panel(answered([listed(5, 0.6)]));
  assert.deepEqual(texts("#next-title"), ["after “dogs”"]);
  panel(answered([listed(5, 0.6)], { predicted_at: [1] }), { query: 1 });
  assert.deepEqual(texts("#next-title"), ["after “The”"]);
  assert.match(words(), /the text after it is removed/);
  panel(answered([listed(5, 0.6)], { model: "bert" }), { model: "bert" });
  assert.deepEqual(texts("#next-title"), ["at “dogs”"]);
  assert.match(words(), /Click a token to insert it/);
});

test("a refusal stays in the panel, with a way to ask again where that may help", () => {
  const refused = (/** @type {boolean} */ retry) => ({
    status: "error",
    answer: null,
    problem: { message: "Seven is refused.", retry },
  });
  panel(refused(false));
  assert.match(words(), /^Seven is refused\./);
  assert.equal(document.querySelector("#next").hidden, true);
  const again = () =>
    [...document.querySelectorAll("#next-panel button")].find(
      ({ textContent }) => textContent === "Try again",
    );
  assert.equal(again().hidden, true);
  const { asked } = panel(refused(true));
  assert.equal(again().hidden, false);
  again().click();
  assert.equal(asked(), 1);
});

test("a special token cannot be appended and says why", async () => {
  const eos = listed(1, 0.3, null, { text: "[EOS]", special: true });
  const { store } = panel(answered([eos, listed(6, 0.2)]));
  const [special, plain] = document.querySelectorAll("#next .token");
  assert.equal(special.getAttribute("aria-disabled"), "true");
  assert.match(special.title, /special token/);
  assert.equal(plain.getAttribute("aria-disabled"), "false");
  special.click();
  await Promise.resolve();
  assert.match(words(), /“\[EOS\]” cannot be appended: it is a special token/);
  assert.deepEqual(store.state.texts, ["The dogs"]);
});

test("heads that cannot be muted are not offered to be muted in turn", () => {
  const mutes = () =>
    [...document.querySelectorAll("#next-panel button")].find(({ textContent }) =>
      textContent?.startsWith("Mute each head"),
    );
  panel(answered([listed(5, 0.6)]));
  assert.equal(mutes().hidden, false);
  panel(answered([listed(5, 0.6)], { model: "bloom" }), { model: "bloom" });
  assert.equal(mutes().hidden, true);
  assert.deepEqual(rows(), [["w5", "", "60.0%"]]);
});

test("nothing is inserted into the text of a recorded run, and the panel says why", () => {
  const lacks = "this file holds one recorded run, and not the model";
  const recorded = { texts: ["The dogs"], targets: [], pairs: null, masks: OWN_MASKS, muted: [] };
  const models = [{ ...shipped, lacks, recorded }];
  const { store } = panel(answered([listed(5, 0.6)]), { models });
  assert.match(words(), /No token can be inserted: this file holds one recorded run/);
  assert.doesNotMatch(words(), /Click a token/);
  const token = document.querySelector("#next tbody .token");
  assert.equal(token.getAttribute("aria-disabled"), "true");
  assert.match(token.title, /this file holds one recorded run/);
  click("#next tbody .token");
  assert.deepEqual(store.state.texts, ["The dogs"]);
});

test("the model writes until it ends, somebody stops it, or somebody types", async () => {
  const { store } = panel(answered([listed(5, 0.9)]));
  /** @type {string[]} */
  const told = [];
  /** @type {boolean[]} */
  const onward = [];
  const inserter = /** @type {any} */ ({
    busy: false,
    insert: async (
      /** @type {any} */ { text },
      /** @type {any} */ _,
      /** @type {{onward: boolean}} */ how,
    ) => {
      onward.push(how.onward);
      if (text !== " w99") store.update({ texts: [store.state.texts[0] + text] });
      return "It cannot be typed.";
    },
  });
  const row = writing(store, inserter, (text) => told.push(text));
  const write = row.querySelector("button");
  const until = async (/** @type {() => boolean} */ holds) => {
    for (let n = 0; n < 200 && !holds(); n++) await new Promise((next) => setTimeout(next, 10));
    assert.ok(holds());
  };
  const says = (/** @type {number} */ id, more = {}) =>
    store.update({ next: answered([listed(id, 0.9, null, more)]) });

  assert.equal(write.textContent, "Let it write");
  write.click();
  await until(() => store.state.texts[0] === "The dogs w5");
  assert.equal(write.textContent, "Stop");
  says(6);
  await until(() => store.state.texts[0] === "The dogs w5 w6");
  assert.deepEqual(onward, [false, true]); // one step for Undo
  says(9, { special: true });
  assert.equal(write.textContent, "Let it write");
  assert.match(told.pop() ?? "", /^The model ends here: “w9”/);

  says(7);
  write.click();
  await until(() => store.state.texts[0].endsWith("w7"));
  store.update({ texts: ["The dogs"] }); // the reader types
  says(8);
  assert.equal(write.textContent, "Let it write");
  assert.deepEqual(store.state.texts, ["The dogs"]);

  says(8);
  write.click();
  await until(() => store.state.texts[0] === "The dogs w8");
  write.click();
  assert.equal(told.pop(), "The model wrote 1 token.");
  says(5);
  await new Promise((next) => setTimeout(next, 400));
  assert.deepEqual(store.state.texts, ["The dogs w8"]);

  // a sentence ends with its mark, or what closes after it; a number of tokens goes on
  const far = row.querySelector("select");
  says(21, { text: '."' });
  write.click();
  await until(() => store.state.texts[0] === 'The dogs w8."');
  says(22);
  await until(() => write.textContent === "Let it write");
  assert.equal(told.pop(), "The model wrote 1 token.");
  far.value = "1"; // 20 tokens
  says(23, { text: "." });
  write.click();
  await until(() => store.state.texts[0] === 'The dogs w8.".');
  says(22);
  await until(() => store.state.texts[0] === 'The dogs w8.". w22');
  write.click();
  told.pop();

  says(99);
  write.click();
  await until(() => write.textContent === "Let it write");
  assert.equal(told.pop(), "It cannot be typed.");
  write.click(); // the same again
  await until(() => told.length === 1 && write.textContent === "Let it write");
  assert.equal(told.pop(), "It cannot be typed.");
  store.update({ model: "bert" });
  assert.equal(row.hidden, true); // it fills gaps
});
