// Attention flow: how much could pass from each input token to each output token. As server/api/analyses/flow.py.

import { flow as compute, MAX_TOKENS } from "../../analysis/flow.js";
import { grouped, LimitError } from "../../errors.js";

/** @type {import("./analysis.js").Analysis} */
export const flow = {
  name: "flow",
  request: { flow: false },
  readsPatterns: true,
  isSlow: true,
  nbytes({ tokens }, _, numberBytes) {
    const n = tokens[0].length;
    if (n > MAX_TOKENS) {
      throw new LimitError(
        `The attention flow takes texts of at most ${MAX_TOKENS} tokens; this one has ` +
          `${grouped(n)}. Send shorter texts, or ask for the rollout instead.`,
        { code: "too_many_tokens", field: "analyse.flow", limit: MAX_TOKENS },
      );
    }
    return numberBytes * tokens.length * n ** 2;
  },
  read: compute,
};
