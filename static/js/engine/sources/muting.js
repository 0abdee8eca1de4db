// What muting each head alone does to a prediction: another pass for each site, with a row per muted head. As
// model/sources/muting.py, which runs the heads of several sites together; here a pass begins at its site, which is quicker.

import { InputError } from "../errors.js";
import { endSlice } from "../slices.js";
import { likeliestId, logSoftmax, prediction } from "../trace/predictions.js";
import { head, readPositions, residAt } from "../trace/trace.js";

/** @import { Bits, Tensor, Trace } from "../types.d.ts" */
/** @import { MuteEffects, SiteName } from "../../types.d.ts" */

const PASS_TOKENS = 2_048; // in all rows of one pass; this bounds its memory and the time of a slice

const MUTED = "this head is muted already";

/**
 * Runs one text once for each row of mutes, and reads the result at one position. Up to `site`, nothing differs from the trace.
 * @callback Run
 * @param {number} text
 * @param {number} position
 * @param {Bits} muted (row, site, head)
 * @param {number} site
 * @returns {Tensor} (row, d_model)
 */

/**
 * How ln p(token) changes when each head is muted in addition to those of `muted`.
 * @param {Trace} trace the run that the changes are measured against, with only `muted` heads muted
 * @param {readonly SiteName[]} sites
 * @param {Bits} muted (1, site, head)
 * @param {Run} run
 * @param {object} watched
 * @param {number | null} watched.position
 * @param {number | null} watched.token null: the likeliest at that position
 * @param {number} watched.vocab_size
 * @returns {MuteEffects[]} one for each text
 * @throws {UnavailableError} the model has no language-model head
 * @throws {InputError} no such position or token
 * @throws {NumericsError} a logit is not finite
 */
export function muteEffects(trace, sites, muted, run, { position, token, vocab_size }) {
  const positions = readPositions(trace, position, "analyse.mute_effects");
  if (token !== null && !(token >= 0 && token < vocab_size))
    throw new InputError(`${trace.model} has token ids 0 to ${vocab_size - 1}; got ${token}.`, {
      field: "analyse.mute_effects.token",
    });
  const { stages, unembed, token_text } = head(trace, "analyse.mute_effects");
  const before = positions.map((at, text) =>
    logSoftmax(unembed(residAt(stages, -1, text, at)), trace),
  );
  const n = trace.tokens[0].length + (trace.target_tokens?.[0].length ?? 0);
  const passes = passesOf(sites, Math.max(1, Math.floor(PASS_TOKENS / n)));
  return positions.map((read_at, text) => {
    const watched = token ?? likeliestId(before[text]);
    const effects = passes.flatMap(({ site, heads }, done) => {
      endSlice(text * passes.length + done, positions.length * passes.length);
      const logits = unembed(run(text, read_at, oneMore(muted, site, heads), site).data);
      const n_vocab = logits.length / heads.length; // a model may embed more ids than its tokenizer has
      return heads.map((head, row) => {
        const { kind, layer } = sites[site];
        if (muted.data[site * muted.shape[2] + head])
          return { kind, layer, head, change: null, reason: MUTED };
        const after = logSoftmax(logits.subarray(row * n_vocab, (row + 1) * n_vocab), trace);
        const change = after[watched] - before[text][watched];
        return { kind, layer, head, change, reason: null };
      });
    });
    return {
      position: read_at,
      token: prediction(watched, before[text], token_text),
      effects,
    };
  });
}

/**
 * The heads that are muted in each pass, all of one site.
 * @param {readonly SiteName[]} sites
 * @param {number} most heads in a pass
 */
function passesOf(sites, most) {
  return sites.flatMap(({ n_heads }, site) =>
    Array.from({ length: Math.ceil(n_heads / most) }, (_, pass) => {
      const start = pass * most;
      const n = Math.min(most, n_heads - start);
      return { site, heads: Array.from({ length: n }, (_, index) => start + index) };
    }),
  );
}

/**
 * The mutes with one more head of a site in each row.
 * @param {Bits} muted (1, site, head)
 * @param {number} site
 * @param {readonly number[]} heads
 * @returns {Bits} (row, site, head)
 */
function oneMore({ shape: [, n_sites, n_heads], data }, site, heads) {
  const size = n_sites * n_heads;
  const rows = new Uint8Array(heads.length * size);
  heads.forEach((head, row) => {
    rows.set(data, row * size);
    rows[row * size + site * n_heads + head] = 1;
  });
  return { shape: [heads.length, n_sites, n_heads], data: rows };
}
