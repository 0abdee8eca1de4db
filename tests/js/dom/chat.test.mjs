import assert from "node:assert/strict";
import test from "node:test";
import { Store } from "../../../static/js/state/store.js";
import { shipped } from "../models.mjs";
import { document } from "./dom.mjs";

const { asChat } = await import("../../../static/js/panels/input/chat.js");

const chat = { ...shipped, name: "chat", takes_messages: true };

/** @param {(request: object) => Promise<object>} ask @param {object} [more] */
function shown(ask, more = {}) {
  const button = document.createElement("button");
  const store = new Store({
    model: "chat",
    models: [shipped, chat],
    texts: ["One.", "Hi"],
    shown: 1,
    query: 2,
    special_tokens: true,
    ...more,
  });
  /** @type {string[]} */
  const said = [];
  asChat(button, store, (words) => said.push(words), ask);
  const press = async () => {
    button.click();
    await new Promise((done) => setTimeout(done));
  };
  return { button, store, said, press };
}

test("the sentence becomes what the template makes of it, once", async () => {
  /** @type {any[]} */
  const asked = [];
  const { button, store, press } = shown(async (request) => {
    asked.push(request);
    return { trace: { rendered: ["<user>Hi<end>"] } };
  });
  assert.equal(button.hidden, false);
  await press();
  assert.deepEqual(asked[0].messages, [[{ role: "user", content: "Hi" }]]);
  const { texts, special_tokens, query } = store.state;
  assert.deepEqual([texts, special_tokens, query], [["One.", "<user>Hi<end>"], false, null]);
  assert.equal(button.hidden, true, "it is no message again");
  store.update({ texts: ["One.", "<user>Hi there<end>"] });
  assert.equal(button.hidden, false);
});

test("it is offered by models with a template alone, and for a sentence", () => {
  const none = async () => assert.fail("it was asked");
  assert.equal(shown(none, { model: "shipped" }).button.hidden, true);
  assert.equal(shown(none, { texts: ["One.", " "] }).button.hidden, true);
});

test("a refusal is told, and a reader who goes on keeps the new sentence", async () => {
  const refused = shown(async () => {
    throw new Error("The template refused it.");
  });
  await refused.press();
  assert.deepEqual(refused.said, ["The sentence stays as it is. The template refused it."]);
  assert.deepEqual([refused.store.state.texts[1], refused.button.disabled], ["Hi", false]);
  const late = shown(async () => {
    late.store.update({ texts: ["One.", "Hi you"] });
    return { trace: { rendered: ["<user>Hi<end>"] } };
  });
  await late.press();
  assert.equal(late.store.state.texts[1], "Hi you");
});
