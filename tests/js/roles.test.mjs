import assert from "node:assert/strict";
import test from "node:test";
import { rolesOf } from "../../static/js/panels/input/roles.js";

/** Tokens, of which those between < and > are special. @param {string} text */
const tokensOf = (text) =>
  /** @type {any[]} */ (
    (text.match(/<[^>]*>|\s?\w+|\s|\W/g) ?? []).map((one) => ({
      text: one,
      special: one.startsWith("<") && one !== "<pad>",
      padding: one === "<pad>",
    }))
  );
const roles = (/** @type {string} */ text) =>
  rolesOf(tokensOf(text))
    .map((role) => role?.[0] ?? "-")
    .join("");

test("each message has its role, from the mark before it to the next one", () => {
  // as SmolLM2 and Qwen mark messages, as Llama 3 does, as Phi does, as Gemma does
  assert.equal(roles("<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n"), "uuuuuaaa");
  assert.equal(roles("<bos><|start_header_id|>system<|end_header_id|> Be"), "-ssss");
  assert.equal(roles("<|system|> Be<|end|><|user|> Hi<|end|><|assistant|>"), "sssuuua");
  assert.equal(roles("<start_of_turn>model Hi<end_of_turn>"), "aaaa");
});

test("a text that only speaks of users is nobody's, and so is padding", () => {
  assert.equal(roles("<bos>The user asks<eos>"), "-----");
  assert.equal(roles("<|user|> Hi<pad><pad>"), "uu--");
  assert.equal(roles("<|constructor|> Hi"), "--");
});
