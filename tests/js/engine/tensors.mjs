// Shared by the engine's tests: comparing tensors, and drawing them as torch does.

import assert from "node:assert/strict";
import { Generator } from "../../../static/js/engine/tensor/random.js";
import { sizeOf } from "../../../static/js/engine/tensor/tensor.js";

/** Equal shapes, and every number within the tolerance; NaN is never close. */
export function close(got, expected, tolerance = 1e-6, what = "") {
  assert.deepEqual(got.shape, expected.shape, what);
  assert.equal(got.data.length, expected.data.length, what);
  for (let at = 0; at < got.data.length; at++) {
    const apart = Math.abs(got.data[at] - expected.data[at]);
    if (!(apart <= tolerance))
      assert.fail(`${what}[${at}] is ${got.data[at]}; expected ${expected.data[at]}`);
  }
}

/** Draws one tensor after the other, as torch.randn with one generator. */
export function drawing(seed) {
  const generator = new Generator(BigInt(seed));
  return (...shape) => ({ shape, data: generator.randn(sizeOf(shape)) });
}
