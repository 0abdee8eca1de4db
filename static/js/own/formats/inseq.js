// What inseq saves (FeatureAttributionOutput.save), as the arrays that this page reads. Its scores are [source, target], or
// [source, target, layer, head] of the method `attention`; with a channel in their place, its length counts (headlight/own/inseq.py does the same).

import { FileError } from "../../files/errors.js";
import { readSafetensors } from "../../files/safetensors.js";

/** Whether a document is from inseq. @param {any} document */
export const isInseq = (document) => Array.isArray(plain(document)?.sequence_attributions);

/**
 * The first sequence: scores of the source are cross-attention, those of the target are of the decoder.
 * @param {any} document
 * @returns {Record<string, any>}
 */
export function fromInseq(document) {
  const [first] = plain(document).sequence_attributions;
  const { source, target, source_attributions, target_attributions } = plain(first) ?? {};
  const given = scoresIn(plain(source_attributions ?? target_attributions));
  const isOfChannels = /^Granular/.test(first?.__instance_type__?.[1] ?? "");
  const scores = isOfChannels ? lengthsOf(given) : given;
  if (!Array.isArray(scores)) {
    throw new FileError(
      "The scores in this file of inseq are compressed. Save it with out.save(path, use_primitives=True).",
    );
  }
  const tokens = (source_attributions ? source : target).map(nameOf);
  const targets = target.map(nameOf).slice(-scores[0].length); // those that were generated
  return { cross_attentions: turned(scores), tokens, target_tokens: targets };
}

/** Scores as they are, or as the base64 of a safetensors file. @param {any} value */
function scoresIn(value) {
  if (typeof value !== "string" || !/^[A-Za-z0-9+/]+=*$/.test(value)) return value;
  const bytes = Uint8Array.from(atob(value), (one) => one.charCodeAt(0));
  const [tensor] = readSafetensors(bytes.buffer).tensors.values();
  return nested(Array.from(tensor.data, Number), tensor.shape);
}

/** @param {number[]} numbers @param {number[]} shape @returns {any} lists in each other; null for what is no number */
function nested(numbers, [n, ...rest]) {
  if (rest.length === 0) return numbers.map((one) => (Number.isNaN(one) ? null : one));
  const size = rest.reduce((a, b) => a * b, 1);
  return Array.from({ length: n }, (_, at) =>
    nested(numbers.slice(at * size, (at + 1) * size), rest),
  );
}

/** The lengths of vectors, as shares of each column. @param {(number | null)[][][]} scores */
function lengthsOf(scores) {
  const lengths = scores.map((row) =>
    row.map((vector) => Math.hypot(...vector.map((one) => one ?? 0))),
  );
  const sums = (lengths[0] ?? []).map((_, step) =>
    lengths.reduce((sum, row) => sum + row[step], 0),
  );
  return lengths.map((row) => row.map((length, step) => length / Math.max(sums[step], 1e-12)));
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
