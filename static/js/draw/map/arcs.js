// Arcs from an earlier head down to a later one that reads it. Pure.

/** @import { Place } from "./layout.js" */

const [THIN, THICK] = [1.5, 7]; // pixels
const EDGE = 6; // from the corner of a box to the first arc
const LEAN = 0.12; // how far an end moves to the side on which the other one is

/**
 * @param {Place} from the earlier head, or the folded layer that it is in
 * @param {Place} to the later head
 * @param {number} strength from −1 to 1
 * @returns {{d: string, line: number}} a path, and how thick it is
 */
export function arcOf(from, to, strength) {
  const [x1, y1] = [end(from, to), from.y + from.height];
  const [x2, y2] = [end(to, from), to.y];
  const pull = Math.max(14, (y2 - y1) / 2);
  return {
    d: `M${x1} ${y1}C${x1} ${y1 + pull} ${x2} ${y2 - pull} ${x2} ${y2}`,
    line: Number((THIN + (THICK - THIN) * Math.abs(strength)).toFixed(2)),
  };
}

/** Where an arc leaves or enters a box: towards the other end, so that arcs fan out. @param {Place} box @param {Place} other */
function end(box, other) {
  const middle = box.x + box.width / 2;
  const most = Math.max(0, box.width / 2 - EDGE);
  const aside = LEAN * (other.x + other.width / 2 - middle);
  return Math.round(10 * (middle + Math.max(-most, Math.min(most, aside)))) / 10;
}
