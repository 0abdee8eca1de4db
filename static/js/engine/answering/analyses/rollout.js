// Rollout: how much of each input token reaches each output token. As server/api/analyses/rollout.py.

import { rollout as compute } from "../../analysis/rollout.js";

/** @type {import("./analysis.js").Analysis} */
export const rollout = {
  name: "rollout",
  request: { rollout: false },
  readsPatterns: true,
  isSlow: true,
  tooLarge: "Most of it is the rollout: send shorter texts, or leave the rollout out.",
  nbytes: ({ tokens }, _, numberBytes) => numberBytes * tokens.length * tokens[0].length ** 2,
  read: compute,
};
