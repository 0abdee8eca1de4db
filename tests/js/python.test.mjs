import assert from "node:assert/strict";
import test from "node:test";
import { OWN_MASKS } from "../../static/js/state/masks.js";
import { py, pythonOf } from "../../static/js/words/python.js";

const token = (text, more = {}) => ({ id: 7, text, padding: false, special: false, ...more });
const choice = {
  model: "mine",
  texts: ["Hi there"],
  targets: [],
  pairs: null,
  masks: OWN_MASKS,
  muted: [],
  kind: "self",
  layer: 1,
  head: 2,
  matrix: "pattern",
};
const model = {
  name: "mine",
  library_class: "BertForMaskedLM",
  takes_targets: false,
  takes_pairs: true,
  tensors: ["pattern"],
};
const tokens = [token("Hi"), token(" there")];
const seen = { text: 0, row: 1, tokens, targets: null, queries: tokens };
/** @param {object} changes @param {object} [of] @param {object} [shown] */
const program = (changes, of = model, shown = {}) =>
  pythonOf({ ...choice, ...changes }, { ...model, ...of }, { ...seen, ...shown });

test("literals are Python's, whatever a text holds", () => {
  assert.equal(py(null), "None");
  assert.equal(py([true, false, 1, "a"]), '[True, False, 1, "a"]');
  assert.equal(py('"""\\\n\t'), String.raw`"\"\"\"\\\n\t"`);
  assert.equal(py("😀"), '"😀"');
  assert.equal(py("a\u202eb\u2028\u007f\u0000"), String.raw`"a\u202eb\u2028\u007f\u0000"`);
  assert.equal(py("\u{e0041}"), String.raw`"\U000e0041"`);
});

test("an unedited checkpoint needs Transformers alone", () => {
  const code = program({});
  assert.match(code, /from transformers import AutoTokenizer, BertForMaskedLM\n/);
  assert.match(code, /CHECKPOINT = "folder or hub id of mine"\n/);
  assert.match(code, /attn_implementation="eager"/);
  assert.match(code, /pattern = out\.attentions\[1\]\[0, 2\]\n/);
  assert.doesNotMatch(code, /from model|import model/);
  assert.match(program({ pairs: ["Yes"] }), /"Hi there",\n {4}"Yes",\n/);
});

test("a program leaves the special tokens out where the page does", () => {
  const none = { special_tokens: false };
  assert.match(program(none), /^ {4}add_special_tokens=False,$/m);
  assert.match(program({ ...none, muted: [[0, 1]] }), /^ {4}special_tokens=False,$/m);
  assert.doesNotMatch(program({}) + program({ muted: [[0, 1]] }), /special_tokens/);
});

test("each kind of site has its own output; a decoder gets its target as input", () => {
  const targets = [token("</s>", { id: 3 }), token("a", { id: 9 })];
  for (const [kind, output] of [
    ["encoder", "encoder_attentions"],
    ["decoder", "decoder_attentions"],
    ["cross", "cross_attentions"],
  ]) {
    const code = program({ kind }, { takes_targets: true }, { targets });
    assert.match(code, new RegExp(`pattern = out\\.${output}\\[1\\]\\[0, 2\\]`));
    assert.match(code, /decoder_input = torch\.tensor\(\[\[3, 9\]\]\)/);
    assert.match(code, /decoder_input_ids=decoder_input/);
  }
});

test("masks, mutes, padding and other numbers need Headlight's own package", () => {
  const edits = [
    { masks: { ...OWN_MASKS, causal: false } },
    { masks: { ...OWN_MASKS, window: 3 } },
    { masks: { ...OWN_MASKS, allowed: [{ layer: 0 }] } },
    { muted: [[1, 3]] },
    { matrix: "scores" },
    { matrix: "rollout" },
  ];
  for (const edit of edits) assert.match(program(edit), /open_source\("mine", CHECKPOINT\)/);
  const padded = [token("Hi"), token("[PAD]", { padding: true })];
  assert.match(program({}, {}, { tokens: padded }), /open_source/);
  assert.match(program({}, { library_class: null }), /open_source/);
});

test("the shipped model comes out of the package, with all that was done to it", () => {
  const masks = {
    causal: true,
    padding: false,
    padding_side: "left",
    window: 4,
    blocked: [{ text: null, layer: 2, head: null, query: 4, key: 0, kind: null }],
    allowed: [{ text: 1, layer: null, head: 1, query: 0, key: 3, kind: "cross" }],
  };
  const code = program(
    {
      model: "shipped",
      texts: ["a", "b"],
      masks,
      muted: [
        [2, 5],
        [0, 1, "cross"],
      ],
    },
    { name: "shipped", library_class: null, takes_pairs: false },
  );
  for (const line of [
    'source = NativeSource("shipped", SHIPPED)',
    "causal=True,",
    "padding=False,",
    'padding_side="left",',
    "window=4,",
    "blocked=(Cell(layer=2, query=4, key=0),),",
    'allowed=(Cell(text=1, head=1, query=0, key=3, kind="cross"),),',
    "MutedHead(2, 5),",
    'MutedHead(0, 1, "cross"),',
    'found = site.derive(["pattern"], heads=[2], text=0)',
  ])
    assert.ok(code.includes(line), line);
  assert.match(code, /texts=\(\n {8}"a",\n {8}"b",\n {4}\)/);
});

test("a token or a name never leaves its comment", () => {
  const queries = [token("x"), token("\nimport os\u2028")];
  for (const line of program({ model: "a\nb" }, {}, { queries }).split("\n")) {
    assert.doesNotMatch(line, /^(import os|b: )/);
  }
});
