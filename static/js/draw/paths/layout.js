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
const EDGE = 22; // around everything
const NAMES = 128; // pixels for the names of the rows, where there is room
const WIDE = 700;
export const PORTS = { q: -14, k: 0, v: 14, mlp: 0, logit: 0 }; // where a head is entered
const BELOW = { q: 11, k: 11, v: 11, mlp: 0, logit: 0 }; // room for the letter of the entrance
const BOW = 30; // by how much a line leaves its column, to pass what stands between

/**
 * @param {{nodes: Node[], edges: Edge[], columns: number[], labels: string[], room: number}} given `columns`: the positions that are drawn, with
 *   the labels of their tokens; `room`: the width to fill, in pixels
 */
export function layoutOf({ nodes, edges, columns, labels, room }) {
  const rows = [...new Set([0, ...nodes.map(({ row }) => row)])].sort((a, b) => a - b);
  const height = EDGE * 2 + ROW * (rows.length - 1) + BOX.height;
  const cells = new Map(
    columns.map((column) => [column, rows.map((row) => cellOf(nodes, column, row))]),
  );
  const widths = columns.map((column, index) => {
    const most = Math.max(1, ...(cells.get(column) ?? []).map((cell) => cell.length));
    return Math.max(most * (BOX.width + GAP), 20 + 7.6 * labels[index].length);
  });
  const start = EDGE + (room < WIDE ? 0 : NAMES - EDGE);
  const spare = Math.max(0, room - start - EDGE - widths.reduce((sum, width) => sum + width, 0));
  const more = Math.min(44, spare / Math.max(1, columns.length));
  let left = start;
  /** @type {Map<string, Box>} */
  const boxes = new Map();
  const middles = columns.map((column, index) => {
    const width = widths[index] + more;
    const middle = left + width / 2;
    left += width;
    (cells.get(column) ?? []).forEach((cell, at) => {
      cell.forEach((node, n) => {
        const x = middle + (n - (cell.length - 1) / 2) * (BOX.width + GAP) - BOX.width / 2;
        const y = height - EDGE - BOX.height - at * ROW;
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
    rows: rows.map((row, at) => ({ row, y: height - EDGE - BOX.height / 2 - at * ROW })),
    lines: edges.map((edge) => lineOf(edge, boxes)),
  };
}

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
