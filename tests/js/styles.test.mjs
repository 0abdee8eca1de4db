// What the style sheets of the inspector must not do.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";

const folder = new URL("../../static/css/", import.meta.url);
// not on the inspector's page
const OF_LESSONS = [
  "learn",
  "lessons",
  "handout",
  "figure",
  "workshop",
  "cards",
  "paper",
  "slides",
].map((name) => `${name}.css`);

test("no rule looks with :has() into an element that holds the panels", () => {
  const holders = /(?:^|[\s,>])(?:html|body|main|:root|#main|\.work|\.head|\.left)[^\s,>{]*:has\(/m;
  const sheets = readdirSync(folder).filter((name) => !OF_LESSONS.includes(name));
  assert.ok(sheets.length > 10);
  // each change anywhere in it would restyle everything in it: tens of milliseconds at every key
  const slow = sheets.filter((name) => holders.test(readFileSync(new URL(name, folder), "utf8")));
  assert.deepEqual(slow, [], "set an attribute of the element instead, such as data-view");
});

test("margins, borders, padding and alignment follow the direction of the text", () => {
  const physical = /(?:margin|padding|border)-(?:left|right)\b|text-align: (?:left|right)/g;
  const found = readdirSync(folder).flatMap((name) =>
    (readFileSync(new URL(name, folder), "utf8").match(physical) ?? []).map((one) => [name, one]),
  );
  // a label that is turned by half a circle begins where its text ends
  assert.deepEqual(found, [["patch.css", "text-align: left"]]);
});
