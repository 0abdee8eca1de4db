// Where an arrow key leads on the map. Pure.

/** @import { Place } from "./layout.js" */

const ASIDE = 2; // how much further a pixel aside counts than one along the key

/**
 * The place that an arrow key leads to; the place itself at an edge.
 * @param {Place[]} places
 * @param {string} id
 * @param {string} key
 * @returns {string}
 */
export function neighbour(places, id, key) {
  const here = places.find((place) => place.id === id) ?? places[0];
  const sideways = key === "ArrowLeft" || key === "ArrowRight";
  const sign = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1;
  const [along, across] = sideways ? [columns, rows] : [rows, columns];
  const ahead = places.flatMap((place) => {
    const distance = sign * (middle(along(place)) - middle(along(here)));
    const aside = gap(across(place), across(here));
    const near = distance > 1 && !overlap(along(place), along(here));
    return near && !(sideways && aside > here.height)
      ? [{ place, cost: distance + ASIDE * aside }]
      : [];
  });
  const best = Math.min(...ahead.map(({ cost }) => cost));
  return ahead.find(({ cost }) => cost === best)?.place.id ?? here.id;
}

/** @typedef {[start: number, stop: number]} Range */

/** @param {Place} place @returns {Range} */
const columns = ({ x, width }) => [x, x + width];
/** @param {Place} place @returns {Range} */
const rows = ({ y, height }) => [y, y + height];
/** @param {Range} range */
const middle = ([start, stop]) => (start + stop) / 2;
/** @param {Range} a @param {Range} b */
const overlap = (a, b) => gap(a, b) === 0 && a[0] < b[1] && b[0] < a[1];
/** @param {Range} a @param {Range} b */
const gap = (a, b) => Math.max(0, a[0] - b[1], b[0] - a[1]);
