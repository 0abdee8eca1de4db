// The panel Circuits as a reader uses it: it asks for the selected head once, a token is chosen in several ways, and it says why it has nothing.

import assert from "node:assert/strict";
import test from "node:test";
import { Store } from "../../../static/js/state/store.js";
import { other, shipped, t5 } from "../models.mjs";
import { click, document, page, texts } from "./dom.mjs";

const { ApiError } = await import("../../../static/js/api/errors.js");
const { panelElement } = await import("../../../static/js/page/mounts.js");
const { circuits } = await import("../../../static/js/panels/circuits/circuits.js");
const { save } = await import("../../../static/js/panels/circuits/save.js");

const NAMES = ["[PAD]", "[BOS]", " Maria", " saw", " cat", " the", " <b>"];
const of = (id) => ({ id, text: NAMES[id] });
const qk = (query, key, value) => ({ query: of(query), key: of(key), value });
const ov = (source, output, value) => ({ source: of(source), output: of(output), value });
const found = {
  model: "shipped",
  site: "layers.1",
  layer: 1,
  head: 3,
  reads: "effective embedding",
  n_tokens: 6230,
  copying: 0.98,
  copied: 0.998,
  no_outputs: null,
  partners: null,
  qk: [qk(2, 4, 8), qk(3, 5, 2)],
  ov: [ov(4, 4, 20), ov(5, 6, 5)],
};
const partnersOf = (id) => ({
  token: of(id),
  as_query: [qk(id, 4, 6), qk(id, 3, 1.5)],
  as_key: [qk(5, id, 0.25)],
  raises: [ov(id, id, 12), ov(id, 3, 3)],
  lowers: [ov(id, 5, -7)],
});
const tokens = [1, 2, 3, 2].map((id) => ({ ...of(id), special: id < 2, padding: false }));
const detail = { trace: { model: "shipped", tokens: [tokens], target_tokens: null } };
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

/** @param {object} [more] of the state @param {(model: string, query: any, signal: AbortSignal) => any} [answer] */
async function panel(more = {}, answer = answered) {
  page("#predictions");
  const asked = [];
  const store = new Store({
    model: "shipped",
    models: [shipped, other],
    right: "circuits",
    kind: "self",
    layer: 1,
    head: 3,
    vocab: null,
    vocabulary: { head: null, token: null },
    detail,
    shown: 0,
    scheme: "light",
    ...more,
  });
  circuits(panelElement("circuits"), store, {
    rest: async () => {},
    get: async (model, query, signal) => {
      asked.push({ model, ...query });
      return answer(model, query, signal);
    },
    find: async (typed) =>
      typed === "cat" ? { id: 4, said: "" } : { id: null, said: `No token is “${typed}”.` },
  });
  await settled();
  return { store, asked };
}
const answered = (model, { token }) =>
  token === undefined
    ? { ...found, model }
    : { ...found, qk: [], ov: [], partners: partnersOf(token) };
const summary = () => texts("#circuits-panel .summary")[0];
const told = () => texts(".circuits-told")[0];
const lines = (name) => texts(`.circuits-list.${name} .line`);

test("the selected head is read once, and its strongest pairs are listed", async () => {
  const { store, asked } = await panel();
  assert.deepEqual(asked, [{ model: "shipped", kind: "self", layer: 1, head: 3, pairs: true }]);
  assert.equal(
    summary(),
    "This head copies: 99.8% of all tokens raise themselves when it looks at them. Copying score 0.98, where 1 is pure copying.",
  );
  assert.deepEqual(lines("qk"), ["Maria → cat+8.00", "saw → the+2.00"]);
  assert.deepEqual(lines("ov"), ["cat → cat+20.00", "the → <b>+5.00"]);
  const shares = [...document.querySelectorAll(".circuits-list.ov .line")].map((line) =>
    Number(line.style.getPropertyValue("--share")),
  );
  assert.deepEqual(shares, [1, 0.25]);
  assert.match(texts("#circuits-panel > .source")[0], /over 6,230 tokens\..*feed-forward/);
  assert.match(told(), /^Choose a token/);
  store.update({ head: 4 });
  await settled();
  store.update({ head: 3 });
  await settled();
  assert.deepEqual(
    asked.map(({ head }) => head),
    [3, 4], // the first one is still known
  );
  assert.deepEqual(lines("qk").length, 2);
});

test("of a head of cross-attention nothing is asked, and the reason is said", async () => {
  const { store, asked } = await panel({ models: [t5], model: "t5", kind: "cross", vocab: 2 });
  assert.match(summary(), /^A cross-attention head reads queries from the decoder/);
  assert.deepEqual(asked, []);
  store.update({ kind: "encoder" });
  await settled();
  assert.deepEqual(
    asked.map(({ kind }) => kind),
    ["encoder", "encoder"],
  );
});

test("a token is chosen in the list, in a row, or typed; its row of both circuits is told", async () => {
  const { store, asked } = await panel();
  const select = document.querySelector("#circuits-panel select");
  assert.deepEqual(
    [...select.options].map(({ textContent }) => textContent),
    ["choose …", "Maria", "saw"], // each once, and no special one
  );
  select.value = "2";
  select.dispatchEvent(new document.defaultView.Event("change", { bubbles: true }));
  await settled();
  assert.deepEqual(asked.at(-1), {
    model: "shipped",
    kind: "self",
    layer: 1,
    head: 3,
    token: 2,
    pairs: false,
  });
  assert.equal(
    told(),
    "“Maria” looks for “cat” most. When “Maria” is looked at, it raises “Maria” most: the head copies it.",
  );
  assert.deepEqual(lines("as_query"), ["cat+6.00", "saw+1.50"]);
  assert.deepEqual(lines("as_key"), ["the+0.25"]);
  assert.deepEqual(lines("raises"), ["Maria+12.00", "saw+3.00"]);
  assert.deepEqual(lines("lowers"), ["the−7.00"]);
  assert.equal(
    document.querySelector(".lowers .line").getAttribute("aria-label"),
    "“Maria” and “the”: −7.00. Show “the”.",
  );
  const row = document.querySelector(".lowers .line");
  row.focus();
  row.click();
  await settled();
  assert.equal(store.state.vocab, 5);
  assert.equal(document.activeElement, select); // the row is gone
  assert.equal(select.selectedOptions[0].textContent, "the"); // it is not in the text
  const box = document.querySelector("#circuits-panel input");
  for (const typed of ["nothing", "cat"]) {
    box.value = typed;
    box.form.dispatchEvent(new document.defaultView.Event("submit", { bubbles: true }));
    await settled();
    if (typed === "nothing")
      assert.deepEqual([texts(".hint")[0], store.state.vocab], ["No token is “nothing”.", 5]);
  }
  assert.equal(store.state.vocab, 4);
  assert.equal(texts(".hint")[0], "");
  click(".circuits-list.qk .line"); // a pair leads to its first token
  assert.equal(store.state.vocab, 2);
});

test("it says what a head does that does not copy, and what cannot be known", async () => {
  const say = async (more) => {
    await panel({}, () => ({ ...found, ...more }));
    return summary();
  };
  assert.match(await say({ copying: -0.7, copied: 0.1 }), /^This head suppresses .* only 10\.0%/);
  assert.match(
    await say({ copying: 0.2, copied: 0.6 }),
    /^This head does not copy as a rule: 60\.0%/,
  );
  const reason = "this stack has no language-model head";
  const without = { copying: null, copied: null, no_outputs: reason, ov: [] };
  assert.equal(await say(without), `What it raises is not known: ${reason}.`);
  assert.equal(document.querySelectorAll(".circuits-list.ov").length, 0);
  const raises = [ov(2, 3, 12), ov(2, 2, 3)];
  const partners = { ...partnersOf(2), raises, as_query: [] };
  await panel({ vocab: 2 }, () => ({ ...found, partners }));
  assert.equal(told(), "When “Maria” is looked at, it raises “saw” most, and itself as number 2.");
});

test("a refusal is told, and may be asked again", async () => {
  let fails = true;
  const { asked } = await panel({}, (...given) => {
    if (fails) throw new ApiError("The server is busy.", { retry: true });
    return answered(...given);
  });
  assert.equal(summary(), "The server is busy.");
  assert.equal(lines("qk").length, 0);
  fails = false;
  click("#circuits-panel > button");
  await settled();
  assert.equal(asked.length, 2);
  assert.match(summary(), /^This head copies/);
  assert.equal(document.querySelector("#circuits-panel > button").hidden, true);
  await panel({}, () => {
    throw new ApiError("scratch has no vocabulary.", { retry: false });
  });
  assert.equal(summary(), "scratch has no vocabulary.");
  assert.equal(document.querySelector("#circuits-panel > button").hidden, true);
  await panel({}, () => null);
  assert.match(summary(), /^Only a Headlight server reads a head over the vocabulary/);
  await panel({ vocab: 0 }, (model, query) => {
    if (query.token === 0) throw new ApiError("Ordinary tokens are 2 to 6; got 0.", {});
    return answered(model, query);
  });
  assert.equal(told(), "Ordinary tokens are 2 to 6; got 0.");
  assert.match(summary(), /^This head copies/);
});

test("where the strongest pairs take too long, the rest is there", async () => {
  const { asked } = await panel({}, (model, query) => {
    if (query.pairs) throw new ApiError("It would take 90 s.", { code: "too_expensive" });
    return { ...found, model, qk: [], ov: [] };
  });
  assert.deepEqual(
    asked.map(({ pairs }) => pairs),
    [true, false],
  );
  assert.match(summary(), /^This head copies/);
  assert.deepEqual(texts("#circuits-panel section .source"), ["It would take 90 s."]);
  assert.equal(document.querySelectorAll(".circuits-list").length, 0);
});

test("an answer for another head is not shown, and a closed panel asks for nothing", async () => {
  const late = [];
  const { store, asked } = await panel({}, (model, query, signal) => {
    if (query.head === 3) return new Promise((resolve) => late.push({ resolve, signal }));
    return { ...found, model, copying: -1, copied: 0 };
  });
  assert.match(summary(), /^Reading this head/);
  store.update({ head: 5 });
  await settled();
  assert.equal(late[0].signal.aborted, true);
  late[0].resolve(found);
  await settled();
  assert.match(summary(), /^This head suppresses/);
  store.update({ right: "next" });
  store.update({ head: 1 });
  await settled();
  assert.equal(asked.length, 2);
  store.update({ right: "circuits", model: "other" });
  await settled();
  assert.deepEqual([asked[2].model, asked[2].head], ["other", 1]);
  store.update({ models: [shipped, { ...other, name: "slow", state: "loading" }], model: "slow" });
  assert.match(summary(), /^Reading this head/);
});

test("the lists are saved as a picture, as CSV and as JSON", async () => {
  const { store } = await panel({ vocab: 2 });
  const rows = save.csv(store.state).trim().split("\r\n");
  assert.equal(rows.length, 1 + 2 + 2 + 2 + 1 + 2 + 1);
  assert.equal(rows[1], '"qk"," Maria",2," cat",4,8');
  assert.equal(rows.at(-1), '"lowers"," Maria",2," the",5,-7');
  assert.equal(save.json(store.state).partners.raises[0].value, 12);
  const written = ({ marks }) =>
    marks.flatMap((mark) => (mark.mark === "group" ? written(mark) : (mark.text ?? [])));
  const scene = save.scene(store.state, { scheme: "light", bare: false });
  assert.ok(written(scene).includes("Maria → cat"));
  assert.match(save.caption(store.state)[0], /^“Maria” looks for “cat” most/);
  const { store: none } = await panel({}, () => {
    throw new ApiError("It has no vocabulary.", {});
  });
  assert.throws(() => save.csv(none.state), /It has no vocabulary/);
});
