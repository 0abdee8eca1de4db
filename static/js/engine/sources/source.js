// What every source shares. Mirrors model/sources/source.py.

import { unedited as ownMasks } from "../masks/rules.js";
import { readTokens } from "../trace/trace.js";

/** @import { Inputs, Trace } from "../types.d.ts" */

/**
 * The inputs for the same tokens without masks, painted cells and mutes. Tokens that the model generated in the `trace` of `inputs`
 * are kept, not generated again.
 * @param {Inputs} inputs
 * @param {Trace} trace
 * @returns {Inputs}
 */
export function unedited(inputs, trace) {
  const plain = { ...inputs, masks: ownMasks(inputs.masks), muted: [] };
  const { generate } = inputs;
  if (generate === null || JSON.stringify(plain) === JSON.stringify(inputs)) return plain;
  const known = readTokens(trace).map((row) =>
    row.filter(({ generated }) => generated).map(({ id }) => id),
  );
  return { ...plain, generate: { ...generate, known } };
}
