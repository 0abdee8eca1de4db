// What the heatmap says, as whole sentences.

import { gettext } from "../../language/gettext.js";
import { isOfHead } from "../../state/matrices.js";
import { headName } from "../../words/heads.js";
import { bold, parts } from "../../words/parts.js";

/** @import { Part } from "../../words/parts.js" */

export const ROLE = gettext("heatmap");

/** The label of the picture for a screen reader. @param {{rows: number, cols: number}} size */
export const label = ({ rows, cols }) =>
  gettext(
    "{rows} queries down, {cols} keys along the top. Arrow keys walk the cells, Enter reads a row, Escape leaves the cell.",
    { rows, cols },
  );

export const MINIMAP = gettext("The visible part; drag it to move");
export const NOT_DRAWN = gettext("The head could not be drawn:");

/** In the caption of a saved picture. @param {import("../../draw/viewport.js").Part} part */
export const shownPart = ([q0, q1, k0, k1]) =>
  gettext("Shown: queries {q0} to {q1}, keys {k0} to {k1}.", { q0, q1: q1 - 1, k0, k1: k1 - 1 });

/** The title of a saved picture of an analysis. @param {string} matrix */
export const allLayers = (matrix) => gettext("Attention {matrix} · all layers", { matrix });

/**
 * @param {Pick<import("../../types.d.ts").State, "matrix">} state
 * @param {import("./picture.js").Detail} detail
 */
export const titleOf = ({ matrix }, { site, head }) =>
  isOfHead(matrix) ? headName(site, head) : allLayers(matrix);

/** @param {{unit: string, value: string}} number @returns {Part[]} */
export const valueInWords = ({ unit, value }) =>
  parts("{unit} {value}", { unit, value: bold(value) });

/** @param {string} reason @returns {Part[]} */
export const blockedInWords = (reason) => parts("blocked by {reason}", { reason: bold(reason) });

/** Weight that leaked into a cell which a mask blocks. @param {{unit: string, value: string, reason: string}} cell @returns {Part[]} */
export const leakedInWords = ({ unit, value, reason }) =>
  parts("{unit} {value}, although blocked by {reason}", {
    unit,
    value: bold(value),
    reason,
  });

/** Until the numbers of a long text have arrived. @type {Part[]} */
export const WAITING = ["…"];

/** Of a text with more tokens than the picture has pixels. */
export const POOLED = gettext("A pixel shows the strongest of its cells; zoom in to see each.");
