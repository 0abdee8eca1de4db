// Answers of the patch bench, as the API gives them.

const token = (/** @type {number} */ id, /** @type {string} */ text) => ({
  id,
  text,
  special: false,
  padding: false,
  start: 0,
  end: 1,
});
const cell = (
  /** @type {number | null} */ metric,
  /** @type {number | null} */ restored,
  /** @type {number | null} */ estimate,
  disagrees = false,
) => ({ metric, restored, estimate, disagrees });

/** A map by token, of the second of two texts, which is padded on the left. */
export const byToken = {
  text: 1,
  position: 2,
  clean: 4,
  corrupted: -2.5,
  reason: null,
  token: { ...token(8, " is"), probability: 0.1 },
  against: { ...token(9, " are"), probability: 0.6 },
  at: "resid_mid",
  by: "position",
  clean_tokens: [
    { id: 4, text: "dog" },
    { id: 6, text: " near" },
  ],
  pairs: [
    [0, 1],
    [1, 2],
  ],
  target_pairs: null,
  agreement: 0.75,
  layers: [
    { kind: "self", layer: 0, cells: [cell(-4.125, -0.25, -0.3), cell(-2.5, 0.001, 0)] },
    { kind: "self", layer: 1, cells: [cell(7.25, 1.5, 0.4, true), cell(0.1, 0.4, 0.4)] },
  ],
};

/** The same, of which only the two patches with the largest estimates were run. */
export const begun = {
  ...byToken,
  agreement: 1,
  layers: [
    { kind: "self", layer: 0, cells: [cell(-4.125, -0.25, -0.3), cell(null, null, 0)] },
    { kind: "self", layer: 1, cells: [cell(7.25, 1.5, 0.4, true), cell(null, null, 0.4)] },
  ],
};

/** A map by head. */
export const byHead = {
  ...byToken,
  at: "head",
  by: "head",
  layers: [
    { kind: "self", layer: 0, cells: [cell(-2.5, 0, 0), cell(-2.5, 0, 0), cell(1, 0.25, 0.25)] },
  ],
};

/** Both stacks of an encoder–decoder, whose target has three tokens; the answer is read at the second one. */
export const inBothStacks = {
  ...byToken,
  position: 1,
  at: "head",
  target_pairs: [
    [0, 0],
    [1, 1],
    [2, 2],
  ],
  layers: [
    { kind: "encoder", layer: 0, cells: [cell(1, 0.5, 0.5), cell(-2.5, 0, 0)] },
    { kind: "encoder", layer: 1, cells: [cell(1, 0.1, 0.1), cell(-2.5, 0, 0)] },
    { kind: "decoder", layer: 0, cells: [cell(1, 0, 0), cell(1, 0.2, 0.2), cell(1, 0, 0)] },
    { kind: "cross", layer: 0, cells: [cell(1, 0.3, 0.3), cell(4, 0.9, 0.9), cell(1, 0, 0)] },
  ],
};

/** @param {typeof byToken | typeof inBothStacks} found */
export const patchAnswer = (found) => ({
  status: "ready",
  problem: null,
  answer: {
    trace: {
      model: found.target_pairs ? "t5" : "shipped",
      tokens: [
        [token(1, "first"), token(1, "first"), token(1, "first")],
        [token(0, "[PAD]"), token(5, "dogs"), token(6, " near")],
      ],
      target_tokens: found.target_pairs
        ? [[], [token(0, "[PAD]"), token(3, "she"), token(2, "</s>")]]
        : null,
      patching: [found],
    },
  },
});
