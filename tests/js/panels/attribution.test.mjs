import assert from "node:assert/strict";
import test from "node:test";
import { ApiError } from "../../../static/js/api/errors.js";
import { recoveryOf } from "../../../static/js/api/refusals.js";
import { sentencesOf } from "../../../static/js/panels/attribution/aim.js";
import { optionsOf, swapped } from "../../../static/js/panels/attribution/chooser.js";
import { textWith, tokenIn } from "../../../static/js/panels/attribution/lookup.js";
import { brief, paint } from "../../../static/js/panels/attribution/paint.js";
import { attributionRequest } from "../../../static/js/panels/attribution/request.js";
import { save } from "../../../static/js/panels/attribution/save.js";
import { attributionIn, sourcesOf } from "../../../static/js/panels/attribution/sources.js";
import { axisOf, barOn, waterfallOf } from "../../../static/js/panels/attribution/waterfall.js";
import { rowName } from "../../../static/js/panels/attribution/words.js";
import { OWN_MASKS } from "../../../static/js/state/masks.js";
import { answered, FOUND, usual } from "../attributed.mjs";
import { shipped, t5 } from "../models.mjs";

const close = (/** @type {number} */ a, /** @type {number} */ b) =>
  assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);
const look = (/** @type {any} */ order, open = false) =>
  waterfallOf(/** @type {any} */ (FOUND), { order, open });
const named = (/** @type {any[]} */ rows) =>
  rows.map(({ kind, part, n }) =>
    part
      ? [part.kind, part.layer, part.head].filter((one) => one !== null).join(".")
      : `${kind} ${n}`,
  );
/** What is said, without its marks of bold type. @param {any} state */
const wordsOf = (state) =>
  sentencesOf(/** @type {any} */ (attributionIn(state)))
    .map((one) => (typeof one === "string" ? one : one.bold))
    .join("");
/** @param {object} [found] */
const said = (found) => wordsOf({ ...usual, attribution: answered(found) });

test("where a text repeats the token that is read, its position is named", () => {
  const attribution = answered();
  const { position } = FOUND;
  const tokens = attribution.answer.trace.tokens[0];
  const name = `“${tokens[position].text.trim()}”`;
  const start = () => wordsOf({ ...usual, attribution }).slice(0, 40);
  assert.ok(start().startsWith(`After ${name}, `), start());
  attribution.answer.trace.tokens = [[...tokens, tokens[position]]];
  assert.ok(start().startsWith(`After ${name} (token ${position}), `), start());
});

test("each bar starts where the last one ended, from 0 to the logit", () => {
  for (const order of ["written", "size"]) {
    for (const open of [false, true]) {
      const rows = look(order, open);
      const [remainder, logit] = rows.slice(-2);
      assert.equal(rows[0].from, 0);
      for (const [place, row] of rows.slice(0, -1).entries()) {
        close(row.to - row.from, row.value);
        if (place > 0) assert.equal(row.from, rows[place - 1].to);
      }
      assert.deepEqual([remainder.kind, remainder.value], ["remainder", 0.48]);
      close(remainder.to, 5);
      assert.deepEqual([logit.kind, logit.from, logit.to], ["logit", 0, 5]);
    }
  }
});

test("small parts are folded into one row, which keeps their sum and opens", () => {
  const rows = look("written");
  assert.deepEqual(named(rows), [
    "embedding",
    "head.0.0",
    "head.0.1",
    "mlp.0",
    "smaller 3",
    "remainder 1",
    "logit 7",
  ]);
  close(rows[4].value, 0.01 - 0.02 + 0.03);
  assert.deepEqual(named(look("size")).slice(0, 4), ["mlp.0", "head.0.0", "head.0.1", "embedding"]);
  assert.deepEqual(named(look("written", true)), [
    "embedding",
    "head.0.0",
    "head.0.1",
    "head.0.2",
    "mlp.0",
    "head.1.0",
    "norm",
    "remainder 1",
    "logit 7",
  ]);
  assert.deepEqual(named(look("size", true)).slice(3, 7), [
    "embedding",
    "norm",
    "head.1.0",
    "head.0.2",
  ]);
});

test("one small part alone is not folded, nor is the remainder, however small", () => {
  const contributions = FOUND.contributions.slice(0, 4); // one of them is small
  const rows = waterfallOf(
    /** @type {any} */ ({ contributions, soft_cap: null, remainder: 1e-7, logit: 1.51 }),
    {
      order: "written",
      open: false,
    },
  );
  assert.deepEqual(named(rows).slice(-3), ["head.0.2", "remainder 1", "logit 4"]);
});

test("many parts are folded, although none is small", () => {
  const contributions = Array.from({ length: 40 }, (_, n) => ({
    part: FOUND.contributions[0].part,
    value: 1 + n / 100,
  }));
  const rows = waterfallOf(
    /** @type {any} */ ({ contributions, soft_cap: null, remainder: 0, logit: 47.8 }),
    {
      order: "size",
      open: false,
    },
  );
  assert.deepEqual(named(rows).slice(-3), ["smaller 28", "remainder 1", "logit 40"]);
});

test("the axis holds zero and every end of a bar, and a bar lies on it from its lower end", () => {
  const axis = axisOf(
    /** @type {any} */ ([
      { from: 0, to: -1 },
      { from: -1, to: 3 },
    ]),
  );
  assert.deepEqual(axis, { low: -1, high: 3 });
  assert.deepEqual(barOn({ from: -1, to: 3 }, axis), { start: 0, length: 1 });
  assert.deepEqual(barOn({ from: 0, to: -1 }, axis), { start: 0, length: 0.25 });
  assert.deepEqual(barOn({ from: 0, to: 0 }, axisOf([])), { start: 0, length: 0 });
});

test("source tokens add up over all heads, or through one", () => {
  const all = sourcesOf(/** @type {any} */ (FOUND), /** @type {any} */ (shipped), null);
  assert.equal(all.length, 1);
  assert.equal(all[0].axis, "tokens");
  [0.3 - 0.5 + 0.01, 1.5, 0.2 - 0.5 - 0.02, 0].forEach((sum, key) => {
    close(all[0].values[key], sum);
  });
  const only = (/** @type {any} */ head) =>
    sourcesOf(/** @type {any} */ (FOUND), /** @type {any} */ (shipped), head);
  assert.deepEqual(only({ kind: "self", layer: 0, head: 1 })[0].values, [-0.5, 0, -0.5, 0]);
  assert.deepEqual(only({ kind: "self", layer: 2, head: 1 }), [], "it writes elsewhere");
});

test("in an encoder–decoder the keys of cross-attention are not those of the decoder", () => {
  const sources = [
    { site: "decoder.1", layer: 1, head: 0, values: [1, 2] },
    { site: "cross.1", layer: 1, head: 0, values: [10, 20, 30] },
    { site: "cross.1", layer: 1, head: 1, values: [1, 1, 1] },
  ];
  const sites = [
    { name: "decoder.1", kind: "decoder" },
    { name: "cross.1", kind: "cross" },
  ];
  assert.deepEqual(sourcesOf({ sources }, /** @type {any} */ ({ ...t5, sites }), null), [
    { axis: "target_tokens", values: [1, 2] },
    { axis: "tokens", values: [11, 21, 31] },
  ]);
});

test("a sentence says what has the largest effect, and of the heads through which token", () => {
  assert.equal(
    said(),
    "After “saw”, “herself” has a logit of 5.00. The feed-forward network of layer 0 has the largest effect: +3.00. " +
      "Of the heads, layer 0 head 0 has the largest effect: +2.00, mostly through “Maria”.",
  );
  const heads = FOUND.contributions.filter(({ part }) => part.kind === "head");
  assert.equal(
    said({ contributions: heads.slice(1) }),
    "After “saw”, “herself” has a logit of 5.00. Layer 0 head 1 has the largest effect: −1.00.",
    "no token has more than half of it",
  );
  const against = { id: 8, text: "himself", probability: 0.1 };
  assert.match(
    said({ against, logit: -2.5 }),
    /the logit of “herself” is 2\.50 below that of “himself”\. /,
  );
  assert.match(said({ against, logit: 2.5 }), /is 2\.50 above that of “himself”\. /);
  assert.equal(
    said({ against: FOUND.token, logit: 0 }),
    "Both tokens are “herself”, so there is no difference. Choose another one to compare with.",
  );
});

test("the thumbnails are painted in the colours of the sign, as strong as the largest head", () => {
  const painting = paint(usual);
  assert.deepEqual(
    [...(painting?.heads ?? [])].map(([name, { tint, strength, text }]) => [
      name,
      tint,
      strength,
      text,
    ]),
    [
      ["0.0", "rises", 1, "+2.0"],
      ["0.1", "falls", 0.5, "−1.0"],
      ["0.2", "rises", 0.005, "+0.01"],
      ["1.0", "falls", 0.01, "−0.02"],
    ],
  );
  assert.equal(painting?.heads.get("0.1")?.words, "adds −1.00");
  assert.deepEqual(painting?.legend, {
    words: "Colours: what each head adds to the logit of “herself” after “saw”.",
    low: "−2.00",
    high: "+2.00",
  });
  assert.equal(paint({ ...usual, attribution: { ...answered(), status: "loading" } }), null);
  assert.equal(paint({ ...usual, kind: "cross" }), null, "no head of this kind wrote");
  assert.deepEqual([0, 0.004, -0.5, 12.3].map(brief), ["0", "≈0", "−0.50", "+12"]);
});

test("the predicted tokens are offered, without the one that is compared with", () => {
  const texts = (/** @type {object} */ changes, /** @type {"token" | "versus"} */ key) =>
    optionsOf({ ...usual, ...changes }, key).map(({ value, text }) => `${value}: ${text}`);
  assert.deepEqual(texts({}, "token"), [
    ": herself (likeliest)",
    "7: herself 50.0%",
    "8: him 20.0%",
    "9: the 10.0%",
    "other: another token …",
  ]);
  assert.deepEqual(texts({}, "versus"), [
    ": nothing",
    "8: him 20.0%",
    "9: the 10.0%",
    "other: another token …",
  ]);
  const against = { id: 70, text: "himself", probability: 0 };
  const other = { versus: 70, attribution: answered({ against }) };
  assert.equal(texts(other, "versus").at(-2), "70: himself", "one that is not predicted is named");
  assert.equal(
    texts({ versus: 71 }, "versus").at(-2),
    "71: token 71",
    "its name comes with the answer",
  );
});

test("swapping names the likeliest token, and swaps back", () => {
  assert.deepEqual(swapped(usual), {}, "there is nothing to swap with");
  const once = swapped({ ...usual, versus: 8 });
  assert.deepEqual(once, { token: 8, versus: 7 });
  assert.deepEqual(swapped({ ...usual, ...once }), { token: 7, versus: 8 });
});

test("a typed token is read after a word, and the first token counts", () => {
  assert.deepEqual(["him", "?", "'s"].map(textWith), ["a him", "a?", "a's"]);
  const read = (/** @type {object[]} */ ...tokens) =>
    tokenIn(/** @type {any} */ ([{ id: 1, text: "a", start: 0, end: 1 }, ...tokens]), "him", 3);
  assert.deepEqual(read({ id: 5, text: "him", start: 2, end: 5 }), { id: 5, said: "" });
  const several = read(
    { id: 5, text: "hi", start: 2, end: 4 },
    { id: 6, text: "m", start: 4, end: 5 },
  );
  assert.equal(several.id, 5);
  assert.match(several.said, /“him” as several tokens; the first, “hi”, is taken/);
  assert.equal(read({ id: 3, text: "[UNK]", start: 2, end: 5 }).id, null, "unknown");
  assert.equal(read({ id: 2, text: "[EOS]", start: 5, end: 5, special: true }).id, null);
});

test("it asks for the watched token at the position of the predictions", () => {
  const state = {
    ...usual,
    texts: ["a b"],
    targets: [],
    pairs: null,
    masks: OWN_MASKS,
    muted: [],
    query: 1,
    token: 9,
    versus: 8,
  };
  const asked = /** @type {any} */ (attributionRequest(state, /** @type {any} */ (shipped)));
  assert.deepEqual(asked.analyse, { attribution: { position: 1, token: 9, against: 8 } });
  assert.equal(
    attributionRequest(state, /** @type {any} */ ({ ...shipped, predicts: null })),
    null,
  );
});

test("a token of another model, from a link, is let go", () => {
  const refused = new ApiError("There is no such id.", { field: "analyse.attribution.against" });
  const state = { ...usual, query: null, lacks: {}, matrix: "pattern", versus: 99999 };
  assert.deepEqual(recoveryOf(refused, state), { versus: null });
});

test("what is saved has every part, and the remainder", () => {
  const lines = save.csv(usual).trim().split("\r\n");
  assert.equal(lines.length, 1 + FOUND.contributions.length + 1);
  assert.equal(lines[2], '"L0 · H0","head",0,"layers.0",0,2,7,"herself",,""');
  assert.equal(lines.at(-1), '"remainder","remainder",,,,0.48,7,"herself",,""');
  const values = lines.slice(1).map((line) => Number(line.split(",")[5]));
  close(
    values.reduce((a, b) => a + b),
    5,
  );
  const refused = {
    status: "error",
    answer: null,
    problem: { message: "No stream.", retry: false },
  };
  assert.throws(() => save.csv({ ...usual, attribution: refused }), /No stream\./);
});

test("what a soft cap changes is a row of its own, and so is its line in a file", () => {
  const capped = { ...FOUND, soft_cap: -0.3, remainder: 0.78 };
  const rows = waterfallOf(/** @type {any} */ (capped), { order: "written", open: true });
  const [cap, remainder] = rows.slice(-3);
  assert.deepEqual([cap.kind, cap.value], ["cap", -0.3]);
  close(remainder.to, 5);
  assert.equal(rowName(/** @type {any} */ (cap), "self", false), "soft cap");
});
