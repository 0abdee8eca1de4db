// What meets typed text takes a time that its length explains: no pattern goes over a run of characters again and again.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { wrapped } from "../../static/js/draw/pictures/frame.js";
import { xml } from "../../static/js/draw/scene.js";
import { Tokenizer } from "../../static/js/engine/core/tokenizer.js";
import { pieces } from "../../static/js/engine/scratch/pieces.js";
import { tokenize } from "../../static/js/engine/scratch/words.js";
import { sameWords } from "../../static/js/learn/links.js";
import { spellings } from "../../static/js/panels/predict/spelling.js";
import { isPermuted } from "../../static/js/sources/scratch/texts.js";
import { decode } from "../../static/js/state/painted/cells.js";
import { csvTable, label, plain } from "../../static/js/words/format.js";
import { fileName } from "../../static/js/words/picture.js";
import { py } from "../../static/js/words/python.js";

const LONG = 20_000; // characters, which is what the server takes
const UNNOTICED = 40; // milliseconds of processor time: below, noise would decide
const TRIES = 4;
const KINDS = Object.values(
  JSON.parse(readFileSync(new URL("../adversarial.json", import.meta.url), "utf-8")),
);
const vocabulary = new URL("../../model/shipped/tokenizer.json", import.meta.url);
const tokenizer = new Tokenizer(JSON.parse(readFileSync(vocabulary, "utf-8")));
const words = /** @type {const} */ ({ scratch: { tokens: "words" } });

/** @param {string} text */
const said = (text) => ({ texts: [text], targets: [] });

/** @type {Record<string, (text: string) => unknown>} */
const STEPS = {
  label: (text) => label({ text }),
  plain,
  xml,
  py,
  fileName,
  pieces: (text) => pieces(text, "words"),
  isPermuted: (text) => isPermuted(text, `x ${text}`, /** @type {any} */ (words)),
  sameWords: (text) => sameWords(said(text), said(`x ${text}`)),
  spellings: (text) => [spellings(text, "x", true), spellings("x", text, true)],
  csvTable: (text) => csvTable([text], [[text]]),
  decode: (text) => decode([text]),
  encode: (text) => tokenizer.encode(text),
  tokenize: (text) => tokenize([text], "words"),
  wrapped: (text) => wrapped(text, 400),
};

/** @param {(text: string) => unknown} step @param {string} unit @param {number} n */
function spent(step, unit, n) {
  const text = `x${unit.repeat(n).slice(0, n - 2)}\x01`;
  const before = process.cpuUsage();
  step(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Eight times the text takes a linear step 8 times as long, a quadratic one 64 times. @param {(text: string) => unknown} step @param {string} unit */
function linear(step, unit) {
  let [whole, eighth] = [Infinity, Infinity]; // the best of each: whatever disturbs a run only adds to its time
  for (let tries = 0; tries < TRIES; tries += 1) {
    whole = Math.min(whole, spent(step, unit, LONG));
    if (whole < UNNOTICED) return true;
    eighth = Math.min(eighth, spent(step, unit, LONG / 8));
    if (whole < 12 * eighth) return true; // far enough from 64 to need no other try
  }
  return whole < 24 * eighth;
}

for (const [name, step] of Object.entries(STEPS)) {
  test(`${name} takes linear time`, () => {
    assert.deepEqual(
      KINDS.filter((unit) => !linear(step, unit)),
      [],
    );
  });
}

test("what takes quadratic time is found out", () => {
  assert.equal(
    linear((text) => text.replace(/^\s+|\s+$/g, ""), " "),
    false,
  );
});
