import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { tokensOf } from "../../../static/js/own/tokens.js";

const CASES = JSON.parse(readFileSync(new URL("../../own_tokens.json", import.meta.url), "utf8"));

test("tokens are read as headlight.show reads them", () => {
  for (const { tokens, texts, special, written } of CASES) {
    const found = tokensOf([tokens], null);
    const of = (name) => found.tokens[0].map((token) => token[name]);
    assert.deepEqual([of("text"), of("special"), found.texts], [texts, special, [written]]);
    assert.deepEqual(
      of("piece").map((piece, index) => piece ?? texts[index]),
      tokens,
    );
  }
});
