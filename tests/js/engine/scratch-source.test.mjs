// Mechanisms from scratch run in the page as in Python (data/make_scratch.py): every mechanism, random settings and edits, uploaded
// weights, and what is refused.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { maskSettings } from "../../../static/js/engine/masks/rules.js";
import { configure } from "../../../static/js/engine/scratch/mechanisms.js";
import { scratchSource } from "../../../static/js/engine/sources/scratch.js";
import { blockedSlices, derive } from "../../../static/js/engine/trace/site.js";
import { close } from "./tensors.mjs";

const { info, cases } = JSON.parse(
  readFileSync(new URL("data/scratch.json", import.meta.url), "utf8"),
);
const source = scratchSource("scratch");

/** The inputs of a case, with every field present. */
function inputsOf({
  mechanism = "multi-head",
  changes = {},
  weights = null,
  masks = {},
  ...given
}) {
  const anywhere = { text: null, layer: null, head: null, query: null, key: null, kind: null };
  const cells = (list = []) => list.map((cell) => ({ ...anywhere, ...cell }));
  const bytes = weights === null ? null : Uint8Array.from(Buffer.from(weights, "base64"));
  return {
    texts: given.texts,
    targets: given.targets ?? null,
    pairs: given.pairs ?? null,
    masks: maskSettings({ ...masks, blocked: cells(masks.blocked), allowed: cells(masks.allowed) }),
    muted: given.muted ?? [],
    generate: null,
    settings: configure(mechanism, changes, bytes),
  };
}

const traced = (each) => source.trace(inputsOf(each), { max_tokens: each.max_tokens ?? null });

for (const [number, each] of cases.filter(({ error }) => !error).entries()) {
  const changed = Object.entries(each.changes ?? {}).map(([name, value]) => `${name} ${value}`);
  test(`run ${number}: ${[each.mechanism ?? "weights", ...changed].join(", ")}`, () => {
    const trace = traced(each);
    const rows = [...trace.tokens, ...(trace.target_tokens ?? [])];
    assert.deepEqual(
      rows.map((row) => row.map(({ id }) => id)),
      each.ids,
    );
    assert.equal(trace.sites.length, each.sites.length);
    for (const [layer, { name, kind, muted, blocked, ...tensors }] of each.sites.entries()) {
      const site = trace.sites[layer];
      assert.deepEqual([site.name, site.kind, site.muted], [name, kind, muted]);
      assert.deepEqual(
        blockedSlices(site).map(({ text, head, index }) => [text, head, index]),
        blocked,
      );
      const n = site.mask.n_query;
      const chosen = { heads: [site.n_heads - 1], rows: [n - 2, n] };
      for (const [tensor, got] of derive(site, Object.keys(tensors), chosen))
        close(got, tensors[tensor], 2e-5, `${name}.${tensor}`);
    }
  });
}

for (const each of cases.filter(({ error }) => error))
  test(`refused: ${each.message}`, () => {
    assert.throws(() => traced(each), { ...each.error, message: each.message });
  });

test("the source describes its default mechanism as Python does, with all settings", () => {
  const {
    settings,
    library_class,
    trained_on,
    unknown_id,
    lacks,
    edited_at,
    edited_at_reason,
    stream_lacks,
    cell_bytes, // for the estimates of the server
    ...known
  } = info;
  const { takes_scratch, mechanisms, settings: rows, limits, ...described } = source.info;
  assert.deepEqual(described, known);
  assert.equal(takes_scratch, true);
  assert.equal(mechanisms.length, 18);
  assert.deepEqual(mechanisms[0].defaults.d_model, 8);
  assert.deepEqual(limits.n_layers, rows.find(({ name }) => name === "n_layers").limits);
});

test("equal settings share a network, and other seeds and weights do not", () => {
  const w_o = (settings) =>
    source.trace({ ...inputsOf({ texts: ["a"] }), settings }, {}).sites[0].w_o;
  const first = w_o(configure("multi-head", { seed: 3 }));
  assert.equal(w_o(configure("multi-head", { seed: 3 })), first);
  for (let seed = 4; seed < 8; seed++)
    assert.notDeepEqual(w_o(configure("multi-head", { seed })), first);
  assert.notEqual(w_o(configure("multi-head", { seed: 3 })), first); // only the latest are kept
  const uploads = cases
    .filter(({ weights, error }) => weights && !error)
    .map(({ weights }) => weights);
  const uploaded = uploads.map((weights) =>
    traced({ ...cases.find((each) => each.weights === weights) }),
  );
  assert.notDeepEqual(uploaded[0].sites[0].q, uploaded[1].sites[0].q);
});

test("an empty file of weights is not the same as none", () => {
  const of = (weights) => ({
    ...inputsOf({ texts: ["a"] }),
    settings: configure("multi-head", {}, weights),
  });
  source.trace(of(null), {});
  assert.throws(() => source.trace(of(new Uint8Array(0)), {}), { field: "scratch.weights" });
});

test("settings of other sources are refused, and none give the default mechanism", () => {
  const inputs = { ...inputsOf({ texts: ["a b"] }), settings: null };
  assert.equal(source.trace(inputs, {}).settings.mechanism.id, "multi-head");
  assert.throws(() => source.trace({ ...inputs, settings: { name: "other" } }, {}), {
    field: "other",
  });
});

test("ids, continuations and mute effects are refused, since there is no vocabulary", () => {
  assert.throws(() => source.traceIds([[1]]), { code: "unavailable", field: "ids" });
  const nothing = { position: null, token: null, max_tokens: null };
  const inputs = inputsOf({ texts: ["a"] });
  assert.throws(() => source.muteEffects(inputs, nothing), { field: "analyse.mute_effects" });
  assert.throws(() => source.trace({ ...inputs, generate: { n_tokens: 1 } }, {}), {
    field: "generate",
  });
});
