// Saves the lines: every cell of the selected head and of those that are drawn with it.

import { postTrace, traceFile } from "../../api/api.js";
import { headRequest } from "../../asking/saved.js";
import { blockedIn, detailOf } from "../../numbers/detail.js";
import { matrixOf } from "../../numbers/matrix.js";
import { modelIn } from "../../state/choice.js";
import { isOfHead, MATRICES } from "../../state/matrices.js";
import { ascending } from "../../state/overlay.js";
import { NOTHING } from "../../words/caption.js";
import { csvTable, tabled, tokenColumns } from "../../words/format.js";
import { tensorOf } from "./request.js";

/** @import { Model, State } from "../../types.d.ts" */
/** @typedef {{rows: number, cols: number, data: ArrayLike<number>}} Matrix */

/** @type {import("../view.js").Save} */
export const save = {
  parts: ({ matrix }) => ["lines", matrix],
  csv: async (state) => {
    /** @type {import("../../types.d.ts").Matrix} */
    const name = tensorOf(state) ?? state.matrix;
    const asked = { ...state, matrix: name };
    const answer = await postTrace(linesRequest(asked, modelIn(state)));
    const detail = detailOf({ ...asked, detail: answer });
    if (!detail) throw new Error(NOTHING);
    const heads = headsOf(state).flatMap(([layer, head]) => {
      const site = answer.trace.sites.find((one) => one.layer === layer);
      const place = site?.heads.indexOf(head) ?? -1;
      const tensor = answer.tensors.get(`${site?.name}.${name}`);
      const reasons = answer.tensors.get(`${site?.name}.blocked_by`);
      if (!tensor || !reasons || place < 0) return [];
      const blocked = matrixOf(reasons, detail.text, reasons.shape[1] === 1 ? 0 : place).data;
      return [{ layer, head, matrix: matrixOf(tensor, detail.text, place), blocked }];
    });
    const whole = isOfHead(name) ? null : detail[name];
    const { layer, head } = state;
    const only = whole
      ? [{ layer, head, matrix: whole, blocked: blockedIn(detail, name).data }]
      : [];
    return cellsCsv({
      heads: isOfHead(name) ? heads : only,
      queries: tabled(detail.queries, detail.queryLabels),
      keys: tabled(detail.keys, detail.keyLabels),
      unit: MATRICES[name].unit,
    });
  },
  file: (state, type) => traceFile(linesRequest(state, modelIn(state)), type),
};

/**
 * Every cell of several heads.
 * @param {object} options
 * @param {{layer: number, head: number, matrix: Matrix, blocked: ArrayLike<number> | null}[]} options.heads
 * @param {import("../../words/format.js").Tabled[]} options.queries
 * @param {import("../../words/format.js").Tabled[]} options.keys
 * @param {string} options.unit what a number is
 */
export function cellsCsv({ heads, queries, keys, unit }) {
  const rows = heads.flatMap(({ layer, head, matrix, blocked }) =>
    queries.flatMap((query, row) =>
      keys.map((key, col) => {
        const at = row * matrix.cols + col;
        return [layer, head, ...query, ...key, blocked?.[at] ? null : matrix.data[at]];
      }),
    ),
  );
  return csvTable(["layer", "head", ...tokenColumns("query"), ...tokenColumns("key"), unit], rows);
}

/**
 * The patterns of the selected head and of the overlaid ones, from every combination of their layers and heads.
 * @param {Readonly<State>} state
 * @param {Model} model
 */
export function linesRequest(state, model) {
  const heads = headsOf(state);
  const whole = headRequest(state, model);
  const layers = ascending(heads.map(([layer]) => layer));
  return {
    ...whole,
    select: { ...whole.select, layers, heads: ascending(heads.map(([, head]) => head)) },
  };
}

/** The selected head, then the overlaid ones. @param {Readonly<State>} state @returns {[layer: number, head: number][]} */
export function headsOf({ layer, head, overlay }) {
  return [[layer, head], ...overlay.filter(([l, h]) => l !== layer || h !== head)];
}
