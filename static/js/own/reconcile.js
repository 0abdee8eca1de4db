// Which of a file's patterns and its q, k and v to show, if it has both or lacks v.

import { recordedSource } from "../engine/sources/recorded.js";
import { derive } from "../engine/trace/site.js";

/** @import { Tensor } from "../types.d.ts" */
/** @import { Recording } from "../engine/sources/recorded.js" */

const AGREE = 0.01; // between the file's pattern and that of its q and k: float16 and bfloat16 round
const MAX_COMPARED = 2 ** 23; // cells of patterns that are compared with those of q and k

/**
 * With both patterns and q, k, v, keep what is right: q, k and v if they give these patterns, or else the patterns.
 * @param {Recording} recording
 * @param {string[]} remarks
 */
export function reconcile(recording, remarks) {
  const { trace, tensors } = recording;
  const has = (/** @type {string} */ part) =>
    trace.sites.every(({ name }) => tensors.has(`${name}.${part}`));
  if (!has("q") || !has("k")) return;
  const drop = (/** @type {string[]} */ parts) => {
    for (const { name } of trace.sites) for (const part of parts) tensors.delete(`${name}.${part}`);
  };
  if (!has("v")) {
    keepPatterns(recording);
    drop(["q", "k", "v"]);
    remarks.push(
      "The file has no v, so the page shows the patterns of q and k, without the views that need values.",
    );
    return;
  }
  if (!has("pattern")) return;
  const { furthest, where } = difference(recording);
  if (furthest <= AGREE) {
    drop(["pattern"]);
    remarks.push(
      `softmax(scale · q·k) gives the patterns of the file within ${furthest.toExponential(0)}.`,
    );
  } else {
    drop(["q", "k", "v"]);
    remarks.push(
      `softmax(scale · q·k) differs from the patterns of the file by up to ${furthest.toFixed(2)} (${where}), so the page shows the patterns only. Perhaps the scale or the mask is another, or q and k lack their rotary positions.`,
    );
  }
}

/** @param {Recording} recording without patterns, @returns the sites that its q and k make */
const sitesWithout = ({ trace, tensors, ...rest }) =>
  recordedSource("", {
    ...rest,
    trace,
    tensors: new Map([...tensors].filter(([name]) => !name.endsWith(".pattern"))),
  }).trace(/** @type {any} */ (rest.inputs)).sites;

/** How far the patterns of q and k are from those of the file, and where. @param {Recording} recording */
function difference(recording) {
  let [furthest, where, compared] = [0, "", 0];
  for (const site of sitesWithout(recording)) {
    for (let head = 0; head < site.n_heads && compared < MAX_COMPARED; head++) {
      const cells = site.mask.n_query * site.mask.n_key;
      const { data } = /** @type {Tensor} */ (
        derive(site, ["pattern"], { heads: [head] }).get("pattern")
      );
      const stored = /** @type {Tensor} */ (recording.tensors.get(`${site.name}.pattern`));
      for (let at = 0; at < data.length; at++) {
        const text = Math.floor(at / cells);
        const other = stored.data[(text * site.n_heads + head) * cells + (at % cells)];
        if (Math.abs(data[at] - other) <= furthest) continue;
        furthest = Math.abs(data[at] - other);
        where = `layer ${site.layer}, head ${head}`;
      }
      compared += data.length;
    }
  }
  return { furthest, where };
}

/** Store the patterns of q and k. @param {Recording} recording without v */
function keepPatterns(recording) {
  const { trace, tensors } = recording;
  for (const { name } of trace.sites) {
    const k = /** @type {Tensor} */ (tensors.get(`${name}.k`));
    const [batch, groups, n_key] = k.shape;
    tensors.set(`${name}.v`, {
      shape: [batch, groups, n_key, 1],
      data: new Float32Array(batch * groups * n_key),
    });
  }
  for (const site of sitesWithout(recording)) {
    const pattern = derive(site, ["pattern"]).get("pattern");
    if (pattern) tensors.set(`${site.name}.pattern`, pattern);
  }
}
