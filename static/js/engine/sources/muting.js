// What muting each head alone does to a prediction: another pass, with a row per muted head. As model/sources/muting.py.

import { InputError } from "../errors.js";
import { likeliestId, logSoftmax, prediction } from "../predictions.js";
import { endSlice } from "../slices.js";
import { narrow } from "../tensor.js";
import { head, readPositions, residAt } from "../trace.js";

/** @typedef {import("../types.d.ts").Bits} Bits */
/** @typedef {import("../types.d.ts").Tensor} Tensor */
/** @typedef {import("../types.d.ts").Trace} Trace */
/** @typedef {import("../../types.d.ts").MuteEffects} MuteEffects */
/** @typedef {import("../../types.d.ts").SiteName} SiteName */

const PASS_TOKENS = 2_048; // in all rows of one pass; this bounds its memory and the time of a slice

const MUTED = "this head is muted already";

/**
 * Runs one text once for each row of mutes, and reads the result at one position.
 * @callback Run
 * @param {number} text
 * @param {number} position
 * @param {Bits} muted (row, site, head)
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
  const heads = sites.flatMap(({ kind, layer, n_heads }, site) =>
    Array.from({ length: n_heads }, (_, head) => ({ kind, layer, head, site })),
  );
  const rows = oneMore(muted, heads);
  const n = trace.tokens[0].length + (trace.target_tokens?.[0].length ?? 0);
  const step = Math.max(1, Math.floor(PASS_TOKENS / n));
  const n_chunks = Math.ceil(heads.length / step);
  return positions.map((read_at, text) => {
    const watched = token ?? likeliestId(before[text]);
    /** @type {number[]} */
    const changes = [];
    for (let chunk = 0; chunk < n_chunks; chunk++) {
      endSlice(text * n_chunks + chunk, positions.length * n_chunks);
      const [start, stop] = [chunk * step, Math.min((chunk + 1) * step, heads.length)];
      const resid = run(text, read_at, narrow(rows, 0, start, stop));
      const logits = unembed(resid.data);
      for (let row = 0; row < stop - start; row++) {
        const after = logSoftmax(logits.subarray(row * vocab_size, (row + 1) * vocab_size), trace);
        changes.push(after[watched] - before[text][watched]);
      }
    }
    return {
      position: read_at,
      token: prediction(watched, before[text], token_text),
      effects: heads.map(({ kind, layer, head, site }, row) =>
        muted.data[site * muted.shape[2] + head]
          ? { kind, layer, head, change: null, reason: MUTED }
          : { kind, layer, head, change: changes[row], reason: null },
      ),
    };
  });
}

/**
 * The mutes with one more head in each row.
 * @param {Bits} muted (1, site, head)
 * @param {readonly {site: number, head: number}[]} heads
 * @returns {Bits} (row, site, head)
 */
function oneMore({ shape: [, n_sites, n_heads], data }, heads) {
  const size = n_sites * n_heads;
  const rows = new Uint8Array(heads.length * size);
  heads.forEach(({ site, head }, row) => {
    rows.set(data, row * size);
    rows[row * size + site * n_heads + head] = 1;
  });
  return { shape: [heads.length, n_sites, n_heads], data: rows };
}
