// Sentences of the page: what a reader or a model wrote in them is left alone.

import assert from "node:assert/strict";
import test from "node:test";
import { make, write } from "../../../static/js/dom/dom.js";
import { bold, boldToken, parts } from "../../../static/js/words/parts.js";
import { document } from "./dom.mjs";

/** What no browser translates, and nothing around it moves. @param {Element} element */
const leftAlone = (element) =>
  [...element.querySelectorAll("bdi, [dir=auto]")]
    .filter((one) => one.getAttribute("translate") === "no" || one.translate === false)
    .map((one) => one.textContent);

test("a quoted token in a sentence is not translated, and keeps its direction", () => {
  const sentence = "“dog” gives “\u2068ש\u2069” 6%.";
  const line = make("p", { text: sentence });
  assert.equal(line.textContent, sentence);
  assert.deepEqual(leftAlone(line), ["dog", "\u2068ש\u2069"]);
  write(line, "Nothing is quoted.");
  assert.deepEqual([line.textContent, leftAlone(line)], ["Nothing is quoted.", []]);
});

test("so is one in a sentence with places in bold", () => {
  const line = document.createElement("p");
  write(
    line,
    parts("At “cat”, {token} has {share} of “it”.", {
      token: boldToken("3 sat"),
      share: bold("0.12"),
    }),
  );
  assert.equal(line.textContent, "At “cat”, 3 sat has 0.12 of “it”.");
  assert.deepEqual(leftAlone(line), ["cat", "3 sat", "it"]);
});

test("a token that is a quotation mark loses nothing", () => {
  for (const text of ["“”” and “““", "““” looks at “””", "“", "”“", ""]) {
    assert.equal(make("p", { text }).textContent, text);
  }
});

test("the same words are not written again, so that nobody reads them out again", () => {
  const line = make("p", { text: "After “saw”" });
  const [, quoted] = line.childNodes;
  write(line, "After “saw”");
  assert.equal(line.childNodes[1], quoted);
});
