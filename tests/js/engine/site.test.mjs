// Every tensor of random sites is Python's (data/make_sites.py): all settings of attention, and some heads, rows and texts of them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { siteMask } from "../../../static/js/engine/masks/mask.js";
import { maskSettings } from "../../../static/js/engine/masks/rules.js";
import { sliced } from "../../../static/js/engine/slices.js";
import { softmax } from "../../../static/js/engine/tensor/tensor.js";
import {
  blockedSlices,
  derive,
  derivedTogether,
  inWords,
  sizesOf,
  tensorsOf,
  thumbnail,
} from "../../../static/js/engine/trace/site.js";
import { close, drawing } from "./tensors.mjs";

const cases = JSON.parse(readFileSync(new URL("data/sites.json", import.meta.url), "utf8"));
const [BATCH, HEADS, KEY, D_HEAD, D_MODEL] = [2, 4, 5, 2, 4];

/** A site by the settings of a case, drawn in the order of make_sites.py. */
function siteOf(settings) {
  const { n_query, has, scale, soft_cap, softmax_over, mask_applied, muted } = settings;
  const randn = drawing(settings.seed);
  const [q, k, v] = [n_query, KEY, KEY].map((n) => randn(BATCH, HEADS, n, D_HEAD));
  const [bias, sink] = [randn(...settings.bias, n_query, KEY), randn(HEADS)];
  const [w_o, stored] = [randn(HEADS, D_HEAD, D_MODEL), softmax(randn(BATCH, HEADS, n_query, KEY))];
  const gate = randn(BATCH, HEADS, n_query);
  gate.data = gate.data.map((logit) => 1 / (1 + Math.exp(-logit)));
  const real = Array.from({ length: BATCH * KEY }, (_, at) => Number(at < KEY + settings.length));
  const anywhere = { text: null, layer: null, head: null, query: null, key: null, kind: null };
  const blocked = settings.blocked.map((cell) => ({ ...anywhere, ...cell }));
  const mask = siteMask(maskSettings({ window: settings.window, blocked }), {
    layer: 0,
    n_query,
    n_key: KEY,
    n_heads: HEADS,
    real_keys: { shape: [BATCH, KEY], data: Uint8Array.from(real) },
    causal: settings.causal,
  });
  const kept = (name, value) => (has.includes(name) ? value : null);
  return {
    name: "layers.0",
    kind: "self",
    layer: 0,
    mask,
    n_heads: HEADS,
    n_kv_heads: HEADS,
    scale,
    q: kept("q", q),
    k: kept("q", k),
    v: kept("v", v),
    stored_pattern: kept("stored_pattern", stored),
    bias: kept("bias", bias),
    gate: kept("gate", gate),
    minus: settings.minus,
    soft_cap,
    sink: kept("sink", sink),
    softmax_over,
    mask_applied,
    w_o: kept("w_o", w_o),
    muted,
    query_tokens: "tokens",
    key_tokens: "tokens",
  };
}

test("every tensor that a random site has is the one that Python derives", () => {
  for (const each of cases) {
    const site = siteOf(each);
    const names = tensorsOf(site);
    assert.deepEqual(names, Object.keys(each.tensors));
    for (const [name, tensor] of derive(site, names, each.chosen))
      close(
        tensor,
        each.tensors[name],
        2e-6 * Math.max(1, largest(each.tensors[name])),
        `${each.seed} ${name}`,
      );
    assert.deepEqual(
      blockedSlices(site).map(({ text, head, index }) => [text, head, index]),
      each.blocked_slices,
    );
  }
});

const largest = ({ data }) => Math.max(...data.map(Math.abs));

test("each tensor derived alone, and of everything, agrees with all derived at once", () => {
  for (const each of cases) {
    const site = siteOf(each);
    const together = derive(site, tensorsOf(site));
    for (const [name, tensor] of together) close(derive(site, [name]).get(name), tensor, 0, name);
  }
});

test("thumbnails are the server's, of bits too", () => {
  for (const each of cases)
    for (const [pooling, stored] of Object.entries({ max: each.thumbnails, mean: each.means }))
      for (const [name, expected] of Object.entries(stored)) {
        const small = thumbnail(siteOf(each), 3, { name, pooling });
        const heads = small.shape[1] === 1 ? null : [0, 1];
        const some = thumbnail(siteOf(each), 3, { name, heads, pooling });
        close(some, expected, 2e-6, `${each.seed} ${name} ${pooling}`);
      }
});

test("words are the server's, of bits too", () => {
  for (const each of cases)
    for (const [resolution, stored] of [
      [null, each.merged],
      [2, each.merged_small],
    ])
      for (const [name, expected] of Object.entries(stored)) {
        const [queries, keys] = each.words;
        const found = inWords(siteOf(each), { queries, keys }, { name, resolution });
        const heads = found.shape[1] === 1 ? null : [0, 1];
        const some = inWords(siteOf(each), { queries, keys }, { name, heads, resolution });
        close(some, expected, 2e-6, `${each.seed} ${name} ${resolution}`);
      }
});

test("a long thumbnail is made in stripes, and each cell is the largest of its bin", () => {
  const randn = drawing(1);
  const n = 300;
  const [q, k, v] = [0, 1, 2].map(() => randn(1, 2, n, 2));
  const mask = siteMask(maskSettings(), {
    layer: 0,
    n_query: n,
    n_key: n,
    n_heads: 2,
    causal: true,
    real_keys: { shape: [1, n], data: new Uint8Array(n).fill(1) },
  });
  const long = {
    ...siteOf(cases[1]),
    mask,
    n_heads: 2,
    q,
    k,
    v,
    bias: null,
    gate: null,
    minus: null,
    sink: null,
    w_o: null,
    muted: [],
  };
  const whole = derive(long, ["pattern"]).get("pattern").data;
  let slices = 0;
  const small = sliced(
    () => slices++,
    () => thumbnail(long, 7),
  );
  assert.ok(slices > 1);
  for (const row of [0, 3, 6])
    for (const col of [0, 2, 6]) {
      let expected = 0;
      for (let i = Math.floor((row * n) / 7); i < Math.ceil(((row + 1) * n) / 7); i++)
        for (let j = Math.floor((col * n) / 7); j < Math.ceil(((col + 1) * n) / 7); j++)
          expected = Math.max(expected, whole[i * n + j]);
      assert.equal(small.data[row * 7 + col], expected);
    }
  const bits = thumbnail(long, 7, { name: "blocked_by" }).data;
  assert.deepEqual([bits[0], bits[1], bits[2], bits[7]], [0, 0, 1, 0]); // neighbouring bins share row and column 42
});

test("a stored pattern is given as it is, unless scores or z must agree with it", () => {
  const site = { ...siteOf(cases[1]), stored_pattern: siteOf(cases[0]).stored_pattern };
  const pattern = (names) => derive(site, names).get("pattern");
  const derived = derive({ ...site, stored_pattern: null }, ["pattern"]).get("pattern");
  assert.deepEqual(pattern(["pattern"]), site.stored_pattern);
  for (const other of ["scores", "z"]) assert.deepEqual(pattern(["pattern", other]), derived);
});

test("a site of patterns alone says what it lacks", () => {
  const site = siteOf({ ...cases[0], has: ["stored_pattern"] });
  const has = tensorsOf(site);
  assert.ok(has.includes("pattern") && has.includes("blocked_by"));
  assert.ok(!["q", "scores", "z", "norms"].some((name) => has.includes(name)));
  assert.deepEqual(sizesOf(site), { row: cases[0].n_query, key: KEY });
  assert.throws(() => derive(site, ["pattern", "q", "norms"]), {
    code: "unavailable",
    field: "select.tensors",
    message: /^layers.0 does not have q, norms; it has pattern, blocked_by[.,]/,
  });
});

test("a head that does not exist and a number that is not finite are refused", () => {
  const open = cases.find(
    ({ blocked, muted, has }) => has.includes("q") && !blocked[0] && !muted[0],
  );
  const site = siteOf(open);
  for (const head of [4, -1])
    assert.throws(() => derive(site, ["pattern"], { heads: [0, head] }), {
      code: "invalid_input",
      field: "select.heads",
      message: `layers.0 has heads 0 to 3; got ${head}.`,
    });
  site.q.data[0] = Number.NaN;
  for (const name of ["q", "scores", "pattern", "z"])
    assert.throws(() => derive(site, [name]), {
      code: "not_finite",
      message: new RegExp(`^layers.0.${name} `),
    });
});

test("patterns that are kept are those that would be derived, and stored ones stay", () => {
  const [first, second] = derivedTogether([siteOf(cases[0]), siteOf(cases[1])]);
  assert.deepEqual(first.stored_pattern, siteOf(cases[0]).stored_pattern);
  assert.deepEqual(second.stored_pattern, derive(siteOf(cases[1]), ["pattern"]).get("pattern"));
});
