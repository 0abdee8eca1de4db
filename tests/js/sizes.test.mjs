// The sizes of mechanisms: their parameters, as the engine counts them, and the widths with which two are equal.

import assert from "node:assert/strict";
import test from "node:test";
import { blockShapes } from "../../static/js/engine/core/block.js";
import { MECHANISMS } from "../../static/js/engine/scratch/described.js";
import { configure } from "../../static/js/engine/scratch/mechanisms.js";
import { sizeOf } from "../../static/js/engine/tensor/tensor.js";
import { fitted, sizesOf } from "../../static/js/sources/scratch/kept.js";
import { resolved } from "../../static/js/sources/scratch/settings.js";
import { SIZES } from "../../static/js/views/compare/words.js";

/** @param {string} id @param {object} [changes] */
function sized(id, changes = {}) {
  const mechanism = MECHANISMS[id];
  const ran = resolved(/** @type {any} */ ({ mechanism: id, ...changes }), mechanism);
  return { ran, mechanism, ...sizesOf(ran, mechanism) };
}

test("parameters are those of the engine, for each mechanism and what may be changed in it", () => {
  const changes = [
    {},
    { d_ff: 7, norm: "pre", n_layers: 2 },
    { norm: "post", d_ff: 3 },
    { norm: "post", d_head: 5 },
    { gate: true, sink: 0.5 },
    { d_latent: 3 },
    { d_latent: 3, minus: 0.5, n_heads: 2 },
    { n_kv_heads: 1 },
  ];
  let counted = 0;
  for (const id of Object.keys(MECHANISMS))
    for (const change of changes) {
      let config;
      try {
        config = configure(id, change);
      } catch {
        continue; // settings that this mechanism does not take
      }
      const each = blockShapes(config.block).reduce((sum, [, shape]) => sum + sizeOf(shape), 0);
      const name = `${id} ${JSON.stringify(change)}`;
      assert.equal(sized(id, change).parameters, config.parameters.n_layers * each, name);
      counted += 1;
    }
  assert.ok(counted > 60);
});

test("a width makes two mechanisms equal, or nearly so", () => {
  const full = sized("multi-head");
  assert.deepEqual([full.parameters, full.cache], [4 * 32 * 32, 64]);
  const grouped = sized("grouped-query");
  assert.deepEqual(fitted(grouped.ran, grouped.mechanism, "cache", 64), { d_head: 16 });
  const latent = sized("latent");
  assert.deepEqual(fitted(latent.ran, latent.mechanism, "cache", 64), { d_latent: 64 });
  const { ran, mechanism } = grouped;
  const width = fitted(ran, mechanism, "parameters", full.parameters);
  assert.deepEqual(width, { d_head: 11 }); // 3 · 32 · 4 · d_head is 4,224
  const rotary = fitted({ ...ran, positions: "rotary" }, mechanism, "parameters", full.parameters);
  assert.deepEqual(rotary, { d_head: 10 });
});

test("where a width changes nothing, none is given", () => {
  const { ran, mechanism } = sized("linear");
  assert.equal(fitted(ran, mechanism, "cache", 64), null);
  const alone = sized("dot-product");
  assert.equal(fitted(alone.ran, alone.mechanism, "parameters", 64), null);
  assert.equal(
    SIZES.both(sized("multi-head"), sized("linear"), true),
    "Parameters: 4,096 and 4,096. Kept of a token: 128 bytes and sums.",
  );
  assert.equal(
    SIZES.both(sized("multi-head"), sized("linear"), false),
    "Parameters: 4,096 and 4,096.",
  );
});
