// Where the nodes and edges of a path map lie: tokens along the bottom, layers upwards, the answer on top. Pure.

/**
 * @typedef {object} Node
 * @property {string} id
 * @property {number} column the position of its token
 * @property {number} row 0: the tokens; rows count upwards
 * @property {string} label
 */

/** @typedef {"logit" | "q" | "k" | "v" | "mlp"} Through */
/** @typedef {{from: string, to: string, through: Through}} Edge */
/** @typedef {Node & {x: number, y: number, width: number, height: number}} Box */
/** @typedef {{d: string, middle: [x: number, y: number]}} Line */

export const BOX = { width: 46, height: 24 };
const GAP = 8; // pixels between boxes of one cell
const ROW = 66; // between the middles of two rows
const STEP = 44; // between the middles of two boxes of one cell, one above the other
const EDGE = 22; // around everything
const NAMES = 128; // pixels for the names of the rows, where there is room
const WIDE = 700;
/** From the roomiest to what the boxes of a cell take least: what fits first is drawn. */
const WAYS = [
  { abreast: Number.MAX_SAFE_INTEGER, gap: GAP },
  ...[4, 3, 2, 1].map((abreast) => ({ abreast, gap: 4 })),
];
export const PORTS = { q: -14, k: 0, v: 14, mlp: 0, logit: 0 }; // where a head is entered
const BELOW = { q: 11, k: 11, v: 11, mlp: 0, logit: 0 }; // room for the letter of the entrance
const BOW = 30; // by how much a line leaves its column, to pass what stands between

/**
 * In little room the boxes of a cell stand one above the other, as few as the width asks for.
 * @param {{nodes: Node[], edges: Edge[], columns: number[], labels: string[], room: number}} given `columns`: the positions that are drawn, with
 *   the labels of their tokens; `room`: the width to fill, in pixels
 */
export function layoutOf({ nodes, edges, columns, labels, room }) {
  const levels = [...new Set([0, ...nodes.map(({ row }) => row)])].sort((a, b) => a - b);
  const cells = columns.map((column) => levels.map((row) => cellOf(nodes, column, row)));
  /** @param {typeof WAYS[number]} way */
  const widthsOf = ({ abreast, gap }) =>
    cells.map((column, index) => {
      const most = Math.max(1, ...column.map(({ length }) => Math.min(length, abreast)));
      return Math.max(most * (BOX.width + gap), 20 + 7.6 * labels[index].length);
    });
  const sides = (room < WIDE ? EDGE : NAMES) + EDGE;
  const way = WAYS.find((one) => sides + sum(widthsOf(one)) <= room) ?? WAYS[WAYS.length - 1];
  const { abreast, gap } = way;
  const widths = widthsOf(way);
  const spare = Math.max(0, room - sides - sum(widths));
  const more = Math.min(44, spare / Math.max(1, columns.length));

  // from the bottom up: where the lowest boxes of each row have their middles
  const lines = levels.map((_, at) =>
    Math.max(1, ...cells.map((column) => Math.ceil(column[at].length / abreast))),
  );
  const steps = levels.map((_, at) => ROW * at + STEP * sum(lines.slice(0, at).map((n) => n - 1)));
  const rise = steps[levels.length - 1] + STEP * (lines[levels.length - 1] - 1);
  const height = EDGE * 2 + rise + BOX.height;
  const bottom = height - EDGE - BOX.height / 2;

  let left = sides - EDGE;
  /** @type {Map<string, Box>} */
  const boxes = new Map();
  const middles = columns.map((_, index) => {
    const width = widths[index] + more;
    const middle = left + width / 2;
    left += width;
    cells[index].forEach((cell, at) => {
      cell.forEach((node, n) => {
        const line = Math.floor(n / abreast);
        const beside = Math.min(abreast, cell.length - line * abreast);
        const x = middle + ((n % abreast) - (beside - 1) / 2) * (BOX.width + gap) - BOX.width / 2;
        const y = bottom - BOX.height / 2 - steps[at] - STEP * line;
        boxes.set(node.id, { ...node, x, y, ...BOX });
      });
    });
    return middle;
  });
  return {
    width: Math.ceil(left + EDGE),
    height,
    boxes,
    tokens: columns.map((column, index) => ({ column, x: middles[index], label: labels[index] })),
    rows: levels.map((row, at) => ({ row, y: bottom - steps[at] })),
    lines: edges.map((edge) => lineOf(edge, boxes)),
  };
}

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);

/** @param {Node[]} nodes @param {number} column @param {number} row */
const cellOf = (nodes, column, row) =>
  nodes
    .filter((node) => node.column === column && node.row === row)
    .sort((a, b) => a.label.localeCompare(b.label, "en", { numeric: true }));

/** @param {Edge} edge @param {Map<string, Box>} boxes @returns {Line} */
function lineOf({ from, to, through }, boxes) {
  const [sender, receiver] = [boxes.get(from), boxes.get(to)];
  if (!sender || !receiver) throw new Error("An edge has an end that is not drawn.");
  const [x1, y1] = [sender.x + sender.width / 2, sender.y];
  const [x2, y2] = [
    receiver.x + receiver.width / 2 + PORTS[through],
    receiver.y + receiver.height + BELOW[through],
  ];
  const passes = Math.abs(x1 - x2) < BOX.width / 2 && y1 - y2 > ROW;
  const bow = passes ? BOW + 0.05 * (y1 - y2) : 0;
  const pull = Math.max(14, (y1 - y2) / 2);
  const [c1, c2] = [`${x1 + bow} ${y1 - pull}`, `${x2 + bow} ${y2 + pull}`];
  const middle = /** @type {[number, number]} */ ([(x1 + x2) / 2 + 0.75 * bow, (y1 + y2) / 2]);
  return { d: `M${x1} ${y1}C${c1} ${c2} ${x2} ${y2}`, middle };
}
