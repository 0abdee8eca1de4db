// What inseq saves (FeatureAttributionOutput.save), as the arrays that this page reads. Its scores are [source, target], or
// [source, target, layer, head] of the method `attention`.

import { FileError } from "../../files/errors.js";

/** Whether a document is from inseq. @param {any} document */
export const isInseq = (document) => Array.isArray(plain(document)?.sequence_attributions);

/**
 * The first sequence: scores of the source are cross-attention, those of the target are of the decoder.
 * @param {any} document
 * @returns {Record<string, any>}
 */
export function fromInseq(document) {
  const sequences = plain(document).sequence_attributions.map(plain);
  const { source, target, source_attributions, target_attributions } = sequences[0] ?? {};
  const scores = plain(source_attributions ?? target_attributions);
  if (!Array.isArray(scores)) {
    throw new FileError(
      "The scores in this file of inseq are compressed. Save it with out.save(path, use_primitives=True).",
    );
  }
  const tokens = (source_attributions ? source : target).map(nameOf);
  const targets = target.map(nameOf).slice(-scores[0].length); // those that were generated
  return { cross_attentions: turned(scores), tokens, target_tokens: targets };
}

/** Without the wrappers of its classes and arrays. @param {any} value */
const plain = (value) => value?.attributes ?? value?.__ndarray__ ?? value;

/** @param {any} token */
const nameOf = (token) => String(plain(token).token ?? token);

/** [layer, head, target, source]. What comes later has no number. @param {any[][]} scores */
function turned(scores) {
  const heads = Array.isArray(scores[0][0]) ? scores[0][0] : [[scores[0][0]]];
  const at = (/** @type {any} */ score, /** @type {number[]} */ place) =>
    Array.isArray(score) ? [score[place[0]]].flat()[place[1]] : score;
  return heads.map((/** @type {any} */ of, /** @type {number} */ layer) =>
    [of]
      .flat()
      .map((/** @type {any} */ _, /** @type {number} */ head) =>
        scores[0].map((_, target) => scores.map((row) => at(row[target], [layer, head]) ?? 0)),
      ),
  );
}
