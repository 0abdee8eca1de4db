// The heads that a newcomer sees first, of a model of which no example is told. Pure.

import { matrixOf } from "./matrix.js";

/**
 * The head that looks most at another token than the first one and the one that looks: most heads rest on one of these. Of heads with the
 * same strongest weight, the one that does so in more rows.
 * @param {import("../types.d.ts").Answer} answer with the patterns of all heads
 * @param {number} text
 * @returns {{layer: number, head: number} | null} null if no head looks anywhere else
 */
export function liveliest({ trace, tensors }, text) {
  let best = null;
  let most = 0;
  for (const site of trace.sites) {
    const tensor = tensors.get(`${site.name}.pattern`);
    if (!tensor) continue;
    for (const [place, head] of site.heads.entries()) {
      const worth = awayIn(matrixOf(tensor, text, place));
      if (worth > most) [best, most] = [{ layer: site.layer, head }, worth];
    }
  }
  return best;
}

/** @param {{rows: number, cols: number, data: Float32Array | Uint8Array}} matrix from 0 to 255 */
function awayIn({ rows, cols, data }) {
  let [most, sum] = [0, 0];
  for (let row = 0; row < rows; row += 1) {
    let away = 0;
    for (let col = 1; col < cols; col += 1)
      if (col !== row) away = Math.max(away, data[row * cols + col]);
    most = Math.max(most, away);
    sum += away;
  }
  return most + sum / (256 * rows);
}

/**
 * The head whose mute moves the prediction most. The very first one is on screen by itself, so that it counts for nothing.
 * @param {import("../types.d.ts").MuteEffect[]} effects
 * @param {import("../types.d.ts").Kind} kind of the heads on screen
 * @returns {{layer: number, head: number} | null} null if no mute moves it
 */
export function mostMissed(effects, kind) {
  const moves = (/** @type {typeof effects[number]} */ { change }) => Math.abs(change ?? 0);
  const [most] = effects
    .filter((one) => one.kind === kind && one.layer + one.head > 0 && moves(one) > 0)
    .sort((a, b) => moves(b) - moves(a));
  return most ? { layer: most.layer, head: most.head } : null;
}
