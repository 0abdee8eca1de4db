import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import * as words from "../../static/js/live/desk/words.js";

const read = (/** @type {string} */ path) =>
  readFileSync(new URL(`../../templates/${path}`, import.meta.url), "utf8");

test("what the page for teachers calls a button of the desk is there under that name", () => {
  const [, live] = read("learn/teachers.html").split('<h2 id="live">');
  const named = [...live.split("<h2")[0].matchAll(/<b>([A-Z][^<]*[a-z])<\/b>/g)].map(
    ([, name]) => name,
  );
  const about = ["Your desk", "People join", "Afterwards"]; // what a step is about
  const buttons = named.filter((name) => !about.includes(name));
  assert.ok(buttons.length > 6);
  const desk = [read("class/desk.html"), ...Object.values(words)].join("\n");
  assert.deepEqual(
    buttons.filter((name) => !desk.includes(name)),
    [],
  );
});
