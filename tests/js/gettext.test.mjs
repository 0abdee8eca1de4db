// What the page says in the reader's language.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { saidOf, worded } from "../../static/js/language/facts.js";
import { gettext, keyOf, ngettext } from "../../static/js/language/gettext.js";
import { inChosenLanguage } from "../../static/js/standalone/bar.js";

const arabic = fileURLToPath(new URL("arabic.mjs", import.meta.url));
const number = new Intl.NumberFormat("ar");

test("on a page in Arabic", () => {
  const all = JSON.parse(execFileSync(process.execPath, [arabic], { encoding: "utf8" }));
  const [value, none, one, two, few, many, ...rest] = all;
  const [english, reasons, sentence, matrices, nested, numbers] = [
    rest.slice(0, 3),
    ...rest.slice(3),
  ];
  assert.equal(
    value,
    "انضموا عبر \u2068http://192.168.0.2/join\u2069",
    "it moves no word around it",
  );
  assert.deepEqual([none, one, two], ["لا أحد", "شخص واحد", "شخصان"]);
  assert.equal(few, `${number.format(3)} أشخاص`);
  assert.equal(many, `${number.format(11)} شخص`, "a form that is missing is the general one");
  assert.deepEqual(english, [
    `Not here: ${number.format(1200)}`,
    `${number.format(1)} head`,
    "{unknown} stays",
  ]);
  assert.ok(reasons.includes("القناع السببي"), "words of a table of facts");
  assert.ok(reasons.includes("the padding mask"), "those that no catalogue has stay English");
  assert.deepEqual(sentence, ["لـ", "\u2068cat\u2069", " حصة ", { bold: "٪" }, "."]);
  assert.deepEqual(matrices, ["pattern", "النمط", "Scores"], "a name is no word");
  assert.equal(nested, "\u2068cat\u2069 و\u2068mat\u2069 التالي.", "each token is isolated once");
  const half = new Intl.NumberFormat("ar", { style: "percent" }).format(0.5);
  assert.deepEqual(numbers, ["\u200e−", half], "a sign stays before its number");
});

test("a message has the key that the server gives it", () => {
  // tests/unit/languages/test_shares.py has the same
  const keys = ["", "a", "foobar", "½ · α, β …"].map(keyOf);
  assert.deepEqual(keys, ["811c9dc5", "e40c292c", "bf9cf968", "f3947ffe"]);
});

test("without a page, or on an English one", () => {
  assert.equal(gettext("Join at {address}", { address: "here" }), "Join at here");
  assert.equal(ngettext("{n} person", "{n} people", 1), "1 person");
  assert.equal(ngettext("{n} person", "{n} people", 1200), "1,200 people");
});

test("words of a number of things, in a table of facts", () => {
  const words = { null: "off", 1: "itself only", other: "{n} tokens" };
  assert.deepEqual(
    [null, 1, 1200].map((value) => saidOf(words, value)),
    ["off", "itself only", "1,200 tokens"],
  );
  assert.equal(saidOf({ 0: "nothing", other: "{n} places" }, []), "nothing");
  assert.equal(saidOf({ other: "window of {n}" }, 1), "window of 1");
});

test("a list in a table is a value and its words", () => {
  const table = { rows: [{ choose: [["alibi", "ALiBi"]], find: { name: "x" }, name: "y" }] };
  assert.deepEqual(worded(table, "metrics"), table);
});

test("a link says which language its reader has chosen", () => {
  globalThis.document = /** @type {any} */ ({ cookie: "a=b; headlight_language=zh-Hans" });
  assert.equal(inChosenLanguage("?text=a"), "?text=a&lang=zh-Hans");
  assert.equal(inChosenLanguage("?"), "?lang=zh-Hans");
  globalThis.document = /** @type {any} */ ({ cookie: "a=b" }); // the browser asks for one
  assert.equal(inChosenLanguage("?text=a"), "?text=a");
});
