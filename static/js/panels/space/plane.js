// Where the points lie in a picture of the plane, what they look like, and what a press on one selects. Pure.

import { detailOf, exactRow } from "../../numbers/detail.js";
import { modelIn } from "../../state/choice.js";
import { alone } from "../../state/examples.js";
import { label } from "../../words/format.js";

/** @import { Mark } from "../../draw/scene.js" */
/** @import { Paper } from "../../draw/figure.js" */
/** @import { SpaceOfHead, SpacePoint, State } from "../../types.d.ts" */
/** @typedef {{x: number, y: number}} Place */
/** @typedef {{categories: string[], sequential: ArrayLike<number>, accent: string, paper: Paper}} Colours */

const PAD = 14; // pixels around the outermost points
const [LARGE, SMALL] = [4, 2.6]; // pixels: the radius of few points, and of many
export const FEW = 60; // points, each of which has room for its token
const [SIZE, ROOM] = [12, 60]; // pixels: of these tokens, and what the last ones may take to the right
const [LEAST, THICKEST] = [0.02, 3]; // the smallest weight that has a line, and the pixels of a weight of 1
const REACH = 16; // pixels from a point that still mean it
const FAINT = 0.25; // opacity of a point that is not meant
const FIRST = 40; // of the 256 colours: the first token has to be seen, too

/** What a token is in its sentence: in the order of the legend, and of the colours. */
export const ROLES = /** @type {const} */ (["special", "begins", "within", "number", "sign"]);

/** The role of each point, by its text and its place. @param {readonly SpacePoint[]} points @returns {typeof ROLES[number][]} */
export function rolesOf(points) {
  /** @type {Map<number, number>} */
  const first = new Map(); // position of each text's first token that was typed
  for (const { special, text, position } of points)
    if (!special) first.set(text, Math.min(position, first.get(text) ?? Infinity));
  const isSpaced = points.some(({ token }) => WORD.test(token)); // as most vocabularies have it
  return points.map(({ special, token, text, position }) => {
    const plain = token.trim();
    if (special) return "special";
    if (/^\p{N}+$/u.test(plain)) return "number";
    if (!/[\p{L}\p{N}]/u.test(plain)) return "sign";
    const isFirst = WORD.test(token) || position === first.get(text);
    return isFirst || !(token.startsWith("##") || isSpaced) ? "begins" : "within";
  });
}

const WORD = /^[\s▁Ġ]\S/u; // a word begins with its space

/** The answer for what is selected now. @param {Readonly<State>} state @returns {SpaceOfHead | null} */
export function spaceIn(state) {
  const { space, kind, layer, head, space_of, space_plane } = state;
  const found = space?.answer?.trace.space ?? null;
  const site = modelIn(state).sites?.find((one) => one.kind === kind && one.layer === layer);
  if (!found || found.site !== site?.name || found.head !== head || found.method !== space_plane)
    return null;
  return (found.sentences === null) === (space_of === "text") ? found : null;
}

/**
 * The points in pixels: both axes have one scale, so that distances are true.
 * @param {readonly SpacePoint[]} points @param {{width: number, height: number}} size
 * @returns {Place[]}
 */
export function placed(points, { width, height }) {
  const [left, right] = ends(points.map(({ x }) => x));
  const [bottom, top] = ends(points.map(({ y }) => y));
  const room = { width: width - 2 * PAD, height: height - 2 * PAD };
  const fine = Math.min(room.width / (right - left || 1), room.height / (top - bottom || 1));
  return points.map(({ x, y }) => ({
    x: width / 2 + (x - (left + right) / 2) * fine,
    y: height / 2 - (y - (bottom + top) / 2) * fine,
  }));
}

/** @param {number[]} values @returns {[number, number]} */
const ends = (values) => [
  values.reduce((least, value) => Math.min(least, value), Infinity),
  values.reduce((most, value) => Math.max(most, value), -Infinity),
];

/** The point under the pointer, or next to it. @param {readonly Place[]} places @param {Place} at @returns {number | null} */
export function nearest(places, at) {
  let found = null;
  let least = REACH ** 2;
  places.forEach(({ x, y }, index) => {
    const far = (x - at.x) ** 2 + (y - at.y) ** 2;
    if (far > least) return;
    [found, least] = [index, far];
  });
  return found;
}

/** The query that is selected on the page, if it is among the points. @param {Readonly<State>} state @param {SpaceOfHead} found */
export function selectedIn({ shown, query, detail }, found) {
  if (found.sentences) return null;
  const row = query ?? (detail?.trace.tokens[shown]?.length ?? 0) - 1;
  const place = found.points.findIndex(
    ({ side, text, position }) => side === "query" && text === shown && position === row,
  );
  return place < 0 ? null : place;
}

/** What to change to see a point on the page. @param {Readonly<State>} state @param {SpaceOfHead} found @param {number} index @returns {Partial<State>} */
export function jumpTo(state, found, index) {
  const { side, text, position } = found.points[index];
  const at = side === "query" ? { query: position } : { key: position };
  if (!found.sentences) return { shown: text, ...at };
  const query = position; // of a key, too: its row is there then
  return { ...alone(found.sentences[text], modelIn(state)), query, ...at };
}

/**
 * How much the selected query attends to each key of its text, where the page knows it.
 * @param {Readonly<State>} state @param {SpaceOfHead} found @param {number | null} meant
 * @returns {ArrayLike<number> | null} by position
 */
export function weightsIn(state, found, meant) {
  const detail = detailOf(state);
  if (!detail || meant === null || meant !== selectedIn(state, found)) return null;
  return exactRow(detail, "pattern", detail.row)?.values ?? null;
}

/**
 * @param {SpaceOfHead} found
 * @param {readonly Place[]} places
 * @param {object} look
 * @param {State["space_by"]} look.by
 * @param {number | null} look.meant the point that is pointed at, or else that is selected
 * @param {ArrayLike<number> | null} look.weights of the keys of its text, if it is the selected query
 * @param {Colours} look.colours
 * @returns {Mark[]} with what is meant on top
 */
export function marksOf(found, places, look) {
  const { points } = found;
  const dots = dotsOf(found, places, look);
  const top = look.meant === null ? [] : dots.splice(look.meant, 1);
  const { ink, faint } = look.colours.paper;
  const lines = linesOf(found, places, look);
  if (points.length > FEW) return [...lines, ...dots, ...top];
  const right = Math.max(...places.map(({ x }) => x)) - ROOM;
  const names = points.map(({ token }, index) => {
    const { x, y } = places[index];
    const isLast = x > right; // its name stands on the other side
    return /** @type {Mark} */ ({
      mark: "text",
      x: isLast ? x - LARGE - 3 : x + LARGE + 3,
      y,
      anchor: isLast ? "end" : "start",
      text: label({ text: token }),
      size: SIZE,
      fill: index === look.meant ? ink : faint,
    });
  });
  return [...lines, ...dots, ...names, ...top];
}

/** From the selected query to the keys that it attends to. @param {SpaceOfHead} found @param {readonly Place[]} places @param {Parameters<typeof marksOf>[2]} look */
function linesOf({ points }, places, { meant, weights, colours }) {
  if (meant === null || weights === null) return [];
  const from = places[meant];
  return points.flatMap(({ side, text, position }, index) => {
    const weight = side === "key" && text === points[meant].text ? (weights[position] ?? 0) : 0;
    if (weight < LEAST) return [];
    const { x, y } = places[index];
    const d = `M${from.x.toFixed(1)} ${from.y.toFixed(1)}L${x.toFixed(1)} ${y.toFixed(1)}`;
    const line = Math.max(0.5, THICKEST * weight);
    return [/** @type {Mark} */ ({ mark: "path", d, stroke: colours.accent, line })];
  });
}

/** @param {SpaceOfHead} found @param {readonly Place[]} places @param {Parameters<typeof marksOf>[2]} look @returns {Mark[]} */
function dotsOf({ points }, places, { by, meant, colours }) {
  const radius = points.length > FEW ? SMALL : LARGE;
  const token = meant === null ? null : points[meant].token;
  const last = Math.max(1, ...points.map(({ position }) => position));
  const roles = by === "role" ? rolesOf(points) : [];
  return points.map((point, index) => {
    const isQuery = point.side === "query";
    const isLike = by !== "token" || token === null || point.token === token;
    const fill =
      by === "position"
        ? step(colours.sequential, point.position / last)
        : colours.categories[by === "role" ? ROLES.indexOf(roles[index]) : isQuery ? 0 : 1];
    const { x, y } = places[index];
    return {
      mark: /** @type {const} */ ("path"),
      d: circle(x, y, index === meant ? 2 * radius : radius),
      opacity: isLike ? 0.9 : FAINT,
      ...(isQuery ? { stroke: fill, line: 1.4 } : { fill }),
    };
  });
}

/** @param {number} x @param {number} y @param {number} r */
const circle = (x, y, r) =>
  `M${(x - r).toFixed(1)} ${y.toFixed(1)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;

/** @param {ArrayLike<number>} colours RGBA @param {number} share */
function step(colours, share) {
  const at = 4 * Math.round(FIRST + (255 - FIRST) * share);
  return `rgb(${colours[at]} ${colours[at + 1]} ${colours[at + 2]})`;
}
