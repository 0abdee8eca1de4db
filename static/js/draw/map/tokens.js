// The tokens at the top of a stack, in up to three rows; of a long text those around the token whose path is drawn. Pure.

import { fitted, widthOf } from "../textwidth.js";

/** @import { Layout, Stage } from "./layout.js" */
/** @import { Stack } from "./plan.js" */
/** @typedef {{given: import("./layout.js").Given, width: number, stream: number}} Frame */

export const PAD = 8;
export const ROW = 30; // the height of a box
export const SIZE = 13; // of letters
const TOKEN_ROWS = 3;

/** @param {Layout} layout @param {Frame} frame @param {Stack} stack @param {number} top */
export function drawTokens(layout, { given, width, stream }, { axis, kind }, top) {
  const labels = given.tokens[axis] ?? [];
  const at = given.at[axis] ?? -1;
  const name = axis === "target_tokens" ? given.names.target : given.names.sentence;
  const first = { axis, site: kind, at: 0, head: -1, y: top, height: ROW };
  const long = widthOf(name, SIZE) + 20;
  const id = `sentence:${axis}`;
  layout.places.push({ ...first, id, kind: "sentence", x: PAD, width: long, label: name });
  const start = PAD + long + 12;
  const chips = labels.map((text) => {
    const label = fitted(text, SIZE, 96);
    return { label, width: Math.max(24, widthOf(label, SIZE) + 12) };
  });
  const [shown, stop] = visible(chips, Math.max(0, at), start, width - PAD);
  /** @type {Stage[]} */
  const stages = [];
  let [x, y] = [start, top];
  const more = (/** @type {number} */ place) => {
    layout.labels.push({ role: "more", x: place, y: y + ROW / 2, text: "…", anchor: "middle" });
  };
  if (shown > 0) {
    more(x + 6);
    x += 16;
  }
  for (let place = shown; place < stop; place += 1) {
    const chip = chips[place];
    if (x + chip.width > width - PAD && x > start) [x, y] = [start, y + ROW + 4];
    const own = { ...first, id: `token:${axis}:${place}`, at: place, y };
    layout.places.push({ ...own, kind: "token", x, width: chip.width, label: chip.label });
    if (place === at) {
      const centre = x + chip.width / 2;
      stages.push({
        id: own.id,
        kind: "token",
        site: kind,
        layer: 0,
        places: [own.id],
        x: centre,
        y: y + ROW / 2,
      });
      const bend = y + ROW + 8;
      const d = `M${centre} ${y + ROW}V${bend}H${stream}`;
      layout.lines.push({ id: `path:${kind}`, role: "stream", d });
    }
    x += chip.width + 4;
  }
  if (stop < chips.length) more(Math.min(x + 8, width - PAD));
  const bottom = y + ROW;
  const path = layout.lines.find((line) => line.id === `path:${kind}`);
  if (path) path.d = `${path.d}V${bottom + 16}`;
  return { bottom, stages };
}

/**
 * The tokens that have room, around the one whose path is drawn: [first, stop).
 * @param {{width: number}[]} chips @param {number} at @param {number} start @param {number} end
 */
function visible(chips, at, start, end) {
  let room = TOKEN_ROWS * (end - start) - 40 - (chips[at]?.width ?? 0);
  let [first, stop] = [Math.min(at, chips.length), Math.min(at + 1, chips.length)];
  for (;;) {
    const before = chips[first - 1]?.width ?? Number.POSITIVE_INFINITY;
    const after = chips[stop]?.width ?? Number.POSITIVE_INFINITY;
    // a row may end with a gap of almost one token
    const cost = Math.min(before, after) + 4 + 6;
    if (!(cost <= room)) return [first, stop];
    room -= cost;
    if (before < after || (before === after && at - first < stop - at)) first -= 1;
    else stop += 1;
  }
}
