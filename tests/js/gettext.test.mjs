// What the page says in the reader's language.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gettext, ngettext } from "../../static/js/language/gettext.js";

const arabic = fileURLToPath(new URL("arabic.mjs", import.meta.url));
const number = new Intl.NumberFormat("ar");

test("on a page in Arabic", () => {
  const [value, none, one, two, few, many, ...english] = JSON.parse(
    execFileSync(process.execPath, [arabic], { encoding: "utf8" }),
  );
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
});

test("without a page, or on an English one", () => {
  assert.equal(gettext("Join at {address}", { address: "here" }), "Join at here");
  assert.equal(ngettext("{n} person", "{n} people", 1), "1 person");
  assert.equal(ngettext("{n} person", "{n} people", 1200), "1,200 people");
});
