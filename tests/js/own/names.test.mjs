import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { named } from "../../../static/js/own/names.js";

const CASES = JSON.parse(readFileSync(new URL("../../own_names.json", import.meta.url), "utf8"));

test("names say what headlight.show takes them to say", () => {
  for (const [name, ...meaning] of CASES) {
    const { part, layer, kind } = named(name);
    assert.deepEqual([part, layer ?? 0, kind], meaning, name);
  }
});
