// Scores the heads on standard input as the page does, for a test that compares them with the server's.

import { readFileSync } from "node:fs";
import { mayRelate, measured } from "../../static/js/numbers/habits.js";
import { FINDS } from "../../static/js/state/finds.js";

const METRICS = FINDS.filter(({ unit }) => unit !== "part" && unit !== "weight");

/** @param {number[][]} rows @param {Float32ArrayConstructor | Uint8ArrayConstructor} kind */
const matrix = (rows, kind) => ({
  rows: rows.length,
  cols: rows[0].length,
  data: kind.from(rows.flat()),
});

const heads = JSON.parse(readFileSync(0, "utf8")).map((/** @type {any} */ one) => {
  const head = {
    ...one,
    exact: "all",
    pooled: null,
    pattern: matrix(one.pattern, Float32Array),
    blocked: matrix(one.blocked, Uint8Array),
  };
  const scores = METRICS.map(({ metric }) => [metric, measured(head, metric)]);
  return { scores: Object.fromEntries(scores), relates: mayRelate(head) };
});
console.log(JSON.stringify(heads));
